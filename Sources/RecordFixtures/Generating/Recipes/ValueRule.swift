import RecordMigration
import RecordModel

/// What the values of a field are made of.
indirect enum ValueRule: Sendable, Hashable {
  /// What suits the name and the type of the field.
  case guess
  /// No value.
  case none
  /// Always the same value.
  case constant(RecordValue)
  /// One of several values, with weights.
  case choice([Choice])
  /// Whole numbers.
  case integer(CountRule)
  /// Numbers of a range, with so many decimal places.
  case decimal(ClosedRange<Double>, places: Int)
  /// The latitude or longitude of the record's place.
  case coordinate(Coordinate)
  /// Words of a language.
  case text(TextForm, CountRule)
  /// Text of a kind.
  case known(TextKind)
  /// Text with signs that stand for random characters.
  case pattern(String)
  /// Numbers that grow from record to record.
  case sequence(from: Int, step: Int)
  /// The number of the record among the children of its parent.
  case position
  /// A date of a range, in milliseconds since 1970.
  case date(ClosedRange<Int>)
  /// The record's creation date, moved by a range of milliseconds.
  case created(ClosedRange<Int>)
  /// The record's modification date.
  case modified
  /// Random bytes.
  case bytes(CountRule)
  /// A place in a box of degrees; nil for one near a city.
  case location(Box?)
  /// A reference to the ancestor of the type, if there is one, else to any record of it.
  case reference(String, ReferenceAction)
  /// A reference to any record of the type, also where an ancestor is of it.
  case anyReference(String, ReferenceAction)
  /// References to the ancestors, the nearest first.
  case ancestors(ReferenceAction)
  /// A file.
  case asset(AssetRule)
  /// What an expression of migration plans gives for the record's other fields.
  case expression(RecordExpression)

  /// A value and its weight.
  struct Choice: Sendable, Hashable {
    var value: RecordValue
    var weight: Double
  }

  enum Coordinate: String, Sendable, Hashable, CaseIterable {
    case latitude, longitude
  }

  /// Ranges of latitudes and longitudes, in degrees.
  struct Box: Sendable, Hashable {
    var latitude: ClosedRange<Double>
    var longitude: ClosedRange<Double>
  }

  /// The action of a reference.
  enum ReferenceAction: String, Sendable, Hashable, CaseIterable {
    case none
    case deleteSelf = "delete-self"
    case validate

    /// The action in canonical JSON.
    var literal: String {
      switch self {
      case .none: "NONE"
      case .deleteSelf: "DELETE_SELF"
      case .validate: "VALIDATE"
      }
    }
  }
}

/// What the length of text counts.
enum TextForm: String, Sendable, Hashable, CaseIterable {
  case words, sentences, characters
}

/// A kind of text that is more than words.
enum TextKind: String, Sendable, Hashable, CaseIterable {
  case name
  case givenName = "given-name"
  case familyName = "family-name"
  case username, email, phone, url, company, city, country, street, postcode, emoji, color, uuid
  case hex, language, currency, filename
  case mimeType = "mime-type"
  case isoDate = "iso-date"
  case version
}

/// The kind of a made file.
enum AssetKind: String, Sendable, Hashable, CaseIterable {
  case png, jpeg, text, bytes
}

/// How the files of a field are made.
struct AssetRule: Sendable, Hashable {
  var kind: AssetKind
  /// The size in bytes.
  var size: CountRule
  /// How many different files there are in the field's records.
  var variants: Int

  static let defaultVariants = 16
  static let maxVariants = 10_000
}
