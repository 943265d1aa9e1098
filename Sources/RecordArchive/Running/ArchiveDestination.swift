import AppStores
import Foundation
import RecordBundle
import RecordCoding
import RecordMigration
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
  /// A new store of an app with Core Data or SwiftData at a path: a copy of the store `template`, which
  /// the app made, with the objects of the records in place of its own.
  ///
  /// The model, its hashes, the indexes and the history stay. The rows have no history: an app whose
  /// store is mirrored uploads them with its first export to CloudKit.
  case appStore(template: String, path: String, overwrite: Bool = true)
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
  /// The counts of the store of an app; zero for other destinations.
  public var store = FilledStore()
  /// The report of the migration of each source; nil for those that were not migrated.
  public var migrations: [MigrationReport?] = []
  /// The errors among the results of responses, and what could not be read in them.
  public var responseErrors: [String] = []
  /// The users, zones and subscriptions of a container that cannot be read. The bundle or response does
  /// not have them; of a damaged zone it has the identity and the records.
  public var damage: [String] = []
  /// The users of imported responses.
  package var users = ImportedUsers()
}
