import Foundation
import MockCloud
import RecordBundle
import RecordMigration
import RecordModel
import RecordPlatform

/// Imports sources in order, and migrates those that have a migration.
struct ImportRun {
  enum Target {
    case creating(String)
    /// An existing container.
    case container(MockContainer)
  }

  typealias Outcome = (imported: ImportReport, migrations: [MigrationReport?])

  private let archiver: Archiver
  private let parts: [(reader: ArchiveReader, job: MigrationJob?)]
  private var done = ArchiveProgress(records: 0, bytes: 0)

  private init(_ archiver: Archiver, _ parts: [(ArchiveReader, Migrator?)]) throws {
    self.archiver = archiver
    let leftBehind = LeftBehind()
    var jobs = try parts.compactMap { reader, migrator in
      try migrator.map { try MigrationJob(reader, $0, archiver, leftBehind: leftBehind) }
    }
    try MigrationJob.findIdentities(&jobs)
    var rest = jobs[...]
    self.parts = parts.map { ($0, $1 == nil ? nil : rest.popFirst()) }
    let bytes = parts.map { $0.0.lineBytes(of: LineSelection(nil, archiver.filter)) }
    done.totalBytes = bytes.contains(nil) ? nil : bytes.reduce(0) { $0 + ($1 ?? 0) }
    let records = try parts.map { try $0.0.recordCount(archiver.filter) }
    done.totalRecords = records.contains(nil) ? nil : records.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Imports all sources in one transaction.
  static func run(
    _ sources: [(source: ArchiveSource, migrator: Migrator?)], into target: Target,
    _ archiver: Archiver
  ) throws -> Outcome {
    try withReaders(of: sources[...], for: target) { parts in
      var run = try ImportRun(archiver, parts)
      var reports: [MigrationReport?] = []
      let imported: ImportReport
      switch target {
      case .creating(let path):
        guard let first = run.parts.first else {
          throw BundleError(.notFound, in: path, "no bundle was given")
        }
        // The info of the first source is the initial info of the container.
        let info = try first.job?.info ?? first.reader.info()
        imported = try archiver.build(path, info) { reports = try run.fill($0) }
      case .container(let container):
        imported = try archiver.transaction(into: container) { reports = try run.fill($0) }
      }
      return (imported, reports)
    }
  }

  /// Calls `body` with readers of the sources' state at the start of the import.
  private static func withReaders<R>(
    of sources: ArraySlice<(source: ArchiveSource, migrator: Migrator?)>, for target: Target,
    _ parts: [(ArchiveReader, Migrator?)] = [], _ body: ([(ArchiveReader, Migrator?)]) throws -> R
  ) throws -> R {
    guard let first = sources.first else { return try body(parts) }
    return try first.source.read { reader in
      var reader = reader
      if case (.container(let source), .container(let target)) = (first.source, target),
        source === target
      {
        try reader.load()
      }
      return try withReaders(
        of: sources.dropFirst(), for: target, parts + [(reader, first.migrator)], body)
    }
  }

  private mutating func fill(_ target: ContainerImport) throws -> [MigrationReport?] {
    var reports: [MigrationReport?] = []
    for (reader, job) in parts {
      let info = try job?.info ?? reader.info()
      try target.add(info)
      if let job {
        reports.append(try fill(target, migrating: job))
      } else {
        try copy(reader, into: target)
        reports.append(nil)
      }
      try target.validate(from: reader.name, info)
    }
    for (index, part) in parts.enumerated() {
      guard let job = part.job else { continue }
      reports[index]?.danglingReferences = try job.danglingReferences()
    }
    return reports
  }

  private mutating func copy(_ reader: ArchiveReader, into target: ContainerImport) throws {
    let counts = archiver.validation != nil
    let batches = ResourcePool(keeping: archiver.threads + 2) { PreparedBatch() }
    try reader.mapBatches(
      of: LineSelection(nil, archiver.filter), threads: archiver.threads,
      transform: { lines in
        let batch = try batches.take()
        try batch.fill(lines, counts: counts)
        return batch
      },
      consume: { (batch: PreparedBatch) in
        defer { batches.putBack(batch) }
        try target.add(batch)
        try note(batch.records.count, batch.size)
      })
  }

  private mutating func fill(
    _ target: ContainerImport, migrating job: MigrationJob
  ) throws -> MigrationReport {
    target.begin(job)
    var report = job.migrator.emptyReport()
    try job.run(LineSelection(nil, job.filter)) { batch in
      report.add(batch.report)
      try target.add(batch, of: job)
      try note(batch.report.records, batch.size)
    }
    return report
  }

  private mutating func note(_ records: Int, _ bytes: Int) throws {
    done.records += records
    done.bytes += bytes
    try archiver.report(done)
  }
}
