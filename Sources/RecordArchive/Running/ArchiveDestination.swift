import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
import RecordPlatform
import RecordStore

/// Where a run writes records.
public enum ArchiveDestination {
  /// A new bundle at a path; `-` is standard output. The file appears when it is complete.
  case bundle(path: String, overwrite: Bool = true)
  /// One response in a new file at a path; `-` is standard output. It contains one database, and no
  /// bytes of assets.
  case response(ResponseDialect, path: String, overwrite: Bool = true)
  /// One response, which the function receives in pieces.
  case responseText(ResponseDialect, (Data) throws -> Void)
  /// A new container at a path, where no file may exist. Faster than an existing container.
  case newContainer(path: String)
  /// An existing container, in one transaction.
  case container(any StoredContainer)
}

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
