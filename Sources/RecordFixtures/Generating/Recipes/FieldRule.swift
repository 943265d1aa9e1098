import Foundation
import RecordCoding
import RecordMigration
import RecordModel

/// How the values of a field are made.
struct FieldRule: Sendable, Hashable {
  var value = ValueRule.guess
  /// The part of the records without a value, from 0 to 1.
  var nullRate = 0.0
  /// The length of a list; nil for the usual one.
  var length: CountRule?
  /// Whether no two records of the type have the same value.
  var isUnique = false
  /// The language of words; nil for that of the recipe.
  var locale: WordLocale?
  /// Where the recipe says it; nil for a rule that no file has.
  var location: PlanLocation?
  /// The locations of the rule's members, by their names.
  var locations: [String: PlanLocation] = [:]

  func location(of member: String) -> PlanLocation? { locations[member] ?? location }

  /// The rule as recipes have it.
  var yaml: String {
    var members = value.members
    if let length { members.append(("list", length.yaml)) }
    if nullRate > 0 { members.append(("null-rate", CountRule.text(nullRate))) }
    if isUnique { members.append(("unique", "true")) }
    if let locale { members.append(("locale", locale.rawValue)) }
    // One word is enough where there is nothing else to say.
    if members.count == 1, members[0].0 == "kind" { return members[0].1 }
    return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
  }
}

/// How the records of a type are made.
struct TypeRule: Sendable, Hashable {
  /// Where records are that have no parent.
  enum Home: Sendable, Hashable {
    /// In a zone of private databases.
    case zone(String)
    /// In the public database.
    case publicDatabase
    /// In the zone of a record of another type, its parent.
    case parent(String)
  }

  var name: String
  var home: Home
  /// The number of records in a zone, or of a parent.
  var count: CountRule
  var names = NameForm.sequence
  /// Whether the records have a parent in the sharing hierarchy, where the zone allows it.
  var isHierarchy = true
  /// The part of the records that are shared, from 0 to 1.
  var sharedRate = 0.0
  /// The time between the creation of a parent and that of its children; for others the time after
  /// the reference date. In milliseconds.
  var creation: ClosedRange<Int>
  /// The part of the records that were changed after they were created, from 0 to 1.
  var modifiedRate = 0.25
  var fields: [String: FieldRule] = [:]
  var location: PlanLocation?
  var locations: [String: PlanLocation] = [:]

  var parent: String? {
    if case .parent(let name) = home { return name }
    return nil
  }

  /// How the records are named.
  enum NameForm: String, Sendable, Hashable, CaseIterable {
    /// `message-0001`
    case sequence
    /// UUIDs, as CloudKit makes them.
    case uuid
  }
}

/// The zones of a name in private databases.
struct ZoneRule: Sendable, Hashable {
  var name: String
  /// The number of users who have the zone, the signed-in user first.
  var owners = 1
  /// Whether the zone is shared as a whole with the other users.
  var isShared = false
  var location: PlanLocation?
  var locations: [String: PlanLocation] = [:]
}

/// The source of the values of a field.
indirect enum ValueRule: Sendable, Hashable {
  /// A value that suits the name and the type of the field.
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
  /// The result of an expression of migration plans for the record's other fields.
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

    fileprivate var members: [(String, String)] {
      self == .none ? [] : [("action", rawValue)]
    }
  }

  fileprivate var members: [(String, String)] {
    switch self {
    case .guess: [("kind", "guess")]
    case .none: [("kind", "none")]
    case .constant(let value): [("value", value.yaml)]
    case .choice(let choices):
      choices.allSatisfy { $0.weight == 1 }
        ? [("choice", "[" + choices.map(\.value.yaml).joined(separator: ", ") + "]")]
        : [
          (
            "choice",
            "{"
              + choices.map { "\($0.value.yaml): \(CountRule.text($0.weight))" }
              .joined(separator: ", ") + "}"
          )
        ]
    case .integer(.weights(let weights)): [("weights", CountRule.weights(weights).weightsYAML)]
    case .integer(let rule): [("range", rule.yaml)]
    case .decimal(let range, let places):
      [
        ("range", "\(CountRule.text(range.lowerBound))..\(CountRule.text(range.upperBound))"),
        ("decimals", "\(places)"),
      ]
    case .coordinate(let coordinate): [("kind", coordinate.rawValue)]
    case .text(let form, let count): [(form.rawValue, count.yaml)]
    case .known(let kind): [("kind", kind.rawValue)]
    case .pattern(let pattern): [("pattern", PlanText.string(pattern))]
    case .sequence(let start, let step):
      [("sequence", "\(start)")] + (step == 1 ? [] : [("step", "\(step)")])
    case .position: [("kind", "position")]
    case .date(let range):
      [("date", "\(Self.date(range.lowerBound))..\(Self.date(range.upperBound))")]
    case .created(let range):
      range == 0...0 ? [("kind", "created")] : [("created", range.durationYAML)]
    case .modified: [("kind", "modified")]
    case .bytes(let count): [("bytes", count.yaml)]
    case .location(nil): [("location", "city")]
    case .location(let box?):
      [
        (
          "location",
          "{latitude: \(box.latitude.lowerBound)..\(box.latitude.upperBound), "
            + "longitude: \(box.longitude.lowerBound)..\(box.longitude.upperBound)}"
        )
      ]
    case .reference(let type, let action):
      [("reference", PlanText.quoted(type))] + action.members
    case .anyReference(let type, let action):
      [("reference", PlanText.quoted(type)), ("any", "true")] + action.members
    case .ancestors(let action):
      action == .none ? [("kind", "ancestors")] : [("ancestors", "true")] + action.members
    case .asset(let rule):
      [("asset", rule.kind.rawValue), ("size", rule.size.yaml)]
        + (rule.variants == AssetRule.defaultVariants ? [] : [("variants", "\(rule.variants)")])
    case .expression(let expression): [("expression", PlanText.string(expression.source))]
    }
  }

  private static func date(_ milliseconds: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return ISODate.text(of: date)?.text ?? "2025-01-01"
  }
}

/// The unit that the length of text counts.
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

extension RecordValue {
  /// A constant as recipes have it.
  fileprivate var yaml: String {
    switch self {
    case .int64(let number): "\(number)"
    case .double(let number): CanonicalNumber.text(of: number) ?? "0"
    case .string(let text): PlanText.string(text)
    default: "''"
    }
  }
}
