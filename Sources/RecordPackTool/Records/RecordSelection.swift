import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema
import RecordText

/// The records that the options of `query` and `fixture extract` choose from a source.
///
/// Records are found by name in the index where all names are exact, and otherwise read in the order
/// of a bundle, one at a time.
final class RecordSelection {
  let source: ArchiveSource
  /// The source in messages.
  let path: String
  let filter: RecordFilter
  private let limit: Int?
  private let condition: ConditionMatch?
  /// How records are shown, and what conditions read: objects of Core Data, unless the user wants the
  /// records as they are.
  let view: ObjectView
  private let names: [Name]
  /// The zones with records of the selection.
  let zones: Set<ZoneLocation>
  /// The number of records without a limit, if it is known.
  private(set) var total: Int?
  /// Whether ``total`` is wanted, and worth the time to read few records beyond the limit.
  var wantsTotal = false
  /// Shows how many records were read, except those that are found by name. It is removed at the end.
  var bar: ProgressBar?
  private var progress: ((ArchiveProgress) throws -> Void)? {
    bar.map { bar in { try bar.update($0) } }
  }
  /// The number of records to read, at most.
  private let size: Int
  /// The number of records above which reading ends at the limit: 0.1 s of reading.
  private static let maxCounted = 50_000
  private var failures = ConditionFailures()
  private var isComplete = true

  /// A name of a record, or a pattern for names.
  private struct Name: Sendable {
    let text: String
    /// Nil for an exact name.
    let pattern: NamePattern?

    func matches(_ name: String) -> Bool {
      pattern.map { $0.matches(name) } ?? text.sameScalars(as: name)
    }
  }

  private var found: [Bool]

  /// - Parameters:
  ///   - path: The source as the user named it.
  ///   - reading: The fields that other options name.
  init(
    _ selection: FilterOptions, _ options: MatchOptions, in source: ArchiveSource, path: String,
    reading: [NamedField] = []
  ) throws {
    (self.source, self.path) = (source, path)
    filter = try selection.filter(in: [source])
    let condition = try options.condition.condition
    let userRecordName = try source.info().currentUserRecordName
    self.condition = condition.map {
      ConditionMatch($0, userRecordName: userRecordName, readsEncrypted: true)
    }
    limit = options.limit
    view = try options.raw ? .raw : ObjectView(of: source, filter)
    names = try options.name.map { text in
      let pattern = NamePattern(text)
      // A record that is named like a pattern is taken literally, even if the filter excludes it: a
      // filter only takes away.
      let isExact = try !pattern.isPattern || !source.records(named: text).isEmpty
      return Name(text: text, pattern: isExact ? nil : pattern)
    }
    found = names.map { _ in false }
    let sections = try source.sections(filter)
    zones = Set(sections.map { ZoneLocation($0.database, $0.zoneID) })
    let isCounted = names.isEmpty && condition == nil && !filter.isByDate
    size = sections.reduce(0) { $0 + $1.records }
    total = isCounted ? size : nil
    try QueryFieldCheck.check(
      (condition.map(NamedField.fields(of:)) ?? []) + reading, condition, in: [(source, view)],
      filter)
  }

  /// Calls `body` with each chosen record.
  ///
  /// - Parameter isLimited: Whether to stop at `--limit`. A sort needs all records.
  func forEachRecord(
    isLimited: Bool = true, _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    var counter = counter(isLimited: isLimited)
    defer { finish(counter) }
    try StopReading.ends {
      try forEachNamed { judged in
        try Interruption.checkReading()
        let (record, database) = (judged.record, judged.database)
        isNamed(record.recordID.recordName)
        switch judged.verdict {
        case .chosen:
          guard counter.add() else { return }
          try body(record, database)
          try counter.check()
        // After a limit, further records are unknown.
        case .failed(let failure):
          if !counter.isReached { failures.add(failure, record, database) }
        case .leftOut: break
        }
      }
    }
  }

  /// Calls `body` with the identity of each chosen record. Fields are not read unless the condition
  /// needs them.
  func forEachID(_ body: (RecordID, String, DatabaseScope) throws -> Void) throws {
    guard condition == nil, !isByName else {
      return try forEachRecord { try body($0.recordID, $0.recordType, $1) }
    }
    var counter = counter(isLimited: true)
    defer { finish(counter) }
    try StopReading.ends {
      try source.forEachRecordID(filter, progress: progress) { recordID, type, database in
        guard isNamed(recordID.recordName), counter.add() else { return }
        try body(recordID, type, database)
        try counter.check()
      }
    }
  }

  /// Whether all records are chosen, up to the limit.
  var isAll: Bool { filter == .all && names.isEmpty && condition == nil }

  /// Returns the SHA-256 digests of the assets in all chosen records, regardless of the limit.
  func assetDigests() throws -> Set<String> {
    var digests: Set<String> = []
    try forEachRecord(isLimited: false) { record, _ in digests.formUnion(record.assetDigests) }
    return digests
  }

  /// The number of missing names for which all others are read to find what may be meant.
  private static let explainedCount = 3

