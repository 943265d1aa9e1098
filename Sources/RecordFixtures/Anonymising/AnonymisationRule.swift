import RecordModel

/// Replaces or keeps the values of a field.
///
/// The form of a replacement depends on the rule, not on the value, except for the rules with a
/// ``price``. References always refer to the pseudonyms of records, whatever the rule of their field.
public enum AnonymisationRule: String, Sendable, Hashable, CaseIterable {
  /// The value stays, or only the values that the rule lists. Not for encrypted fields.
  case keep
  /// The value stays if so many persons have it, and is redacted otherwise. Not for encrypted fields.
  case keepIf = "keep-if"
  /// A number becomes the nearest multiple of a step, and a date the start of its year, month, day or hour.
  /// Not for encrypted fields.
  case round
  /// The field is left out.
  case drop
  /// The value becomes a constant of its type: `redacted`, 0, the first moment of 2001, the place 0, 0,
  /// 256 zero bytes.
  case redact
  /// Text becomes a made-up sentence.
  case text
  /// Equal texts become equal sentences, and different texts different ones.
  case textConsistent = "text-consistent"
  /// Text becomes words of as many characters.
  case textLength = "text-length"
  /// Letters become letters of the same case, digits become digits, and punctuation and all else in ASCII stay.
  case textShape = "text-shape"
  /// Text becomes letters of the same script.
  case textScript = "text-script"
  /// Text becomes a first and a last name.
  case name
  /// Equal names become equal names.
  case nameConsistent = "name-consistent"
  /// Text becomes an email address of a domain that ends with `.example`.
  case email
  /// Equal addresses become equal addresses, as those of participants.
  case emailConsistent = "email-consistent"
  /// Text becomes a telephone number that is reserved for fiction.
  case phone
  /// Text becomes a URL of a host that ends with `.example`.
  case url
  /// Equal URLs become equal URLs.
  case urlConsistent = "url-consistent"
  /// The name of a record, user or zone, or any other identifier, becomes the pseudonym that it has
  /// everywhere.
  case identifier
  /// A made-up UUID.
  case uuid
  /// A made-up colour: `#3FA0C2`.
  case colour
  /// A made-up version: `2.10.3`.
  case version
  /// The name of one of twelve locales: `pt_BR`.
  case locale
  /// An emoji.
  case emoji
  /// The Base64 of 24 made-up bytes.
  case base64
  /// JSON with the keys that the rule lists, where the value has them, and made-up values of the same kinds.
  case json
  /// One of the values that the rule lists.
  case enumeration
  /// A flag: 0 or 1, `true` or `false`.
  case flag
  /// A made-up whole number in the range of the rule; from 0 to 999 without one.
  case integer
  /// A made-up number in the range of the rule, with two digits behind the point; from 0 to 1,000 without one.
  case decimal
  /// A number becomes a made-up one below 1,000.
  case number
  /// Equal numbers become equal numbers.
  case numberConsistent = "number-consistent"
  /// A number becomes one with the same sign and number of digits.
  case numberDigits = "number-digits"
  /// A number becomes another one, about a thousand times as large; of the largest, one as large. Numbers of the field
  /// keep their order. Whole numbers from 2^60 on can become equal.
  case numberOrder = "number-order"
  /// A date becomes a made-up one; of text, in the form of the rule, or of ISO 8601: `2019-03-04T05:06:07Z`.
  case date
  /// A date becomes a made-up one. The dates of a record that have this rule keep their order.
  case dateOrder = "date-order"
  /// A date moves by whole days, with all other dates of the user who created the record.
  case shift
  /// A location becomes that of a city.
  case place
  /// A location moves with all other locations of the user who created the record.
  case move
  /// Bytes and assets become a constant of their kind.
  case content
  /// Different contents become different contents of their kind.
  case contentConsistent = "content-consistent"
  /// Bytes and assets become a content of their kind and size.
  case contentSize = "content-size"
  /// Bytes become a keyed archive of a made-up object of the class that the rule names.
  case archive

  /// The rules for values of a type, the default first.
  public static func rules(for type: ValueType) -> [AnonymisationRule] {
    switch type.elementType ?? type {
    case .string:
      [
        .text, .redact, .textConsistent, .textLength, .textShape, .textScript, .name,
        .nameConsistent, .email, .emailConsistent, .phone, .url, .urlConsistent, .identifier, .uuid,
        .colour, .version, .locale, .emoji, .base64, .json, .enumeration, .flag, .integer, .decimal,
        .date, .keep, .keepIf, .drop,
      ]
    case .int64, .double:
      [
        .number, .redact, .numberConsistent, .numberDigits, .numberOrder, .enumeration, .flag,
        .integer, .decimal, .round, .keep, .keepIf, .drop,
      ]
    case .timestamp: [.date, .redact, .dateOrder, .shift, .round, .keep, .keepIf, .drop]
    case .bytes:
      [
        .content, .redact, .contentConsistent, .contentSize, .json, .archive, .keep, .keepIf, .drop,
      ]
    case .asset: [.content, .drop]
    case .location: [.place, .redact, .move, .keep, .keepIf, .drop]
    case .reference: [.identifier, .drop]
    default: [.keep, .redact, .drop]
    }
  }

  /// The knowledge of an attacker without the key beyond the type of a value; nil for none, or, of
  /// consistent rules, for no more than how often the value occurs.
  public var price: String? {
    switch self {
    case .keep: "the value"
    case .keepIf: "a value that enough persons have"
    case .round: "the value within its step"
    case .json: "which of the keys a value has, and the kinds of their values"
    case .numberOrder: "the order of the numbers, and roughly how large they are"
    case .textLength: "the length, which identifies the value if there are few different ones"
    case .textShape: "length, digits and punctuation: a phone number, token or name can be matched"
    case .textScript: "the script, which can be that of few persons"
    case .numberDigits: "sign and magnitude"
    case .dateOrder: "the order of the record's dates, which tells records with many dates apart"
    case .shift:
      "one known date of a user gives all dates of the user, and their distances are a fingerprint"
    case .move: "one known place of a user gives all places of the user"
    case .contentSize: "the size, which finds a file that is known"
    default: nil
    }
  }

  /// Whether values stay as they are, all or some, or nearly.
  var keepsValues: Bool { self == .keep || self == .keepIf || self == .round }

  /// Whether equal values get equal replacements.
  var isConsistent: Bool {
    switch self {
    case .textConsistent, .nameConsistent, .emailConsistent, .urlConsistent, .identifier,
      .numberConsistent, .contentConsistent:
      true
    default: false
    }
  }

  /// Whether a list keeps the number and the order of its elements. Otherwise its length would tell
  /// something of it.
  var keepsElements: Bool { isConsistent || price != nil }

  /// The rule of a type whose fields no other rule names, where the policy's default is to redact.
  static func cover(_ type: ValueType) -> AnonymisationRule {
    switch type.elementType ?? type {
    case .asset: .content
    case .reference: .identifier
    default: .redact
    }
  }
}
