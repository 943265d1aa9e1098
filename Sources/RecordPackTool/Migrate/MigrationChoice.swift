import Foundation
import RecordArchive
import RecordMigration

/// Which migrations the command line means.
struct MigrationChoice {
  /// Files of plans, or one folder of plans and schemas.
  var paths: [String]
  /// The version to begin with; nil is the one the source names.
  var from: String?
  /// The version to end with; nil is the newest of a folder.
  var to: String?
  /// Whether plans are undone.
  var reverse = false

  func migrator(for source: ArchiveSource, named name: String) throws -> Migrator {
    guard let first = paths.first else { throw Failure("name a plan by --plan") }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: first, isDirectory: &isFolder), isFolder.boolValue {
      guard paths.count == 1 else {
        throw Failure("'\(first)' is a folder of plans; it is named alone")
      }
      return try chain(first, source, name)
    }
    guard from == nil, to == nil else {
      throw Failure("versions are named with a folder of plans; '\(first)' is a single plan")
    }
    let plans = try paths.map { try MigrationPlan(path: $0).migration }
    return try Migrator(reverse ? plans.reversed().map { try $0.reversed() } : plans)
  }

  private func chain(
    _ folder: String, _ source: ArchiveSource, _ name: String
  ) throws -> Migrator {
    let directory = try MigrationDirectory(path: folder)
    guard let start = try from ?? source.info().schemaVersion else {
      throw Failure(
        "'\(name)' does not say which schema version it has; --from names it, one of "
          + directory.versions.joined(separator: ", "))
    }
    guard let end = try to ?? (reverse ? nil : directory.newestVersion()) else {
      throw Failure(
        "--reverse needs the version to go back to: --to, one of "
          + directory.versions.joined(separator: ", "))
    }
    let way = try directory.chain(from: start, to: end, reverse: reverse)
    guard !way.isEmpty else {
      throw Failure("'\(name)' has the version '\(end)' already: there is nothing to migrate")
    }
    return try Migrator(way)
  }
}
