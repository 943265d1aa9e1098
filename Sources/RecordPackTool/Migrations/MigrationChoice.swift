import Foundation
import RecordArchive
import RecordMigration
import RecordPlatform
import RecordText

/// The migrations that the options select.
struct MigrationChoice {
  /// Plan files, or one folder of plans and schemas.
  var paths: [String]
  /// The source version; nil for the one that the source names.
  var from: String?
  /// The target version; nil for the newest in the folder.
  var to: String?
  /// Whether the plans are reversed.
  var reverse = false

  /// The migrator for a source; without migrations if the source already has the target version.
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

  /// The files that are read: plans and the schemas in their folders.
  var files: [String] {
    paths.flatMap { path -> [String] in
      var isDirectory: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      let isFolder = isThere && isDirectory.boolValue
      let folder = SplitPath(isFolder ? path + "/" : path)
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.openableDirectory)) ?? []
      let endings = isFolder ? [".ckdb", ".yml", ".yaml"] : [".ckdb"]
      let files = names.filter { name in endings.contains { name.hasSuffix($0) } }
        .map(folder.sibling)
      return isFolder ? files : [path] + files
    }
  }

  /// The folder of plans and schemas; nil if the paths are plans.
  func folder() throws -> String? {
    guard let first = paths.first else { throw CommandError("name a plan with --plan") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: first, isDirectory: &isFolder), isFolder.boolValue
    else { return nil }
    guard paths.count == 1 else {
      throw CommandError("'\(first)' is a folder of plans; it must be the only one named")
    }
    return first
  }

  /// The plans at the paths.
  func plans() throws -> [Migration] {
    guard from == nil, to == nil else {
      throw CommandError("a version requires a folder of plans; '\(paths[0])' is a single plan")
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
      throw CommandError(
        "'\(name)' does not name its schema version; use --from with one of "
          + directory.versions.joined(separator: ", "))
    }
    guard let end = try to ?? (reverse ? nil : directory.newestVersion()) else {
      throw CommandError(
        "--reverse requires --to with one of "
          + directory.versions.joined(separator: ", "))
    }
    let way = try directory.chain(from: start, to: end, reverse: reverse)
    Self.warn(of: directory, on: way)
    return way
  }

  /// Warns of open questions in the plans of a chain.
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
        "'\(plan.file)' has \(Numbers.count(plan.openQuestionCount, "open question")): decide "
          + "each QUESTION in it, and delete the comment")
    }
  }
}
