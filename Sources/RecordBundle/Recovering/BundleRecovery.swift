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
  private let set: DamagedBundle
  private let unverified: UnverifiedOutput?
  private let progress: RecoveryProgress
  private let decoder: FrameDecoder
  /// The frames to save, in the order of their lines.
  private let frames: [(source: RecoveryFile, frame: RecoveryFrame)]
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
  ///   - overwrite: whether to replace existing files; if not, one is an error.
  ///   - progress: called repeatedly with the bytes read so far and in total; the files are read
  ///     three times, or four if the index is lost. May throw to interrupt the work.
  /// - Returns: what was saved, what was lost, and what is unknown.
  /// - Throws: ``BundleError`` if no frame is intact, an output file is also an input file, or the
  ///   new bundle cannot be written; ``BundleError`` for an unknown format version, or different
  ///   bundles.
  public static func recover(
    _ paths: [String], to output: String, unverified: String? = nil,
    options: BundleWriter.Options = .init(), overwrite: Bool = true,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    let files = try RecoveryFiles(paths)
    let outputs = ShardNames.paths(for: output, isSplit: options.splitSize != nil)
    try files.checkOutputs(outputs, unverified)
    let progress = RecoveryProgress(of: files, progress)
    let set = try DamagedBundle(files, progress: progress)
    if !set.isOneFile { try files.checkOutputsAgainstSiblings(outputs, unverified) }
    let apart = try unverified.map { try UnverifiedOutput(path: $0, overwrite: overwrite) }
    if let only = set.only, !only.isUnderstood,
      let bundle = try progress.trying({
        try RecompressedBundle(only.file, progress: { try progress.again(only.name, $0) })
      })
    {
      var report = try bundle.save(to: output, options, overwrite: overwrite) {
        try progress.again(only.name, $0)
      }
      report.notes += set.notes
      try apart?.sink.commit()
      return report
    }
    var recovery = try BundleRecovery(set, unverified: apart, progress)
    try recovery.describe()
    try recovery.survey()
    try recovery.write(to: output, options, overwrite)
    try apart?.sink.commit()
    return recovery.report
  }

  private init(
    _ set: DamagedBundle, unverified: UnverifiedOutput?, _ progress: RecoveryProgress
  ) throws {
    self.set = set
    self.unverified = unverified
    self.progress = progress
    decoder = try FrameDecoder(limits: .standard)
    // A frame without a line that has a key stays after the frames before it.
    frames = set.sources.flatMap { source in source.frames.map { (source, $0) } }
      .enumerated().sorted {
        let (left, right) = ($0.element.1.sortKey, $1.element.1.sortKey)
        return left == right
          ? $0.offset < $1.offset : left.lexicographicallyPrecedes(right)
      }.map(\.element)
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
    try forEachItem(isSaving: false) { recovery, item, line in
      recovery.assets.add(item, line)
      if case .zone(let zone, let database) = item {
        recovery.zones[database, default: [:]][zone.zoneID] = zone
      } else if let database = item.key.database, let zoneID = item.requiredZone {
        recovery.needed[database, default: []].insert(zoneID)
      }
    }
    report.missingAssets = assets.missing.map(\.description).sorted()
  }

  /// Calls `body` with each line that can be saved, in the order of a bundle. Each pass finds the
  /// same lines.
  ///
  /// - Parameter isSaving: whether to report the errors of lines that cannot be saved.
  private mutating func forEachItem(
    isSaving: Bool, _ body: (inout Self, BundleItem, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var filter = RecoveryFilter()
    for (source, frame) in frames {
      try progress.add(frame)
      for line in try source.content(of: frame, with: decoder).lines {
        do {
          guard let item = try source.item(line),
            try filter.accepts(item, of: source.name)
          else { continue }
          try body(&self, item, line)
        } catch let error as BundleError where [.malformed, .order].contains(error.code) {
          if isSaving { report.leaveOut(error.message) }
        } catch let error as RecordCodingError {
          if isSaving { report.leaveOut(error.description) }
        }
      }
    }
  }
}

extension BundleRecovery {
  private mutating func write(
    to path: String, _ options: BundleWriter.Options, _ overwrite: Bool
  ) throws {
    let container = set.sources.lazy.compactMap(\.header).first?.container ?? ContainerInfo()
    let writer = try BundleWriter(
      path: path, container: container, options: options, overwrite: overwrite)
    try writeZones(to: writer)
    try forEachItem(isSaving: true) { recovery, item, _ in try recovery.save(item, to: writer) }
    report.summary = try writer.finish()
  }

