import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordPlatform

/// One pass of an anonymisation over a source.
final class AnonymisationRun: SourceTransform, @unchecked Sendable {
  // Unchecked: the report is set once, before the run that uses it returns.
  private let anonymiser: Anonymiser
  private(set) var report = AnonymisationReport()
  /// What rules name and the schema does not have.
  private let unknown: [AnonymisationPolicy.UnknownName]
  /// What rules name, to report what no record has.
  private let named: [(recordType: String, field: String?)]

  init(
    _ anonymiser: Anonymiser, unknown: [AnonymisationPolicy.UnknownName] = [],
    named: [(recordType: String, field: String?)] = []
  ) {
    self.anonymiser = anonymiser
    self.unknown = unknown
    self.named = named
  }

  func makeWorker(for info: ContainerInfo) -> any TransformWorker {
    var anonymiser = anonymiser
    anonymiser.currentUser = info.currentUserRecordName
    return AnonymisationWorker(anonymiser)
  }

  func replacement(
    forAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer
  ) -> AssetReplacement {
    let content = anonymiser.content(
      ofAsset: sha256, size: size,
      beginning: UnsafeRawBufferPointer(
        rebasing: beginning.prefix(CoverContent.beginningSize)))
    return AssetReplacement(sha256: content.sha256.description, size: size) { body in
      try content.forEachChunk(body)
    }
  }

  func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws {
    var report = AnonymisationReport()
    (report.assets, report.missingAssets) = (assets, missingAssets)
    var words = PersonalWords()
    var unnamed: Set<AnonymisationError.UnnamedField> = []
    for case let worker as AnonymisationWorker in workers {
      worker.tally.add(to: &report)
      words.add(worker.tally.personal)
      unnamed.formUnion(worker.tally.unnamed)
    }
    guard unnamed.isEmpty else {
      throw AnonymisationError.unnamed(
        unnamed.sorted {
          let order = compareUTF8($0.recordType, $1.recordType)
          return order != 0 ? order < 0 : compareUTF8($0.name, $1.name) < 0
        })
    }
    func isMet(_ recordType: String, _ field: String?) -> Bool {
      report.fields.keys.contains {
        $0.recordType == recordType && (field == nil || $0.field == field)
      }
    }
    for name in unknown where !isMet(name.recordType, name.field) { throw name.error }
    report.unmetRules = named.filter { !isMet($0.recordType, $0.field) }
      .map { type, field in field.map { "\(type).\($0)" } ?? type }
    words.forEachMatch { type, field, count in
      report.fields[.init(recordType: type, field: field), default: .init()].names = count
    }
    report.isNameSearchCut = words.isFull
    self.report = report
  }
}

/// Anonymises the items of a source on one thread.
final class AnonymisationWorker: TransformWorker {
  let tally: AnonymisationTally

  private var anonymiser: Anonymiser { tally.anonymiser }

  init(_ anonymiser: Anonymiser) { tally = AnonymisationTally(anonymiser) }

  var assets: [String: String] {
    get { tally.assets }
    set { tally.assets = newValue }
  }

  func info(_ info: ContainerInfo) throws -> ContainerInfo { try anonymiser.info(info, tally) }

  func zoneID(_ zoneID: ZoneID) -> ZoneID { tally.zones.pseudonym(of: zoneID) }

  func zone(_ zone: RecordZone) throws -> RecordZone { anonymiser.zone(zone, tally) }

  func subscription(_ subscription: CloudSubscription) throws -> CloudSubscription {
    try anonymiser.subscription(subscription, tally)
  }

  func tombstone(_ tombstone: DeletedRecord) throws -> DeletedRecord {
    anonymiser.tombstone(tombstone, tally)
  }

  func zoneTombstone(_ tombstone: DeletedZone) throws -> DeletedZone {
    anonymiser.zoneTombstone(tombstone, tally)
  }

  func inspect(_ line: UnsafeRawBufferPointer) {
    if EmailAddress.isIn(line) { tally.linesWithEmails += 1 }
  }

  func record(_ record: ResultRecord) throws -> ResultRecord { try tally.anonymise(record) }
}

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
