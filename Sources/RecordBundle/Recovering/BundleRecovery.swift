import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Recovers the intact frames of a damaged bundle.
///
/// Frames are independent of each other, and each has a checksum. All that is saved is therefore
/// what was written; lost are the lines of damaged frames, and assets with a missing chunk. If the
/// index is intact, only the frames that it lists are saved: others may belong to another bundle,
/// or to an older copy. The order of the frames does not matter.
public struct BundleRecovery {
  private let set: RecoverySet
  private let unverified: UnverifiedOutput?
  private let progress: RecoveryProgress
  private let decoder: FrameDecoder
  /// The frames to save, in the order of their lines.
  private let frames: [(source: RecoverySource, frame: RecoveryFrame)]
  private var report = RecoveryReport()
  private var zones: [DatabaseScope: [ZoneID: RecordZone]] = [:]
  private var needed: [DatabaseScope: Set<ZoneID>] = [:]
  private var assets = AssetCheck()

  /// Writes all that is intact of a damaged bundle to a new one.
  ///
  /// ```swift
  /// let report = try BundleRecovery.recover(["Tact.recordpack"], to: "Recovered.recordpack")
  /// print(report.isComplete, report.saved[.record] ?? 0)
  /// ```
  ///
  /// - Parameters:
  ///   - paths: the damaged file, or files of a split bundle in any order; `-` is standard input.
  ///     If only one is given, the others are searched in its directory.
  ///   - output: the path of the new bundle.
  ///   - unverified: a path for the unverified lines as JSON Lines: what can still be decompressed
  ///     of damaged frames, and frames that the index does not list. Nil for none.
  ///   - options: the options of the new bundle.
  ///   - mustNotExist: whether to refuse to replace existing files.
  ///   - progress: called repeatedly with the bytes read so far and in total; the files are read
  ///     three times. May throw to interrupt the work.
  /// - Returns: what was saved, what was lost, and what is unknown.
  /// - Throws: ``FrameError`` if no frame is intact, an output file is also an input file, or the
  ///   new bundle cannot be written; ``BundleError`` for an unknown format version, or different
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

  /// Recovers a bundle of any format version that the steps can upgrade.
  static func recover(
    _ paths: [String], to output: String, unverified: String? = nil,
    options: BundleWriter.Options = .init(), mustNotExist: Bool = false, upgrade: FormatUpgrade,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    let files = try RecoveryFiles(paths)
    let outputs = ShardNames.paths(for: output, isSplit: options.splitSize != nil)
    try files.checkOutputs(outputs, unverified)
    let progress = RecoveryProgress(of: files, progress)
    let set = try RecoverySet(files, upgrade: upgrade, progress: progress)
    if !set.isOneFile { try files.checkOutputsAgainstSiblings(outputs, unverified) }
    let apart = try unverified.map { try UnverifiedOutput(path: $0, mustNotExist: mustNotExist) }
    do {
      var recovery = try BundleRecovery(set, unverified: apart, progress)
      try recovery.describe()
      try recovery.survey()
      try recovery.write(to: output, options, mustNotExist)
      try apart?.commit()
      return recovery.report
    } catch {
      apart?.discard()
      throw error
    }
  }

  private init(
    _ set: RecoverySet, unverified: UnverifiedOutput?, _ progress: RecoveryProgress
  ) throws {
    self.set = set
    self.unverified = unverified
    self.progress = progress
    decoder = try FrameDecoder(limits: .standard)
    // A frame without a line that has a key stays after the frames before it.
    frames = set.sources.flatMap { source in source.frames.map { (source, $0) } }
      .enumerated().sorted {
        let (left, right) = ($0.element.1.key, $1.element.1.key)
        return left < right || !(right < left) && $0.offset < $1.offset
      }.map { ($0.element.0, $0.element.1) }
  }

  /// Adds the results of the first pass to the report, and writes the unverified lines.
  private mutating func describe() throws {
    for source in set.sources { report.add(source) }
    guard report.frames > 0 else {
      throw try FileDiagnosis(set.sources[0].file).errorWithoutFrames()
    }
    report.losses += set.losses
    report.unknowns += set.unknowns
    report.notes += set.notes
    guard let unverified else { return }
    for source in set.sources { try unverified.add(source, with: decoder) }
    report.unverifiedLines = unverified.lines
  }

  /// Determines what will be saved before anything is written: which zones have to be restored, and
  /// which assets are complete.
  private mutating func survey() throws {
    var references: [SHA256Digest] = []
    try forEachItem { recovery, item, line in
      references.removeAll(keepingCapacity: true)
      guard case .success(let item) = item else { return }
      if item.kind == .record { AssetReferences.forEach(in: line) { references.append($0) } }
      recovery.survey(item, references)
    }
    report.missingAssets = assets.missing.map(\.description).sorted()
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

  /// Calls `body` with each line that can be saved, in the order of a bundle, and with the errors
  /// of others. Each pass finds the same.
  private mutating func forEachItem(
    _ body: (inout BundleRecovery, Result<BundleItem, BundleError>, UnsafeRawBufferPointer) throws
      -> Void
  ) throws {
    var sieve = RecoverySieve()
    for (source, frame) in frames {
      try progress.add(frame)
      try source.forEachItem(in: frame, with: decoder) { item in
        switch item {
        case .failure(let error): try body(&self, .failure(error), .init(start: nil, count: 0))
        case .success(.asset(let chunk), let line):
          if sieve.takes(chunk) { try body(&self, .success(.asset(chunk)), line) }
        case .success(let item, let line):
          let result = Result { try sieve.advance(to: item, in: source.name) }
            .map { item }.mapError { $0 as? BundleError ?? .init(.order, in: source.name, "\($0)") }
          try body(&self, result, line)
        }
      }
    }
  }
}

extension BundleRecovery {
  private mutating func write(
    to path: String, _ options: BundleWriter.Options, _ mustNotExist: Bool
  ) throws {
    let container = set.sources.lazy.compactMap(\.header).first?.container ?? ContainerInfo()
    let writer = try BundleWriter(
      path: path, container: container, options: options, mustNotExist: mustNotExist)
    do {
      try writeZones(to: writer)
      try forEachItem { recovery, item, _ in try recovery.save(item, to: writer) }
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
        // Reported once per asset; those that records refer to are reported as missing.
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
        guard zones[database]?[zoneID] == nil, needed[database]?.contains(zoneID) != true else {
          return report.leaveOut(
            "deleted zone '\(zoneID)' of the \(database) database, which is there")
        }
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
