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

  /// What carries a source on; without migrations where it has the version already.
  func migrator(for source: ArchiveSource, named name: String) throws -> Migrator {
    if let folder = try folder() { return try Migrator(chain(folder, source, name)) }
    let plans = try plans()
    let way = reverse ? try plans.reversed().map { try $0.reversed() } : plans
    if let version = try source.info().schemaVersion, let last = way.last,
      Migration.isSameVersion(version, last.to)
    {
      return try Migrator([])
    }
    return try Migrator(way)
  }

  /// The files that are read: plans, and the schemas in their folders.
  var files: [String] {
    paths.flatMap { path -> [String] in
      var isDirectory: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      let isFolder = isThere && isDirectory.boolValue
      let folder = isFolder ? path : (path as NSString).deletingLastPathComponent
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
      let endings = isFolder ? [".ckdb", ".yml", ".yaml"] : [".ckdb"]
      let files = names.filter { name in endings.contains { name.hasSuffix($0) } }
        .map { (folder as NSString).appendingPathComponent($0) }
      return isFolder ? files : [path] + files
    }
  }

  /// The folder of plans and schemas; nil where plans are named one by one.
  func folder() throws -> String? {
    guard let first = paths.first else { throw Failure("name a plan by --plan") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: first, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    guard paths.count == 1 else {
      throw Failure("'\(first)' is a folder of plans; it is named alone")
    }
    return first
  }

  /// The plans that are named one by one.
  func plans() throws -> [Migration] {
    guard from == nil, to == nil else {
      throw Failure("versions are named with a folder of plans; '\(paths[0])' is a single plan")
    }
    let plans = try paths.map { try MigrationPlan(path: $0) }
    Self.warn(of: plans)
    return plans.map(\.migration)
  }

  private func chain(
    _ folder: String, _ source: ArchiveSource, _ name: String
  ) throws -> [Migration] {
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
    Self.warn(of: directory, on: way)
    return way
  }

  /// Warns of the plans on the way that still contain open questions.
  static func warn(of directory: MigrationDirectory, on way: [Migration]) {
    warn(
      of: directory.plans.filter { plan in
        let ends = [plan.migration.from, plan.migration.to]
        return way.contains { [$0.from, $0.to] == ends || [$0.to, $0.from] == ends }
      })
  }

  private static func warn(of plans: [MigrationPlan]) {
    for plan in plans where plan.openQuestionCount > 0 {
      ErrorReport.warn(
        "'\(plan.file)' has \(Numbers.count(plan.openQuestionCount, "open question")): look for "
          + "QUESTION in it, decide, and delete the comment")
    }
  }
}
