import Foundation
import RecordArchive
import RecordMigration
import RecordModel

extension MigrationChoice {
  /// The migrations of sources of several schema versions into one container, by the shortest
  /// chain; nil for sources that already have the target version.
  ///
  /// - Parameter container: The info of the container; nil for a new one. Its version is the
  ///   target, if it has one and `--migrate-to` is not given.
  func migrators(
    for sources: [ArchiveSource], into container: ContainerInfo?, named target: String
  ) throws -> [Migrator?] {
    guard let folder = try folder() else {
      return try migrators(for: sources, plans: plans(), container, target)
    }
    let directory = try MigrationDirectory(path: folder)
    let wanted = try to ?? container?.schemaVersion ?? directory.newestVersion()
    let goal = try directory.version(named: wanted)
    try refuseMixture(container, target, goal)
    let ways = try sources.map { source in
      guard let version = try source.info().schemaVersion else {
        throw CommandError(
          "'\(source.name)' does not name its schema version: migrate it to '\(goal)' with "
            + "'recordpack migrate --from VERSION', then import the result")
      }
      return try directory.chain(from: version, to: goal)
    }
    Self.warn(of: directory, on: ways.flatMap { $0 })
    return try ways.map { $0.isEmpty ? nil : try Migrator($0) }
  }

  /// Plans run in order; a source starts at the plan from its version.
  private func migrators(
    for sources: [ArchiveSource], plans: [Migration], _ container: ContainerInfo?, _ target: String
  ) throws -> [Migrator?] {
    guard let last = plans.last else { throw CommandError("name a plan with --migrate") }
    try refuseMixture(container, target, last.to)
    return try sources.map { source in
      guard let version = try source.info().schemaVersion else { return try Migrator(plans) }
      if Migration.isSameVersion(version, last.to) { return nil }
      let start = plans.firstIndex { Migration.isSameVersion(version, $0.from) } ?? 0
      return try Migrator(Array(plans[start...]))
    }
  }

  /// Throws if the container has another schema version than the records.
  private func refuseMixture(_ container: ContainerInfo?, _ target: String, _ goal: String) throws {
    guard let version = container?.schemaVersion, !Migration.isSameVersion(version, goal)
    else { return }
    throw CommandError(
      "'\(target)' has the schema version '\(version)', but the records would have '\(goal)': "
        + "migrate the container first (recordpack migrate --in-place), or change --migrate-to")
  }
}
