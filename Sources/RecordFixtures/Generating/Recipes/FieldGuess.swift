import RecordModel
import RecordSchema

/// Chooses values that suit the name and the type of a field.
struct FieldGuess {
  let recordType: String
  let name: NameWords
  let type: CloudSchema.FieldType
  /// The type of the records that a reference refers to; nil for any other field.
  let target: String?
  /// The part of Core Data's mirroring that the field is for.
  private let role: CoreDataNames.FieldRole?

  /// - Parameter fields: The names of all fields of the type.
  init(
    _ field: CloudSchema.Field, of recordType: String, among fields: Set<String>, target: String?
  ) {
    self.recordType = recordType
    name = NameWords(CoreDataNames.modelName(field.name))
    type = field.type
    role = CoreDataNames.role(of: field.name, in: recordType, type: field.type, among: fields)
    self.target = target
  }

  var rule: FieldRule {
    var rule = FieldRule(value: value)
    if type.isList { rule.length = length }
    return rule
  }

  /// The length of a list; nil where the value has one of its own.
  private var length: CountRule? {
    switch value {
    case .ancestors, .none: nil
    case .asset: .range(1...2)
    default: .range(1...3)
    }
  }

  private var value: ValueRule {
    switch role {
    case .modelNames: return .constant(.string(CoreDataNames.modelName(recordType)))
    // The links of a relationship between several records; Core Data makes the others on its own.
    case .recordNames, .moveReceipt, .largeValue: return .none
    case .recordNameOrUUID, nil: break
    }
    return switch type.primitive {
    case .string: string
    case .int64: integer
    case .double: double
    case .number: type.numberPreference == .double ? double : integer
    case .timestamp: date
    case .bytes: .bytes(.range(16...64))
    case .location: .location(nil)
    case .reference:
      type.isList && name.contains("relatedrecords", "ancestors")
        ? .ancestors(.none) : target.map { .reference($0, .none) } ?? .none
    case .asset: .asset(asset)
    }
  }

  // MARK: Text

  private var string: ValueRule {
    if let kind = textKind { return .known(kind) }
    if name.ends("status", "state") { return choice("new", "active", "done") }
    if name.ends("type", "kind", "category", "role", "level", "mode") {
      return choice("a", "b", "c")
    }
    if name.ends("gender") { return choice("female", "male", "other") }
    if name.ends("title", "subject", "headline", "label") { return .text(.words, .range(2...5)) }
    if name.ends("tag", "tags", "keyword", "keywords", "topic", "topics", "genre", "genres") {
      return .text(.words, .fixed(1))
    }
    if name.ends(
      "text", "body", "content", "contents", "message", "note", "notes", "description", "comment",
      "comments", "summary", "bio", "about", "caption", "details", "instructions", "reason")
    {
      return .text(.sentences, .range(1...3))
    }
    if name.ends("latitude", "lat", "longitude", "lng", "lon") { return .pattern("##.####") }
    if name.ends("json") { return .constant(.string("{}")) }
    if name.ends("time", "date", "at", "on"), name.words.count > 1 { return .known(.isoDate) }
    if name.ends("count", "number", "amount", "price", "size", "order", "index") {
      return .pattern("##")
    }
    return .text(.words, name.ends("name", "names") ? .range(1...3) : .range(1...4))
  }

  private func choice(_ words: String...) -> ValueRule {
    .choice(words.map { .init(value: .string($0), weight: 1) })
  }

  private var textKind: TextKind? {
    if name.contains("email", "mailaddress") { return .email }
    if name.has("phone", "telephone", "mobile", "fax") { return .phone }
    if name.ends("url", "urls", "uri", "link", "links", "website", "homepage", "href") {
      return .url
    }
    if name.contains("filename", "filepath") || name.ends("path", "file") { return .filename }
    if name.contains("firstname", "givenname", "forename") { return .givenName }
    if name.contains("lastname", "surname", "familyname") { return .familyName }
    if name.contains("username", "screenname") || name.ends("handle", "nickname", "login") {
      return .username
    }
    if name.contains("fullname", "displayname", "membername") { return .name }
    if name.ends("name", "names"),
      name.has("user", "person", "author", "owner", "contact", "friend", "sender", "customer")
        || name.words.count == 1 && Self.isPerson(recordType)
    {
      return .name
    }
    if name.words.count == 1, name.ends("author", "sender", "owner", "creator", "artist") {
      return .name
    }
    if name.ends("company", "organization", "organisation", "publisher", "brand") {
      return .company
    }
    if name.ends("city", "town", "place") { return .city }
    if name.ends("country", "nation") { return .country }
    if name.ends("street", "address") { return .street }
    if name.contains("postcode", "postalcode", "zipcode") || name.ends("zip") { return .postcode }
    if name.ends("emoji", "reaction", "emojis") { return .emoji }
    if name.has("color", "colour") { return .color }
    if name.ends("uuid", "guid", "id", "ids", "identifier", "token", "udid", "key") { return .uuid }
    if name.ends("hash", "checksum", "digest", "sha256", "md5", "signature", "fingerprint") {
      return .hex
    }
    if name.ends("language", "locale", "lang") { return .language }
    if name.ends("currency") { return .currency }
    if name.contains("mimetype", "contenttype", "mediatype") { return .mimeType }
    if name.ends("version", "build") { return .version }
    return nil
  }

