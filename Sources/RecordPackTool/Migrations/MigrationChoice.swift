import Foundation
import RecordArchive
import RecordMigration
import RecordModel
import RecordPlatform
import RecordSchema
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
    let version = try source.info().schemaVersion
    let ways = try ways()
    guard let directory = ways.directory else {
      return try Migrator(ways.way(from: version, startsAnywhere: false))
    }
    guard let start = from ?? version else {
      throw CommandError(
        "'\(name)' does not name its schema version; use --from-version with one of "
          + directory.versions.joined(separator: ", "))
    }
    guard to != nil || !reverse else {
      throw CommandError(
        "--reverse requires --to-version with one of " + directory.versions.joined(separator: ", "))
    }
    return try Migrator(ways.way(from: start))
  }

  /// The migrations of sources of several schema versions into one container, by the shortest
  /// chain; nil for sources that already have the target version.
  ///
  /// - Parameter container: The info of the container; nil for a new one. Its version is the
  ///   target, if it has one and `--to-version` is not given.
  func migrators(
    for sources: [ArchiveSource], into container: ContainerInfo?, named target: String
  ) throws -> [Migrator?] {
    var choice = self
    let isFolder = try folder() != nil
    if isFolder, to == nil { choice.to = container?.schemaVersion }
    let ways = try choice.ways()
    if let version = container?.schemaVersion, !Migration.isSameVersion(version, ways.goal) {
      throw CommandError(
        "'\(target)' has the schema version '\(version)', but the records would have "
          + "'\(ways.goal)': migrate the container first "
          + "('\(command(migrating: target, to: isFolder ? ways.goal : nil))'), or change --to-version"
      )
    }
    return try sources.map { source in
      let version = try source.info().schemaVersion
      guard version != nil || !isFolder else {
        let migrate = words(migrating: source.name, to: ways.goal)
        throw CommandError(
          "'\(source.name)' does not name its schema version: migrate it to '\(ways.goal)' with "
            + "'\(migrate) --from-version VERSION -o migrated.recordpack', then import the result")
      }
      if let version, let own = container?.schemaVersion, ways.isNewer(version, than: own) {
        throw CommandError(
          "'\(source.name)' has the newer schema version '\(version)', and '\(target)' has '\(own)': "
            + "migrate the container first ('\(command(migrating: target, to: version))'), then import"
        )
      }
      let way = try ways.way(from: version)
      return way.isEmpty ? nil : try Migrator(way)
    }
  }

  /// The beginning of the command that migrates a file by the same plans.
  private func words(migrating path: String, to version: String?) -> String {
    let plans = paths.map { " --plan \($0.shellWord)" }.joined()
    return "recordpack migrate \(path.shellWord)\(plans)"
      + (version.map { " --to-version \($0.shellWord)" } ?? "")
  }

  private func command(migrating container: String, to version: String?) -> String {
    words(migrating: container, to: version) + " --in-place"
  }

  /// The ways from versions to the target: through a folder of plans, or along plans.
  private struct Ways {
    /// Nil for plans.
    var directory: MigrationDirectory?
    var plans: [Migration] = []
    var goal: String
    var reverse: Bool

    /// Whether the plans of a folder lead to a version from an older one, and not back.
    func isNewer(_ version: String, than older: String) -> Bool {
      guard let directory, !reverse, !Migration.isSameVersion(version, older) else { return false }
      return (try? directory.chain(from: version, to: older)) == nil
        && (try? directory.chain(from: older, to: version)) != nil
    }

    /// The migrations from a version; none from the target.
    ///
    /// - Parameters:
    ///   - version: Nil for a source that does not name it: all plans run then.
    ///   - startsAnywhere: Whether the plans before that of the version are skipped.
    func way(from version: String?, startsAnywhere: Bool = true) throws -> [Migration] {
      if let directory, let version {
        let way = try directory.chain(from: version, to: goal, reverse: reverse)
        MigrationChoice.warn(
          of: directory.plans.filter { plan in
            let ends = [plan.migration.from, plan.migration.to]
            return way.contains { [$0.from, $0.to] == ends || [$0.to, $0.from] == ends }
          })
        return way
      }
      guard let version else { return plans }
      if Migration.isSameVersion(version, goal) { return [] }
      let start = plans.firstIndex { Migration.isSameVersion(version, $0.from) }
      return startsAnywhere ? Array(plans[(start ?? 0)...]) : plans
    }
  }

  private func ways() throws -> Ways {
    if let folder = try folder() {
      let directory = try MigrationDirectory(path: folder)
      let goal = try to.map(directory.version(named:)) ?? directory.newestVersion()
      return Ways(directory: directory, goal: goal, reverse: reverse)
    }
    guard from == nil, to == nil else {
      throw CommandError("a version requires a folder of plans; '\(paths[0])' is a single plan")
    }
    let plans = try paths.map { try MigrationPlan(path: $0) }
    Self.warn(of: plans)
    let migrations = plans.map(\.migration)
    let way = reverse ? try migrations.reversed().map { try $0.reversed() } : migrations
    return Ways(plans: way, goal: way.last?.to ?? "", reverse: reverse)
  }

  /// The folder of plans and schemas; nil if the paths are plans.
  private func folder() throws -> String? {
    guard let first = paths.first else { throw CommandError("name a plan with --plan") }
    guard Inputs.isDirectory(first) else { return nil }
    guard paths.count == 1 else {
      throw CommandError("'\(first)' is a folder of plans; it must be the only one named")
    }
    return first
  }

  /// The files that are read: plans and the schemas in their folders.
  var files: [String] {
    paths.flatMap { path -> [String] in
      let isFolder = Inputs.isDirectory(path)
      let folder = SplitPath(isFolder ? path + "/" : path)
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.openableDirectory)) ?? []
      let endings = isFolder ? [".ckdb", ".yml", ".yaml"] : [".ckdb"]
      let files = names.filter { name in endings.contains { name.hasSuffix($0) } }
        .map(folder.sibling)
      return isFolder ? files : [path] + files
    }
  }

  /// Warns of open questions in plans.
  private static func warn(of plans: [MigrationPlan]) {
    for plan in plans where plan.openQuestionCount > 0 {
      ErrorReport.warn(
        "'\(plan.file)' has \(Numbers.count(plan.openQuestionCount, "open question")): decide "
          + "each QUESTION in it, and delete the comment")
    }
  }
}
