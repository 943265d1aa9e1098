import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Saves every intact frame of a damaged bundle into a new one.
///
/// Frames are independent of each other, and each carries its checksum. What is saved is therefore
/// what was written; what is lost are the lines of damaged frames, and assets that lost a piece.
public struct BundleRecovery {
  private let sources: [RecoverySource]
  private let unverified: UnverifiedOutput?
  private let progress: (_ done: Int, _ total: Int) throws -> Void
  private var report = RecoveryReport()
  private var zones: [DatabaseScope: [ZoneID: RecordZone]] = [:]
  private var needed: [DatabaseScope: Set<ZoneID>] = [:]
  private var assets = AssetCheck()

  /// Saves what is intact.
  ///
  /// - Parameters:
  ///   - paths: the damaged file, or files of a split bundle in any order; `-` is standard input. Of
  ///     a split bundle that one file is named of, the others are looked for beside it.
  ///   - output: the bundle to write.
  ///   - unverified: a file for what can still be decompressed of damaged frames, as JSON Lines; no
  ///     checksum proves it. Nil for none.
  ///   - mustNotExist: refuse to replace existing files.
  ///   - progress: called now and then with the bytes of the damaged files that were looked at, and
  ///     those there are: they are read twice. May throw to interrupt the work.
  /// - Returns: what was saved, what was lost, and what cannot be known.
  /// - Throws: ``FrameError`` where no frame is intact, or the new file cannot be written;
  ///   ``BundleError`` for a bundle of a format version that is not known yet, and for files of two
  ///   bundles.
  public static func recover(
    _ paths: [String], to output: String, unverified: String? = nil,
    options: BundleWriter.Options = .init(), mustNotExist: Bool = false,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    try recover(
      paths, to: output, unverified: unverified, options: options, mustNotExist: mustNotExist,
      upgrade: .standard, progress: progress)
  }

  /// Saves what is intact of a bundle whose format version may be any that the steps lead on from.
  static func recover(
    _ paths: [String], to output: String, unverified: String? = nil,
    options: BundleWriter.Options = .init(), mustNotExist: Bool = false, upgrade: FormatUpgrade,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    let sources = try RecoverySet.sources(paths, upgrade: upgrade)
    let apart = try unverified.map { try UnverifiedOutput(path: $0, mustNotExist: mustNotExist) }
    var recovery = BundleRecovery(sources: sources, unverified: apart, progress: progress)
    do {
      try recovery.survey()
      try recovery.write(to: output, options, mustNotExist)
      try apart?.commit()
    } catch {
      apart?.discard()
      throw error
    }
    return recovery.report
  }

  private init(
    sources: [RecoverySource], unverified: UnverifiedOutput?,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) {
    self.sources = sources
    self.unverified = unverified
    self.progress = progress
  }

  /// Finds out what is there, before anything is written.
  private mutating func survey() throws {
    for source in sources {
      let salvage = try unverified.map { _ in try FrameSalvage(file: source.file) }
      var others: [SHA256Digest] = []
      try walk(source, isSecond: false) { recovery, item, line in
        others.removeAll(keepingCapacity: true)
        guard let item = try? item.get() else { return }
        if item.kind == .record { AssetReferences.forEach(in: line) { others.append($0) } }
        recovery.survey(item, others)
      } broken: { recovery, offset in
        if let salvage { try recovery.unverified?.add(salvage.content(at: offset)) }
      }
      report.add(source)
    }
    guard report.frames > 0 else {
      throw FrameError(
        .foreignFile, in: sources[0].name,
        "it holds no intact zstd frame: nothing can be saved, or it is no bundle")
    }
    report.unverifiedLines = unverified?.lines ?? 0
    report.missingAssets = assets.missing.map(\.description).sorted()
    let set = RecoverySet.problems(of: sources)
    report.losses += set.losses
    report.unknowns += set.unknowns
  }

  private mutating func survey(_ item: BundleItem, _ references: [SHA256Digest]) {
    switch item {
    case .zone(let zone, let database): zones[database, default: [:]][zone.zoneID] = zone
    case .record(let record, let database):
      needed[database, default: []].insert(record.recordID.zoneID)
      assets.use(references)
    case .tombstone(let tombstone, let database):
      needed[database, default: []].insert(tombstone.recordID.zoneID)
    case .subscription(let subscription, let database):
      if let zoneID = subscription.watchedZone { needed[database, default: []].insert(zoneID) }
    case .asset(let chunk): _ = assets.add(chunk)
    case .zoneTombstone: break
    }
  }

