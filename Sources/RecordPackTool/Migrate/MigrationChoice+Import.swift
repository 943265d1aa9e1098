import Foundation
import RecordBundle
import RecordMigration
import RecordModel

extension MigrationChoice {
  /// What carries bundles of several schema versions into one container: the shortest way for each,
  /// and nil for those that have the version already.
  ///
  /// - Parameter container: what the container says of itself; nil for a new one. Records come in
  ///   its version, where it names one and no other is asked for.
  func migrators(
    for bundles: [BundleReader], into container: ContainerInfo?, named target: String
  ) throws -> [Migrator?] {
    guard let folder = try folder() else {
      return try migrators(for: bundles, plans: plans(), container, target)
    }
    let directory = try MigrationDirectory(path: folder)
    let wanted = try to ?? container?.schemaVersion ?? directory.newestVersion()
    let goal = try directory.version(named: wanted)
    try refuseMixture(container, target, goal)
    let ways = try bundles.map { bundle in
      guard let version = bundle.container.schemaVersion else {
        throw Failure(
          "'\(bundle.fileNames[0])' does not say which schema version it has: bring it to '\(goal)' "
            + "by 'recordpack migrate --from VERSION', then import what comes out")
      }
      return try directory.chain(from: version, to: goal)
    }
    Self.warn(of: directory, on: ways.flatMap { $0 })
    return try ways.map { $0.isEmpty ? nil : try Migrator($0) }
  }

  /// Single plans run one after the other; a bundle enters where it belongs.
  private func migrators(
    for bundles: [BundleReader], plans: [Migration], _ container: ContainerInfo?, _ target: String
  ) throws -> [Migrator?] {
    guard let last = plans.last else { throw Failure("name a plan by --migrate") }
    try refuseMixture(container, target, last.to)
    return try bundles.map { bundle in
      guard let version = bundle.container.schemaVersion else { return try Migrator(plans) }
      if Migration.isSameVersion(version, last.to) { return nil }
      let start = plans.firstIndex { Migration.isSameVersion(version, $0.from) } ?? 0
      return try Migrator(Array(plans[start...]))
    }
  }

  /// A container has one schema version; records of another do not belong there.
  private func refuseMixture(_ container: ContainerInfo?, _ target: String, _ goal: String) throws {
    guard let version = container?.schemaVersion, !Migration.isSameVersion(version, goal)
    else { return }
    throw Failure(
      "'\(target)' has the schema version '\(version)', and the records would come in '\(goal)': "
        + "migrate the container first (recordpack migrate --in-place), or take another --migrate-to"
    )
  }
}
