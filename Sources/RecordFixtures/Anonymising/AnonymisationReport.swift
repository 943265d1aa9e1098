import RecordModel

/// What an anonymisation changed, and what it found.
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

  /// What happened to the values of a field.
  public struct Field: Sendable, Hashable {
    /// The rules that were applied; several if values of several types were met.
    public var rules: Set<AnonymisationRule> = []
    /// The number of values that were replaced.
    public var replaced = 0
    /// The number of values that stayed.
    public var kept = 0
    /// The number of texts that do not have the form of the rule, such as an address without `@`,
    /// and were replaced as free text.
    public var misfits = 0
    /// The number of values that stayed and contain an email address.
    public var emails = 0
    /// The number of values that stayed and contain what looks like a phone number.
    public var phones = 0
    /// The number of different words in values that stayed that are also words of names in the
    /// source.
    public var names = 0

    /// Creates an empty count.
    public init() {}

    /// Whether something in there still looks personal.
    public var hasFindings: Bool { emails > 0 || phones > 0 || names > 0 }

    mutating func add(_ other: Self) {
      rules.formUnion(other.rules)
      replaced += other.replaced
      kept += other.kept
      misfits += other.misfits
      emails += other.emails
      phones += other.phones
      names += other.names
    }
  }

  /// The number of records.
  public var records = 0
  /// The number of assets whose bytes were replaced.
  public var assets = 0
  /// The number of assets whose bytes the source does not have.
  public var missingAssets = 0
  /// The fields.
  public var fields: [Key: Field] = [:]
  /// The number of values of types that this version does not know, which were left out.
  public var droppedFields = 0
  /// The number of members that this version does not know, which were left out.
  public var droppedMembers = 0
  /// The number of lines of the result that contain an email address with a real domain.
  public var linesWithEmails = 0
  /// The types and fields that rules name and neither a record nor the schema has, such as
  /// `Message.text`; of a source without a schema only, as they are an error with one.
  public var unmetRules: [String] = []
  /// Whether there were too many words to compare all with the names in the source.
  public var isNameSearchCut = false

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
