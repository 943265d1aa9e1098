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
    /// The number of values that stayed, at least in part.
    public var kept = 0
    /// The number of values that stayed and contain what looks personal, by its kind; of names, the number of
    /// different words.
    public var found: [PersonalKind: Int] = [:]
    /// Why the findings are no fault, as the policy says.
    public var accepted: String?
    /// The values that stayed and are numbers, and those of them that look personal.
    private var numbers: [PersonalKind: Int] = [:]
    private var numberCount = 0

    /// Creates an empty count.
    public init() {}

    /// Whether something in there still looks personal, and the policy does not accept it.
    public var hasFindings: Bool { accepted == nil && !found.isEmpty }

    /// Counts a value.
    mutating func note(isKept: Bool) {
      if isKept { kept += 1 } else { replaced += 1 }
    }

    /// Counts what was found in a value.
    mutating func note(_ kinds: Set<PersonalKind>, inNumber: Bool = false) {
      if inNumber { numberCount += 1 }
      for kind in kinds {
        if inNumber { numbers[kind, default: 0] += 1 } else { found[kind, default: 0] += 1 }
      }
    }

    /// Counts the numbers that look personal, if at least half the numbers of the field do.
    mutating func addNumbers() {
      for (kind, count) in numbers where 2 * count >= numberCount {
        found[kind, default: 0] += count
      }
      (numbers, numberCount) = ([:], 0)
    }

    mutating func add(_ other: Self) {
      rules.formUnion(other.rules)
      replaced += other.replaced
      kept += other.kept
      found.merge(other.found, uniquingKeysWith: +)
      accepted = accepted ?? other.accepted
      numbers.merge(other.numbers, uniquingKeysWith: +)
      numberCount += other.numberCount
    }
  }

  /// The number of records.
  public var records = 0
  /// The number of assets whose bytes were replaced.
  public var assets = 0
  /// The number of assets whose bytes the source does not have.
  public var missingAssets = 0
  /// The fields. Those of the empty record type are places outside records:
  /// ``AnonymisationPolicy/Place``.
  public var fields: [Key: Field] = [:]
  /// The number of values of types that this version does not know, which were left out.
  public var droppedFields = 0
  /// The number of references that were left out, because the policy drops the types of their records.
  public var droppedReferences = 0
  /// The number of lines of the result that contain an email address with a real domain.
  public var linesWithEmails = 0
  /// Whether there were too many words to compare all with the names in the source.
  public var isNameSearchCut = false
  /// The persons of the source, and those who stand alone by what remains.
  public var verdict = PersonVerdict()
  /// Whether missing assets are no fault, as the policy says.
  var acceptsMissingAssets = false

  /// Creates an empty report.
  public init() {}

  /// Whether something still looks personal, or is missing, and the policy does not accept it.
  public var hasFindings: Bool {
    hasUnknownEmails || missingAssets > 0 && !acceptsMissingAssets || !findings.isEmpty
  }

  /// Whether the result has email addresses that stand in no field with findings.
  public var hasUnknownEmails: Bool {
    linesWithEmails > 0 && fields.values.allSatisfy { $0.found[.email] == nil }
  }

  /// The fields whose values still look personal.
  public var findings: [(key: Key, field: Field)] {
    fields.filter { $0.value.hasFindings }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