  /// Reports names that no record has, and records for which the condition has no value.
  ///
  /// - Throws: `ExitCode.findings` if there were any.
  func finish() throws {
    failures.report()
    var missing = 0
    // After a limit, further records are unknown.
    for (index, name) in names.enumerated() where isComplete && !found[index] {
      missing += 1
      let failure: any Error
      if name.pattern != nil {
        failure = CommandError("no record in '\(path)' has a name like '\(name.text)'")
      } else if missing <= Self.explainedCount {
        failure = try MissingRecord.failure(name.text, in: source, path, filter)
      } else {
        failure = CommandError("there is no record '\(name.text)' in '\(path)'")
      }
      ErrorReport.report(failure, .findings)
    }
    if missing > 0 || failures.count > 0 { throw ExitCode.findings }
  }

  /// Whether all names are exact, so that the index finds the records.
  private var isByName: Bool { !names.isEmpty && names.allSatisfy { $0.pattern == nil } }

  /// Counts chosen records: up to the limit, where reading ends, or all.
  private struct Counter {
    let limit: Int
    let countsAll: Bool
    private(set) var count = 0

    init(limit: Int, countsAll: Bool) { (self.limit, self.countsAll) = (limit, countsAll) }

    /// Counts a record, and returns whether it is within the limit.
    mutating func add() -> Bool {
      count += 1
      return count <= limit
    }

    var isReached: Bool { count >= limit }

    /// Throws at the limit, unless all records are counted.
    func check() throws { if count == limit, !countsAll { throw StopReading() } }
  }

  private func counter(isLimited: Bool) -> Counter {
    guard isLimited, let limit else { return Counter(limit: .max, countsAll: false) }
    return Counter(
      limit: limit, countsAll: wantsTotal && total == nil && size <= Self.maxCounted)
  }

  private func finish(_ counter: Counter) {
    ProgressBar.clearLine()
    if counter.isReached { isComplete = false }
    if counter.countsAll { total = counter.count }
  }

  /// A record with one of the names, and the result of the conditions.
  private struct Judged: Sendable {
    enum Verdict: Sendable {
      case chosen
      /// The condition has no value.
      case failed(MigrationError)
      /// The record has one of the names, and does not meet the conditions.
      case leftOut
    }

    let record: ResultRecord
    let database: DatabaseScope
    let verdict: Verdict
  }

  /// Checks a record on any thread; nil for one that is as if it were not there.
  private var judge: @Sendable (ResultRecord, DatabaseScope) throws -> Judged? {
    { [condition, names, view] record, database in
      // A batch of records may take longer than a signal waits. Records that are extracted are written.
      try Interruption.check()
      guard names.isEmpty || names.contains(where: { $0.matches(record.recordID.recordName) })
      else { return nil }
      var verdict = Judged.Verdict.chosen
      do {
        if let condition, try !condition.matches(view.shown(record, database), in: database) {
          // A name is found whatever the conditions.
          if names.isEmpty { return nil }
          verdict = .leftOut
        }
      } catch let failure as MigrationError {
        verdict = .failed(failure)
      }
      return Judged(record: record, database: database, verdict: verdict)
    }
  }

  private func forEachNamed(_ body: (Judged) throws -> Void) throws {
    guard isByName else {
      return try source.forEachRecord(
        filter, transform: judge, progress: { [progress] in try progress?($0) }, body)
    }
    var records: [(database: DatabaseScope, record: ResultRecord)] = []
    let keys = Set(names.map { ExactString($0.text) }).sorted()
    try source.forEachName(keys.map(\.string), filter) { records += $1 }
    let sections = records.map { database, record in
      RecordSection(database, record.recordID.zoneID, record.recordType)
    }
    let sorted = records.indices.sorted {
      sections[$0].precedes(
        sections[$1], records[$0].record.recordID.recordName, records[$1].record.recordID.recordName
      )
    }
    for index in sorted {
      if let judged = try judge(records[index].record, records[index].database) {
        try body(judged)
      }
    }
  }

  /// Whether a record has one of the names, and remembers which.
  @discardableResult
  private func isNamed(_ name: String) -> Bool {
    if names.isEmpty { return true }
    var isNamed = false
    for index in names.indices where names[index].matches(name) {
      found[index] = true
      isNamed = true
    }
    return isNamed
  }
}

/// The message for a name that no record has.
enum MissingRecord {
  static func failure(
    _ name: String, in source: ArchiveSource, _ path: String, _ filter: RecordFilter
  ) throws -> CommandError {
    let message = "there is no record '\(name)' in '\(path)'"
    if filter != .all, let (database, record) = try source.records(named: name).first {
      return CommandError(
        message
          + " that the options select; there is one in zone '\(record.recordID.zoneID)' of the "
          + "\(database.rawValue) database")
    }
    var near = NearNames(name)
    try source.forEachRecordID(filter) { recordID, _, _ in near.add(recordID.recordName) }
    return CommandError(message + near.hint)
  }
}

/// The help of the option that shows records of Core Data as they are.
let rawHelp: ArgumentHelp =
  "Show and name Core Data's records as CloudKit stores them: CD_Note, CD_title."

/// The options of `query` and `fixture extract` that choose records, beside a selection.
struct MatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only records with this name; with * ? [a-z], all that match. May be given several times.",
      valueName: "name"))
  var name: [String] = []

  @OptionGroup var condition: ConditionOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("At most this many, and stop reading then.", valueName: "n"))
  var limit: Int?

  @Flag(help: rawHelp)
  var raw = false

  init() {}

  func validate() throws {
    try checkLimit(limit)
  }
}