  private mutating func writeZones(to writer: BundleWriter) throws {
    for database in DatabaseScope.allCases {
      let found = zones[database] ?? [:]
      let restored = (needed[database] ?? []).subtracting(found.keys).map { RecordZone(zoneID: $0) }
      for zone in (Array(found.values) + restored).sorted(by: { $0.zoneID < $1.zoneID }) {
        try writer.write(zone, database: database)
      }
      report.restoredZones += restored.count
      if !found.isEmpty { report.saved[.zone, default: 0] += found.count }
    }
  }

  private mutating func save(_ item: BundleItem, to writer: BundleWriter) throws {
    switch item {
    case .zone: return
    case .asset(let chunk):
      // Incomplete assets that records refer to are reported as missing.
      guard let digest = SHA256Digest(hexadecimal: chunk.sha256), assets.stored.contains(digest)
      else { return }
      guard assets.wanted.contains(digest) else {
        guard chunk.offset == 0 else { return }
        return report.leaveOut("no record that was saved refers to asset \(chunk.sha256)")
      }
    case .zoneTombstone(let tombstone, let database):
      let zoneID = tombstone.zoneID
      guard zones[database]?[zoneID] == nil, needed[database]?.contains(zoneID) != true else {
        return report.leaveOut("deleted zone '\(zoneID)' of the \(database) database, which exists")
      }
    default: break
    }
    try writer.write(item)
    report.saved[item.kind, default: 0] += 1
  }
}

/// Selects the lines that can follow each other in a bundle, without duplicates, from frames in any
/// order and repeated lines.
struct RecoveryFilter {
  private var order = LineOrderCheck()
  private var asset: (sha256: String, size: Int, next: Int)?

  /// Whether a line can follow those before it. Zones may be anywhere: they are written before
  /// everything else.
  ///
  /// - Returns: false for a chunk that does not continue the chunks before it.
  /// - Throws: ``BundleError`` for a line that is repeated or out of order.
  mutating func accepts(_ item: BundleItem, of source: String) throws -> Bool {
    switch item {
    case .zone: return true
    case .asset(let chunk): return continues(with: chunk)
    default:
      guard asset == nil else {
        throw BundleError(.order, in: source, "a \(item.kind.noun) comes after an asset")
      }
      try order.advance(to: item, at: LineLocation(source: source))
      return true
    }
  }

  private mutating func continues(with chunk: AssetChunk) -> Bool {
    guard chunk.data.count == min(AssetChunk.size, chunk.assetSize - chunk.offset) else {
      return false
    }
    if let asset, asset.sha256 == chunk.sha256 {
      guard asset.size == chunk.assetSize, asset.next == chunk.offset, !chunk.data.isEmpty else {
        return false
      }
    } else {
      guard chunk.offset == 0, asset.map({ $0.sha256 < chunk.sha256 }) ?? true else { return false }
    }
    asset = (chunk.sha256, chunk.assetSize, chunk.offset + chunk.data.count)
    return true
  }
}

/// The progress of reading the damaged files: three times, or four if the index is lost.
final class RecoveryProgress {
  private var total: Int
  private let report: (_ done: Int, _ total: Int) throws -> Void
  private var done = 0
  /// The number of bytes that the first pass has read, by path.
  private var scanned: [String: Int] = [:]

  init(of files: RecoveryFiles, _ report: @escaping (_ done: Int, _ total: Int) throws -> Void) {
    total = 3 * files.size
    self.report = report
  }

  /// Updates the progress of the first pass through a file.
  func scan(_ path: String, _ offset: UInt64) throws {
    done += Int(clamping: offset) - scanned[path, default: 0]
    scanned[path] = Int(clamping: offset)
    try report(done, total)
  }

  /// Updates the progress of a later pass through a whole file.
  func again(_ path: String, _ offset: UInt64) throws {
    if Int(clamping: offset) < scanned[path, default: 0] { scanned[path] = 0 }
    try scan(path, offset)
  }

  /// Makes a pass that may return nil. The total then grows by the bytes that the pass read.
  func trying<T>(_ pass: () throws -> T?) rethrows -> T? {
    let before = done
    let result = try pass()
    if result == nil { total += done - before }
    return result
  }

  /// Adds a frame that a later pass reads.
  func add(_ frame: RecoveryFrame) throws {
    try report(done, total)
    done += frame.compressedSize
  }
}

extension AssetCheck {
  /// Adds an item: the chunk of an asset, or the references in the line of a record.
  mutating func add(_ item: BundleItem, _ line: UnsafeRawBufferPointer) {
    switch item {
    case .asset(let chunk): _ = add(chunk)
    case .record: AssetReferences.forEach(in: line) { addReferences([$0]) }
    default: break
    }
  }
}