  /// Walks through a file, and tells how far it is.
  private mutating func walk(
    _ source: RecoverySource, isSecond: Bool,
    _ body: (inout BundleRecovery, Result<BundleItem, BundleError>, UnsafeRawBufferPointer) throws
      ->
      Void,
    broken: (inout BundleRecovery, UInt64) throws -> Void = { _, _ in }
  ) throws {
    let sizes = sources.map { Int(clamping: $0.file.size) }
    let total = sizes.reduce(0, +)
    let place = sources.firstIndex { $0 === source } ?? 0
    let before = sizes[..<place].reduce(0, +) + (isSecond ? total : 0)
    let progress = progress
    var lastFrame: UInt64?
    var recovery = self
    defer { self = recovery }
    try source.walk(broken: { try broken(&recovery, $0) }) { item, line, offset in
      if lastFrame != offset {
        lastFrame = offset
        try progress(before + Int(clamping: offset), 2 * total)
      }
      try body(&recovery, item, line)
    }
  }

  private mutating func write(
    to path: String, _ options: BundleWriter.Options, _ mustNotExist: Bool
  ) throws {
    let container = sources.lazy.compactMap(\.header).first?.container ?? ContainerInfo()
    let writer = try BundleWriter(
      path: path, container: container, options: options, mustNotExist: mustNotExist)
    do {
      try writeZones(to: writer)
      for source in sources {
        try walk(source, isSecond: true) { recovery, item, _ in
          try recovery.save(item, to: writer)
        }
      }
      report.summary = try writer.finish()
    } catch {
      writer.cancel()
      throw error
    }
  }

  private mutating func writeZones(to writer: BundleWriter) throws {
    for database in DatabaseScope.allCases {
      let found = zones[database] ?? [:]
      let made = (needed[database] ?? []).subtracting(found.keys).map { RecordZone(zoneID: $0) }
      for zone in (Array(found.values) + made).sorted(by: { $0.zoneID < $1.zoneID }) {
        try writer.write(zone, database: database)
      }
      report.restoredZones += made.count
      if !found.isEmpty { report.saved[.zone, default: 0] += found.count }
    }
  }

  private mutating func save(
    _ item: Result<BundleItem, BundleError>, to writer: BundleWriter
  ) throws {
    do {
      let item = try item.get()
      switch item {
      case .zone: return
      case .asset(let chunk):
        guard let problem = assets.problem(of: chunk.sha256) else {
          try chunk.data.withUnsafeBytes {
            try writer.writeAssetChunk(
              sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
          }
          break
        }
        // Told once an asset, and where a record refers to it, among the missing ones.
        if case .unused = problem, chunk.offset == 0 {
          report.leaveOut("no record that was saved refers to asset \(chunk.sha256)")
        }
        return
      case .record(let record, let database): try writer.write(record, database: database)
      case .subscription(let subscription, let database):
        try writer.write(subscription, database: database)
      case .tombstone(let tombstone, let database):
        try writer.write(tombstone, database: database)
      case .zoneTombstone(let zoneID, let database):
        try writer.write(zoneTombstone: zoneID, database: database)
      }
      report.saved[item.kind, default: 0] += 1
    } catch let error as BundleError {
      report.leaveOut(error.message)
    } catch let error as RecordCodingError {
      report.leaveOut(error.description)
    }
  }
}

extension RecoveryReport {
  /// Adds what is known of a file after the walk through it.
  fileprivate mutating func add(_ source: RecoverySource) {
    let summary = source.summary
    sources.append(source.name)
    frames += summary.frameCount
    damage += summary.damage.map {
      Damage(
        source: source.name, start: $0.range.lowerBound, end: $0.range.upperBound,
        reason: $0.reason)
    }
    damageCount += summary.damageCount
    damagedBytes += summary.damagedBytes
    source.lostFrames.forEach { lose($0) }
    if source.index == nil {
      unknowns.append(
        "the index of '\(source.name)' is lost: what its damaged parts held, and whether anything "
          + "followed its last intact frame, is unknown")
    }
    if source.header == nil, source.index == nil {
      losses.append("the header of '\(source.name)', with the schema")
    }
  }
}
