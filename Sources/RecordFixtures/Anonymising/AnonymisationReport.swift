import RecordModel

/// The changes of an anonymisation, and what is left to look at.
public struct AnonymisationReport: Sendable {
  /// A field of a record type.
  public struct Key: Sendable, Hashable, Comparable {
    /// The record type.
    @ExactText public var recordType: String
    /// The name of the field.
    @ExactText public var field: String

    /// Creates a key.
    public init(recordType: String, field: String) {
      self.recordType = recordType
      self.field = field
    }

    /// Orders by type and field.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      let order = compareUTF8(lhs.recordType, rhs.recordType)
      return order != 0 ? order < 0 : compareUTF8(lhs.field, rhs.field) < 0
    }
  }

  /// The counts of a field.
  public struct Field: Sendable, Hashable {
    /// The rules that were applied; several if values of several types were met.
    public var rules: Set<AnonymisationRule> = []
    /// The number of values that were replaced.
    public var replaced = 0
    /// The number of values that stayed.
    public var kept = 0
    /// The number of values that stayed and contain an email address.
    public var emails = 0
    /// The number of values that stayed and contain what looks like a phone number; of numbers, if
    /// most look so.
    public var phones = 0
    /// The number of values that stayed and contain what looks like the coordinates of a place.
    public var places = 0
    /// The number of values that stayed and contain what looks like a date, or a year of birth.
    public var dates = 0
    /// The number of different words in values that stayed that are also words of names in the
    /// source.
    public var names = 0
    /// The values that stayed and are numbers, and those of them that look personal.
    private var numbers = Numbers()

    private struct Numbers: Sendable, Hashable {
      var all = 0
      var phones = 0
      var places = 0
      var dates = 0
    }

    /// Creates an empty count.
    public init() {}

    /// Whether something in there still looks personal.
    public var hasFindings: Bool {
      emails > 0 || phones > 0 || places > 0 || dates > 0 || names > 0
    }

    /// Counts a value.
    mutating func note(_ rule: AnonymisationRule) {
      if rule == .keep { kept += 1 } else { replaced += 1 }
    }

    /// Counts what was found in a value.
    mutating func note(_ kinds: PersonalKinds, inNumber: Bool = false) {
      guard !inNumber else {
        numbers.all += 1
        if kinds.contains(.phone) { numbers.phones += 1 }
        if kinds.contains(.place) { numbers.places += 1 }
        if kinds.contains(.date) { numbers.dates += 1 }
        return
      }
      if kinds.contains(.email) { emails += 1 }
      if kinds.contains(.phone) { phones += 1 }
      if kinds.contains(.place) { places += 1 }
      if kinds.contains(.date) { dates += 1 }
    }

    /// Counts the numbers that look personal, if at least half the numbers of the field do.
    mutating func addNumbers() {
      if 2 * numbers.phones >= numbers.all { phones += numbers.phones }
      if 2 * numbers.places >= numbers.all { places += numbers.places }
      if 2 * numbers.dates >= numbers.all { dates += numbers.dates }
      numbers = Numbers()
    }

    mutating func add(_ other: Self) {
      rules.formUnion(other.rules)
      replaced += other.replaced
      kept += other.kept
      emails += other.emails
      phones += other.phones
      places += other.places
      dates += other.dates
      names += other.names
      numbers.all += other.numbers.all
      numbers.phones += other.numbers.phones
      numbers.places += other.numbers.places
      numbers.dates += other.numbers.dates
    }
  }

  /// The number of records.
  public var records = 0
  /// The number of assets whose bytes were replaced.
  public var assets = 0
  /// The number of assets whose bytes the source does not have.
  public var missingAssets = 0
  /// The fields. Those of the empty record type are texts outside records: the schema, the container
  /// identifier, the names that the policy keeps.
  public var fields: [Key: Field] = [:]
  /// The number of values of types that this version does not know, which were left out.
  public var droppedFields = 0
  /// The number of lines of the result that contain an email address with a real domain.
  public var linesWithEmails = 0
  /// The types and fields that rules name and neither a record nor the schema has, such as
  /// `Message.text`; of a source without a schema, or of the type `*`. Others are an error.
  public var unmetRules: [String] = []
  /// Whether there were too many words to compare all with the names in the source.
  public var isNameSearchCut = false
  /// The kept fields, the pairs of kept fields of a type and all kept fields of a type together, with
  /// the numbers of their rare values.
  public var keptValues: [KeptValues] = []
  /// The number of records and users whose direct references alone tell them from all others: by the
  /// types and fields by which they refer to records, and by which records refer to them.
  public var uniqueByReferences = 0
  /// Whether there were too many values, fields or records to count all.
  public var isCountCut = false

  /// The largest number of rare values of a field, a pair or all kept fields of a type.
  public var mostRareValues: Int { keptValues.map(\.rare).max() ?? 0 }

  /// Creates an empty report.
  public init() {}

  /// Whether something still looks personal, or is missing.
  public var hasFindings: Bool {
    linesWithEmails > 0 || missingAssets > 0 || fields.values.contains(where: \.hasFindings)
  }

  /// The fields whose values still look personal.
  public var findings: [(key: Key, field: Field)] {
    fields.filter { $0.value.hasFindings }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// A kept field, two kept fields of one record or all of its kept fields, and the number of their rare
/// values.
///
/// Somebody who knows what a person's record says finds the record, if few others say the same.
public struct KeptValues: Sendable, Hashable {
  /// The record type.
  public var recordType: String
  /// The name of the field, or the names of all of them.
  public var fields: [String]
  /// The number of different values.
  public var distinct: Int
  /// The number of values that fewer records have than ``Anonymisation/smallestGroup``.
  public var rare: Int

  /// The order of a report: by type, fields before pairs.
  func precedes(_ other: KeptValues) -> Bool {
    let order = compareUTF8(recordType, other.recordType)
    if order != 0 { return order < 0 }
    if fields.count != other.fields.count { return fields.count < other.fields.count }
    return fields.lexicographicallyPrecedes(other.fields) { compareUTF8($0, $1) < 0 }
  }
}
