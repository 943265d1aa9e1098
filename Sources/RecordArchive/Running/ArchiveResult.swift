import RecordStore
import RecordBundle
import RecordMigration

/// The result of a run.
public struct ArchiveResult: Sendable {
  /// The counts of the import; zero if the destination is no container.
  public var imported = ImportReport()
  /// The summary of the bundle; empty for other destinations.
  public var bundle = BundleSummary()
  /// The summary of the response; empty for other destinations.
  public var response = ExportedResponse()
  /// The report of the migration of each source; nil for those that were not migrated.
  public var migrations: [MigrationReport?] = []
  /// The errors among the results of responses, and what could not be read in them.
  public var responseErrors: [String] = []
}
