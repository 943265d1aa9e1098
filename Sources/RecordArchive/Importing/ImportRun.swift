import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordStore

/// Imports sources in order, and migrates those that have a migration.
struct ImportRun {
  enum Target {
    case creating(String)
    /// A new container in memory.
    case new(NewContainer)
    /// An existing container.
    case container(ContainerStore)
  }

  /// A source, in its state at the start of the import.
  fileprivate enum Part {
    case records(ArchiveReader, SourceMigration?)
    /// Responses that are not migrated: they are imported as they come.
    case responses(ResponseSet)
  }

  private typealias Opened = (reader: ArchiveReader?, source: ArchiveRun.Source)

  private let archiver: Archiver
  private let validations: [Archiver.Validation]
  private let parts: [Part]
  /// The info of the imported content of each part.
  private let infos: [ContainerInfo]
  private var done = ArchiveProgress(records: 0, bytes: 0)

  private init(
    _ archiver: Archiver, _ opened: [Opened], _ validations: [Archiver.Validation]
  ) throws {
    self.archiver = archiver
    self.validations = validations
    for case (let reader?, _) in opened { try reader.checkMetadata() }
    let leftBehind = SkippedRecords()
    var jobs = try opened.compactMap { reader, source -> SourceMigration? in
      guard let reader, let migrator = source.migrator else { return nil }
      return try SourceMigration(reader, migrator, archiver, leftBehind: leftBehind)
    }
    try SourceMigration.findIdentities(&jobs)
    var rest = jobs[...]
    parts = opened.compactMap { reader, source in
      if let reader { return .records(reader, source.migrator.flatMap { _ in rest.popFirst() }) }
      guard case .responses(let responses) = source.source else { return nil }
      return .responses(responses)
    }
    infos = try parts.map { try $0.info() }
    let readers = opened.compactMap(\.reader)
    guard readers.count == opened.count else { return }
    let bytes = readers.map { $0.lineBytes(of: LineSelection(nil, archiver.filter)) }
    done.totalBytes = bytes.contains(nil) ? nil : bytes.reduce(0) { $0 + ($1 ?? 0) }
    let records = try readers.map { try $0.recordCount(archiver.filter) }
    done.totalRecords = records.contains(nil) ? nil : records.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// Imports all sources in one transaction.
  @discardableResult
  static func run(
    _ sources: [ArchiveRun.Source], into target: Target, _ archiver: Archiver,
    _ validations: [Archiver.Validation] = []
  ) throws -> ArchiveResult {
    do {
      return try withReaders(of: settled(sources, for: target)[...]) { opened in
        var run = try ImportRun(archiver, opened, validations)
        return try run.readingAhead { run, first in
          var result = ArchiveResult()
          let initial = run
          result.imported = try initial.fill(target) {
            result.migrations = try run.fill($0, first)
          }
          return result
        }
      }
    } catch ArchiveError.recordConflict(let conflict) {
      guard case .creating = target, sources.count == 1, sources[0].migrator != nil else {
        throw ArchiveError.recordConflict(conflict)
      }
      // Two results of one migration with the same name are its error, not a conflict.
      throw MigrationError.collision(conflict.recordID, conflict.existing, conflict.incoming)
    }
  }

  /// Returns the sources, with copies of containers in memory if the import has to wait for another
  /// container while it reads them.
  private static func settled(
    _ sources: [ArchiveRun.Source], for target: Target
  ) throws -> [ArchiveRun.Source] {
    let isIntoMemory =
      if case .container(let container) = target { container.path == nil } else { false }
    guard isIntoMemory || sources.count > 1 else { return sources }
    return try sources.map { (try $0.source.copiedIfInMemory(), $0.migrator) }
  }

  /// Calls `body` with readers of the sources' state at the start of the import.
  private static func withReaders<R>(
    of sources: ArraySlice<ArchiveRun.Source>, _ opened: [Opened] = [],
    _ body: ([Opened]) throws -> R
  ) throws -> R {
    guard let first = sources.first else { return try body(opened) }
    if case .responses = first.source, first.migrator == nil {
      return try withReaders(of: sources.dropFirst(), opened + [(nil, first)], body)
    }
    return try first.source.read { reader in
      try withReaders(of: sources.dropFirst(), opened + [(reader, first)], body)
    }
  }

  /// Calls `body` in one transaction of the target.
  private func fill(
    _ target: Target, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    var current: ContainerImport?
    // Breaks the reference cycle: the writer retains the closure, the import the writer.
    defer { current = nil }
    let writer = try withoutActuallyEscaping(body) { body in
      let resolve = { try self.resolve($0, in: current) }
      let fill = { (writer: ImportTransaction) in
        let new = try ContainerImport(archiver: archiver, writer: writer)
        current = new
        try body(new)
        return writer
      }
      switch target {
      case .creating(let path):
        // The info of the first source is the initial info of the container.
        let info = infos.first ?? ContainerInfo()
        return try ContainerStore.build(path: path, info: info, onConflict: resolve, fill)
      case .new(let container): return try container.fill(onConflict: resolve, fill)
      case .container(let container):
        return try container.importTransaction(onConflict: resolve, fill)
      }
    }
    return writer.counts
  }

  private func resolve(
    _ conflict: ImportConflict, in target: ContainerImport?
  ) throws -> ImportConflict.Resolution {
    try target?.refuseCollision(conflict)
    switch archiver.conflictPolicy {
    case .keep: return .keepExisting
    case .replace: return .replace
    case .fail: throw ArchiveError.recordConflict(conflict.named)
    }
  }

  /// Calls `body` as soon as other threads read the first source, if that is a bundle which is
  /// imported as it is: so the container is opened or created meanwhile.
  ///
  /// - Parameter body: Receives the batches of the first source.
  private mutating func readingAhead<R>(
    _ body: (inout ImportRun, ArchiveReader.PreparedBatches?) throws -> R
  ) throws -> R {
    guard case .records(let reader, nil)? = parts.first, reader.isBundle else {
      return try body(&self, nil)
    }
    let (selection, counts) = (LineSelection(nil, archiver.filter), !validations.isEmpty)
    return try reader.prepareBatches(
      selection, counts: counts, hashes: true, threads: archiver.threads
    ) { try body(&self, $0) }
  }

  /// - Parameter first: The batches of the first source, if they are read ahead.
  private mutating func fill(
    _ target: ContainerImport, _ first: ArchiveReader.PreparedBatches?
  ) throws -> [MigrationReport?] {
    var reports: [MigrationReport?] = []
    var batches = first
    for (part, info) in zip(parts, infos) {
      var report: MigrationReport?
      target.startCounting(validations)
      switch part {
      case .records(let reader, let job):
        try target.add(info, of: reader)
        if let job {
          report = try fill(target, migrating: job)
        } else {
          try copy(reader, batches, into: target)
          batches = nil
        }
      case .responses(let responses):
        try ResponseImport(target, archiver, responses).run { try note($0, $1) }
      }
      reports.append(report)
      try target.validate(validations, from: part.name, info)
    }
    for (index, part) in parts.enumerated() {
      guard case .records(_, let job?) = part else { continue }
      reports[index]?.add(try job.danglingReferences())
    }
    return reports
  }

  private mutating func copy(
    _ reader: ArchiveReader, _ batches: ArchiveReader.PreparedBatches?, into target: ContainerImport
  ) throws {
    func add(_ batch: PreparedBatch) throws {
      try target.add(batch)
      try note(batch.records.count, batch.size)
    }
    if let batches { return try batches(add) }
    try reader.prepareBatches(
      LineSelection(nil, archiver.filter), counts: !validations.isEmpty, hashes: true,
      threads: archiver.threads
    ) { try $0(add) }
  }

  private mutating func fill(
    _ target: ContainerImport, migrating job: SourceMigration
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

extension ImportRun.Part {
  /// The name of the source in messages.
  fileprivate var name: String {
    switch self {
    case .records(let reader, _): reader.name
    case .responses(let responses): responses.name
    }
  }

  /// The info of the imported content.
  fileprivate func info() throws -> ContainerInfo {
    switch self {
    case .records(let reader, let job): try job?.info ?? reader.info()
    case .responses: ContainerInfo()
    }
  }
}

extension ImportConflict {
  /// Both sides as text.
  fileprivate var named: ArchiveError.RecordConflict {
    let reader = RecordJSONReader()
    let ours = try? reader.read(existing)
    let theirs = try? reader.read(incoming)
    var fields: [String] = []
    if let ours, let theirs {
      fields = RecordDifference(from: ours, to: theirs).fields.map(\.name)
    }
    return ArchiveError.RecordConflict(
      database: scope, recordID: recordID, existing: Self.describe(ours, existingType),
      incoming: Self.describe(theirs, incomingType), differingFields: fields)
  }

  private static func describe(_ record: ResultRecord?, _ type: String) -> String {
    let tag = record?.recordChangeTag.map { ", change tag \($0)" } ?? ""
    let date = record?.modificationDate.map { ", modified \($0.inWords)" } ?? ""
    return "a '\(type)'\(tag)\(date)"
  }
}
