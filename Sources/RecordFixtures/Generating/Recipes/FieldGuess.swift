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
    let kind = kind
    var rule = FieldRule(kind: kind)
    // Ancestors have a length of their own.
    if type.isList, !(kind is AncestorReferences), !(kind is NoValues) {
      rule.length = .range(kind is AssetValues ? 1...2 : 1...3)
    }
    return rule
  }

  private var kind: any GeneratedValues {
    switch role {
    case .modelNames: return ChoiceValues(.string(CoreDataNames.modelName(recordType)))
    // The links of a relationship between several records; Core Data makes the others on its own.
    case .recordNames, .moveReceipt, .largeValue: return NoValues()
    case .recordNameOrUUID, nil: break
    }
    switch type.primitive {
    case .string:
      if let target { return ReferenceValues(target: target) }
      return role == .recordNameOrUUID ? KnownText.uuid : string
    case .int64: return integer
    case .double: return double
    case .number: return type.numberPreference == .double ? double : integer
    case .timestamp: return date
    case .bytes: return ByteValues(length: .range(16...64))
    case .location: return LocationValues()
    case .reference:
      if type.isList, name.contains("relatedrecords", "ancestors") { return AncestorReferences() }
      return target.map { ReferenceValues(target: $0) } ?? NoValues()
    case .asset: return asset
    }
  }

  // MARK: Text

  private var string: any GeneratedValues {
    if let kind = textKind { return kind }
    if name.ends("status", "state") { return ChoiceValues(words: "new", "active", "done") }
    if name.ends("type", "kind", "category", "role", "level", "mode") {
      return ChoiceValues(words: "a", "b", "c")
    }
    if name.ends("gender") { return ChoiceValues(words: "female", "male", "other") }
    if name.ends("title", "subject", "headline", "label") { return WordText(.words, .range(2...5)) }
    if name.ends("tag", "tags", "keyword", "keywords", "topic", "topics", "genre", "genres") {
      return WordText(.words, .fixed(1))
    }
    if name.ends(
      "text", "body", "content", "contents", "message", "note", "notes", "description", "comment",
      "comments", "summary", "bio", "about", "caption", "details", "instructions", "reason")
    {
      return WordText(.sentences, .range(1...3))
    }
    if name.ends("latitude", "lat", "longitude", "lng", "lon") { return PatternText("##.####") }
    if name.ends("json") { return ChoiceValues(.string("{}")) }
    if name.ends("time", "date", "at", "on"), name.words.count > 1 { return KnownText.isoDate }
    if name.ends("count", "number", "amount", "price", "size", "order", "index") {
      return PatternText("##")
    }
    return WordText(.words, .range(name.ends("name", "names") ? 1...3 : 1...4))
  }

  private var textKind: KnownText? {
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

  private var integer: any GeneratedValues {
    if isFlag { return IntegerValues(0...1) }
    if name.ends("year") { return IntegerValues(1990...2030) }
    if name.ends("month") { return IntegerValues(1...12) }
    if name.ends("weekday") { return IntegerValues(1...7) }
    if name.ends("day") { return IntegerValues(1...28) }
    if name.ends("hour") { return IntegerValues(0...23) }
    if name.ends("minute", "second") { return IntegerValues(0...59) }
    if name.ends("age") { return IntegerValues(1...90) }
    if name.ends("order", "index", "position", "rank") || name.contains("sortorder") {
      return SequenceValues.position
    }
    if name.ends("priority", "level", "type", "kind", "status", "state", "mode", "category") {
      return IntegerValues(0...3)
    }
    if name.ends("rating", "stars") { return IntegerValues(1...5) }
    if name.ends("version", "revision") { return IntegerValues(1...5) }
    if name.ends("duration", "seconds", "timeout", "interval") { return IntegerValues(1...3600) }
    if name.ends("width", "height") { return IntegerValues(64...4096) }
    if name.ends("size", "length", "bytes") { return IntegerValues(100...100_000) }
    if name.ends("percent", "percentage", "progress") { return IntegerValues(0...100) }
    if name.has("count", "counter", "quantity", "total", "number", "likes", "views", "score") {
      return IntegerValues(0...100)
    }
    if name.ends("timestamp", "date", "at") || name.words.count > 1 && name.ends("time") {
      // Seconds since 1970, in 2025.
      return IntegerValues(1_735_689_600...1_767_225_599)
    }
    return IntegerValues(0...1000)
  }

  private var isFlag: Bool {
    ["is", "has", "can", "should", "was", "did", "allows", "shows", "uses", "needs", "enable"]
      .contains(name.first) && name.words.count > 1
      || name.ends(
        "enabled", "disabled", "flag", "deleted", "archived", "completed", "done", "favorite",
        "favourite", "hidden", "pinned", "active", "visible", "read", "locked", "public", "private",
        "paid", "verified", "flagged", "muted", "finished", "checked")
  }

  private var double: any GeneratedValues {
    if name.ends("latitude", "lat") { return CoordinateValues.latitude }
    if name.ends("longitude", "lng", "lon", "long") { return CoordinateValues.longitude }
    if name.ends("order", "index", "position", "rank") { return SequenceValues.position }
    if name.ends("rating", "stars") { return DecimalValues(0...5, places: 1) }
    if name.ends("price", "amount", "cost", "total", "balance", "budget", "fee", "value") {
      return DecimalValues(0.5...999.99, places: 2)
    }
    if name.ends("percent", "percentage") { return DecimalValues(0...100, places: 1) }
    if name.ends(
      "progress", "ratio", "fraction", "opacity", "alpha", "strength", "probability", "confidence",
      "volume", "x", "y", "red", "green", "blue", "hue", "saturation", "brightness")
    {
      return DecimalValues(0...1, places: 3)
    }
    if name.ends("altitude", "elevation") { return DecimalValues(-10...4000, places: 1) }
    if name.ends("course", "heading", "angle", "rotation", "direction") {
      return DecimalValues(0...359.9, places: 1)
    }
    if name.ends("duration", "seconds", "timeout", "interval") {
      return DecimalValues(0.1...3600, places: 1)
    }
    if name.ends("temperature") { return DecimalValues(-20...40, places: 1) }
    if name.ends("version") { return DecimalValues(1...5, places: 1) }
    if name.ends("timestamp", "date", "at") || name.words.count > 1 && name.ends("time") {
      return DecimalValues(1_735_689_600...1_767_225_599, places: 3)
    }
    return DecimalValues(0...1000, places: 2)
  }

  // MARK: Dates and files

  private static let day = 86_400_000

  private var date: any GeneratedValues {
    if name.contains("birth") { return DateValues.range(-946_771_200_000...1_262_304_000_000) }
    if name.has("modified", "updated", "edited", "changed", "last", "latest", "saved", "synced") {
      return DateValues.modified
    }
    if name.has(
      "due", "end", "ends", "expires", "expiry", "expiration", "deadline", "until",
      "scheduled", "start", "starts", "begin", "remind", "reminder", "next", "target", "planned")
    {
      return DateValues.created(Self.day...30 * Self.day)
    }
    if name.has("completed", "finished", "read", "closed", "deleted", "archived", "seen", "done") {
      return DateValues.created(60_000...7 * Self.day)
    }
    return DateValues.created(0...0)
  }

  private var asset: any GeneratedValues {
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
    return AssetValues(kind: kind, variants: 4)
  }
}
