import ArgumentParser
import RecordArchive
import RecordMigration
import RecordModel
import RecordText
import Synchronization

/// The option for a condition.
struct ConditionOptions: ParsableArguments {
  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp(
      "Only records that meet this condition, a predicate of CloudKit with additions: \"number > 3 "
        + "AND has text\".", valueName: "condition"))
  var text: String?

  init() {}

  func validate() throws { _ = try condition }

  /// The condition, parsed.
  var condition: RecordCondition? {
    get throws {
      do {
        return try text.map { text throws(QueryPredicateError) in try RecordCondition(text) }
      } catch {
        throw ValidationError("--where, column \(error.column): \(error.message)")
      }
    }
  }

  var given: [(name: String, isGiven: Bool)] { [("--where", text != nil)] }

  /// Returns the condition for the records of sources; nil if there is none.
  ///
  /// - Throws: `CommandError` for a field that no record of the sources has, or a comparison that no
  ///   value of its field meets.
  func check(in sources: [ArchiveSource], _ filter: RecordFilter) throws -> ConditionCheck? {
    try condition.map { try ConditionCheck($0, in: sources, filter) }
  }
}

/// Checks the records of one or several sources against a condition, and counts those for which it has
/// no value.
final class ConditionCheck: Sendable {
  private let tests: [@Sendable (ResultRecord, DatabaseScope) throws -> Bool]
  private let failures = Mutex(ConditionFailures())

  init(
    _ condition: RecordCondition, in sources: [ArchiveSource], _ filter: RecordFilter
  ) throws {
    let sources = try sources.map { ($0, try ObjectView(of: $0, filter)) }
    try QueryFieldCheck.check(NamedField.fields(of: condition), condition, in: sources, filter)
    tests = try sources.map { source, view in
      let match = ConditionMatch(
        condition, userRecordName: try source.info().currentUserRecordName, readsEncrypted: true)
      return { try match.matches(view.shown($0, $1), in: $1) }
    }
  }

  /// The condition for the records of a source.
  subscript(source: Int) -> ArchiveCondition {
    { [self] record, database in
      do {
        return try tests[source](record, database)
      } catch let failure as MigrationError {
        failures.withLock { $0.add(failure, record, database) }
        return false
      }
    }
  }

  /// Reports the records for which the condition has no value.
  ///
  /// - Throws: `ExitCode.findings` if there were any.
  func finish() throws {
    try failures.withLock {
      $0.report()
      if $0.count > 0 { throw ExitCode.findings }
    }
  }
}

/// The records for which a condition has no value: the first ten messages, and their number.
struct ConditionFailures {
  private(set) var count = 0
  private var messages: [String] = []

  mutating func add(
    _ failure: MigrationError, _ record: ResultRecord, _ database: DatabaseScope
  ) {
    count += 1
    guard messages.count < 10 else { return }
    let identity = RecordLocation(database, record).text(record.recordType)
    messages.append("--where, column \(failure.column ?? 1): \(failure.message), in \(identity)")
  }

  func report() {
    guard count > 0 else { return }
    for message in messages { ErrorReport.warn(message) }
    ErrorReport.report(
      CommandError(
        "\(Numbers.count(count, "record")) left out, because the condition has no value for "
          + "\(count == 1 ? "it" : "them")"), .findings)
  }
}
