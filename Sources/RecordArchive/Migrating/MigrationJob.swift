import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// What all parts of one migration have in common.
struct MigrationJob: Sendable {
  let bundle: BundleReader
  /// What messages call the source.
  let name: String
  let migrator: Migrator
  let filter: RecordFilter
  let threads: Int
  /// Called in work that has no progress of its own; throws where the work is to be called off.
  let pulse: @Sendable () throws -> Void
  var isDryRun = false
  var environment = MigrationEnvironment()
  let makesAssets: Bool
  let changesIdentity: Bool
  /// Whether it is to be known which assets results refer to.
  var collectsAssets = false
  /// The records that were left behind by then; bundles that are migrated together share it.
  var leftBehind = LeftBehind()
  /// Room for the results of a frame, which the next frame can have afterwards: memory that is got
  /// from the system anew must be cleared first.
  let buffers: ResourcePool<ByteBuffer>
  /// Whether a container is to know when records were modified, and their change tags.
  var needsStamps = true

  /// In the second pass of a dry run: the names and zones that records have got newly.
  var arrivals: Set<SideStore.ArrivalKey> = []

  /// - Parameter name: what messages call the source; nil is the name of the bundle's file.
  init(
    _ bundle: BundleReader, named name: String? = nil, _ migrator: Migrator, _ archiver: Archiver
  ) {
    self.bundle = bundle
    self.name = name ?? bundle.fileNames.first ?? "the source"
    self.migrator = migrator
    filter = archiver.filter
    threads = archiver.threads
    pulse = { try archiver.pulse() }
    buffers = ResourcePool(keeping: archiver.threads + 1) { ByteBuffer() }
    makesAssets = migrator.makesAssets
    changesIdentity = migrator.stages.contains(where: \.changesIdentity)
  }

  /// The record sections that pass the filter, in the order of the bundle.
  var sections: [SectionKey] {
    bundle.sections.compactMap(SectionKey.init).filter {
      filter.contains(database: $0.database, zoneID: $0.zoneID, recordType: $0.recordType)
    }
  }

  /// What the container says about itself afterwards.
  var info: ContainerInfo { migrator.migrated(bundle.container) }

  /// Migrates records on several threads, and hands the frames over in order.
  func run(
    _ sections: Set<SectionKey>?, _ consume: (MigratedFrame) throws -> Void
  ) throws {
    if sections?.isEmpty == true { return }
    try bundle.mapFrames(
      where: sections.map { wanted in { SectionKey($0).map(wanted.contains) ?? false } },
      threads: threads, transform: { try MigratedFrame($0, self, only: sections) },
      consume: { frame in
        leftBehind.note(frame.leftBehind)
        try consume(frame)
      })
  }

  /// How many references of results lead to records that were left behind. Where there are any, it
  /// takes another pass over the records: who is left behind is known at the end only.
  func danglingReferences() throws -> Int {
    guard !leftBehind.map.isEmpty else { return 0 }
    var counting = self
    counting.environment.leftBehind = leftBehind.map
    counting.isDryRun = true
    var count = 0
    try bundle.mapFrames(
      where: { SectionKey($0) != nil }, threads: threads,
      transform: { [counting] in try MigratedFrame($0, counting, only: nil).report },
      consume: {
        count += $0.danglingReferences
        try pulse()
      })
    return count
  }

  /// Two records that would get one name, found in a dry run: a second pass looks for those that keep
  /// the names which others get.
  ///
  /// - Parameter arrivals: the names and zones that records get newly.
  func findCollisions(_ arrivals: Set<SideStore.ArrivalKey>, _ report: inout MigrationReport) throws
  {
    guard !arrivals.isEmpty else { return }
    let zones = Set(arrivals.map { SectionKey($0.database, $0.recordID.zoneID, "") })
    var second = self
    second.arrivals = arrivals
    let sections = self.sections.filter { zones.contains(SectionKey($0.database, $0.zoneID, "")) }
    try second.run(Set(sections)) { frame in
      try pulse()
      for key in frame.taken {
        report.collisions.add(
          "\(MigrationError.collision(key.recordID, "a record that stays", "one that comes"))")
      }
    }
  }

  /// The most bytes that the records of a frame may become.
  func mostBytes(ofFrame size: Int) -> Int { (256 << 20) + 16 * size }

  func tooLarge(_ size: Int) -> MigrationError {
    .invalid(
      "\(name): records of \(size) bytes would become more than \(mostBytes(ofFrame: size)). The "
        + "steps make values far larger than those they read. Nothing was written")
  }

  /// Finds out the new names and zones of records, where they change; see ``findIdentities(_:)``.
  mutating func findIdentities() throws {
    var jobs = [self]
    try Self.findIdentities(&jobs)
    self = jobs[0]
  }

  /// Refuses a source that does not have the schema the migration begins with.
  func checkSource() throws {
    guard let first = migrator.migrations.first else { return }
    let version = first.from
    if let stated = bundle.container.schemaVersion, !Self.isSame(stated, version) {
      throw MigrationError.source(
        "\(name) has the schema version '\(stated)', and the migration begins with '\(version)'")
    }
    guard let expected = first.fromSchema else { return }
    if let text = bundle.container.schema {
      let document = SchemaDocument(parsing: text, name: "the schema in \(name)")
      let differences = SchemaDiff(from: expected, to: try document.validSchema()).changes
        .compactMap(\.dataChange)
      guard differences.isEmpty else {
        let rest = differences.count > 10 ? "; and \(differences.count - 10) more" : ""
        throw MigrationError.source(
          "\(name) does not have the schema of version '\(version)': "
            + differences.prefix(10).joined(separator: "; ") + rest)
      }
    }
    let known = Set(expected.recordTypes.map(\.name) + [SchemaNames.usersType])
    for section in sections where !known.contains(section.recordType) {
      if section.recordType.hasPrefix(SchemaNames.managedPrefix) { continue }
      throw MigrationError.source(
        "\(name) has records of type '\(section.recordType)', which the schema of version "
          + "'\(version)' does not have; it has \(known.sorted().joined(separator: ", "))")
    }
  }

  static func isSame(_ a: String, _ b: String) -> Bool {
    a == b || "v" + a == b || a == "v" + b
  }
}

/// Collects the records that are left behind, in the thread that frames are handed over in.
///
/// Takes about sixty bytes for each.
final class LeftBehind: @unchecked Sendable {
  private(set) var map = IdentityMap()

  func note(_ records: [(database: DatabaseScope, recordID: RecordID)]) {
    for (database, recordID) in records { map.note(recordID, in: database) }
  }
}

extension Migrator {
  /// What a container says about itself after the migration.
  func migrated(_ info: ContainerInfo) -> ContainerInfo {
    var info = info
    guard let last = migrations.last else { return info }
    info.schemaVersion = last.to
    info.schema = last.toSchema.map { SchemaPrinter().print($0) }
    return info
  }
}

extension SchemaChange {
  /// What a change means for records, in words; nil where it means nothing for them.
  fileprivate var dataChange: String? {
    switch self {
    case .recordTypeAdded(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is unknown"
    case .recordTypeRemoved(let type):
      type.name.hasPrefix(SchemaNames.managedPrefix) ? nil : "record type '\(type.name)' is missing"
    case .fieldAdded(let type, let field): "field '\(type).\(field.name)' is unknown"
    case .fieldRemoved(let type, let field): "field '\(type).\(field.name)' is missing"
    case .fieldTypeChanged(let type, let field, let from, let to):
      "field '\(type).\(field)' is \(to) instead of \(from)"
    case .roleAdded, .roleRemoved, .optionsChanged, .grantChanged: nil
    }
  }
}
