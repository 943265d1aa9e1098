import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel

extension ContainerImport {
  /// Adds what a frame has become.
  func add(_ frame: MigratedFrame, _ job: MigrationJob) throws {
    for item in frame.items {
      switch item {
      case .subscription(let subscription, let database):
        let migrated = job.migrator.migrate(subscription)
        count(migrated, database)
        try add(migrated, database)
      case .tombstone, .zoneTombstone: continue
      default: try add(item)
      }
    }
    for entry in frame.entries {
      try add(
        MigratedRow(
          section: frame.sections[entry.section], name: frame.bytes(entry.name),
          modified: entry.modified, changeTag: entry.changeTag,
          payload: frame.bytes(entry.dictionary), holdsAssets: entry.holdsAssets,
          isNewIdentity: entry.isNewIdentity))
    }
    // What has come is not deleted.
    for item in frame.items {
      switch item {
      case .tombstone(let tombstone, let database):
        try add(job.migrator.migrate(tombstone, in: database), database)
      case .zoneTombstone: try add(item)
      default: continue
      }
    }
    for asset in frame.newAssets { try add(newAsset: asset.sha256, asset.data) }
  }
}

/// A result on its way into a container.
struct MigratedRow {
  var section: SectionKey
  var name: UnsafeRawBufferPointer
  var modified: Date?
  var changeTag: String?
  var payload: UnsafeRawBufferPointer
  var holdsAssets: Bool
  /// Whether the record had another name or zone before.
  var isNewIdentity: Bool
}

extension Archiver {
  /// Fills a container with what a bundle becomes.
  func fill(_ target: ContainerImport, migrating job: MigrationJob) throws -> MigrationReport {
    try target.begin(job)
    var report = job.migrator.emptyReport()
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalRecords = filter == .all ? job.bundle.recordCount : nil
    done.totalBytes = job.bundle.indexes.reduce(0) { $0 + $1.bytes }
    try job.run(nil) { frame in
      report.add(frame.report)
      try target.add(frame, job)
      done.records += frame.report.records
      done.bytes += frame.size
      try self.report(done)
    }
    try target.end(job)
    return report
  }
}