  private static func isPerson(_ recordType: String) -> Bool {
    let type = NameWords(recordType)
    return type.ends(
      "user", "users", "person", "people", "contact", "member", "author", "friend", "profile",
      "player", "customer", "employee", "student", "teacher", "account", "participant")
  }

  // MARK: Numbers

  private var integer: ValueRule {
    if isFlag { return .integer(.range(0...1)) }
    if name.ends("year") { return .integer(.range(1990...2030)) }
    if name.ends("month") { return .integer(.range(1...12)) }
    if name.ends("weekday") { return .integer(.range(1...7)) }
    if name.ends("day") { return .integer(.range(1...28)) }
    if name.ends("hour") { return .integer(.range(0...23)) }
    if name.ends("minute", "second") { return .integer(.range(0...59)) }
    if name.ends("age") { return .integer(.range(1...90)) }
    if name.ends("order", "index", "position", "rank") || name.contains("sortorder") {
      return .position
    }
    if name.ends("priority", "level", "type", "kind", "status", "state", "mode", "category") {
      return .integer(.range(0...3))
    }
    if name.ends("rating", "stars") { return .integer(.range(1...5)) }
    if name.ends("version", "revision") { return .integer(.range(1...5)) }
    if name.ends("duration", "seconds", "timeout", "interval") { return .integer(.range(1...3600)) }
    if name.ends("width", "height") { return .integer(.range(64...4096)) }
    if name.ends("size", "length", "bytes") { return .integer(.range(100...100_000)) }
    if name.ends("percent", "percentage", "progress") { return .integer(.range(0...100)) }
    if name.has("count", "counter", "quantity", "total", "number", "likes", "views", "score") {
      return .integer(.range(0...100))
    }
    if name.ends("timestamp", "date", "at") || name.words.count > 1 && name.ends("time") {
      // Seconds since 1970, in 2025.
      return .integer(.range(1_735_689_600...1_767_225_599))
    }
    return .integer(.range(0...1000))
  }

  private var isFlag: Bool {
    ["is", "has", "can", "should", "was", "did", "allows", "shows", "uses", "needs", "enable"]
      .contains(name.first) && name.words.count > 1
      || name.ends(
        "enabled", "disabled", "flag", "deleted", "archived", "completed", "done", "favorite",
        "favourite", "hidden", "pinned", "active", "visible", "read", "locked", "public", "private",
        "paid", "verified", "flagged", "muted", "finished", "checked")
  }

  private var double: ValueRule {
    if name.ends("latitude", "lat") { return .coordinate(.latitude) }
    if name.ends("longitude", "lng", "lon", "long") { return .coordinate(.longitude) }
    if name.ends("order", "index", "position", "rank") { return .position }
    if name.ends("rating", "stars") { return .decimal(0...5, places: 1) }
    if name.ends("price", "amount", "cost", "total", "balance", "budget", "fee", "value") {
      return .decimal(0.5...999.99, places: 2)
    }
    if name.ends("percent", "percentage") { return .decimal(0...100, places: 1) }
    if name.ends(
      "progress", "ratio", "fraction", "opacity", "alpha", "strength", "probability", "confidence",
      "volume", "x", "y", "red", "green", "blue", "hue", "saturation", "brightness")
    {
      return .decimal(0...1, places: 3)
    }
    if name.ends("altitude", "elevation") { return .decimal(-10...4000, places: 1) }
    if name.ends("course", "heading", "angle", "rotation", "direction") {
      return .decimal(0...359.9, places: 1)
    }
    if name.ends("duration", "seconds", "timeout", "interval") {
      return .decimal(0.1...3600, places: 1)
    }
    if name.ends("temperature") { return .decimal(-20...40, places: 1) }
    if name.ends("version") { return .decimal(1...5, places: 1) }
    if name.ends("timestamp", "date", "at") || name.words.count > 1 && name.ends("time") {
      return .decimal(1_735_689_600...1_767_225_599, places: 3)
    }
    return .decimal(0...1000, places: 2)
  }

  // MARK: Dates and files

  private static let day = 86_400_000

  private var date: ValueRule {
    if name.contains("birth") { return .date(-946_771_200_000...1_262_304_000_000) }
    if name.has("modified", "updated", "edited", "changed", "last", "latest", "saved", "synced") {
      return .modified
    }
    if name.has(
      "due", "end", "ends", "expires", "expiry", "expiration", "deadline", "until",
      "scheduled", "start", "starts", "begin", "remind", "reminder", "next", "target", "planned")
    {
      return .created(Self.day...30 * Self.day)
    }
    if name.has("completed", "finished", "read", "closed", "deleted", "archived", "seen", "done") {
      return .created(60_000...7 * Self.day)
    }
    return .created(0...0)
  }

  private var asset: AssetRule {
    let kind: AssetKind =
      if name.has("icon", "logo", "avatar", "drawing", "screenshot", "sticker", "png") {
        .png
      } else if name.contains(
        "image", "photo", "picture", "thumbnail", "cover", "poster", "jpeg", "jpg", "banner")
      {
        .jpeg
      } else if name.contains(
        "text", "document", "note", "log", "json", "transcript", "csv", "html")
      {
        .text
      } else {
        .bytes
      }
    return AssetRule(kind: kind, size: .range(1000...8000), variants: 4)
  }
}
