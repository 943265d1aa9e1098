import RecordCoding
import RecordModel

/// Saves every intact frame of a damaged bundle into a new one.
///
/// Frames are independent of each other, and each carries its checksum. What is saved is therefore
/// what was written; what is lost are the lines of damaged frames, and assets that lost a piece.
public struct BundleRecovery {
  private let file: RandomAccessFile
  private let progress: (_ done: Int, _ total: Int) throws -> Void
  private let upgrade: FormatUpgrade
  /// The format version, as the header says; where that is lost, the current one is tried.
  private var version = BundleHeader.currentFormatVersion
  /// A line of an older version, as the current one has it.
  private let upgraded = ByteBuffer()
  private var report = RecoveryReport()
  private var container = ContainerInfo()
  private var zones: [DatabaseScope: [ZoneID: RecordZone]] = [:]
  private var needed: [DatabaseScope: Set<ZoneID>] = [:]
  /// How many bytes of each asset's pieces come one after the other.
  private var assets: [String: (size: Int, next: Int)] = [:]

  /// Saves what is intact.
  ///
  /// - Parameters:
  ///   - path: the damaged file; `-` is standard input.
  ///   - output: the bundle to write.
  ///   - mustNotExist: refuse to replace an existing file.
  ///   - progress: called now and then with the bytes of the damaged file that were looked at, and
  ///     those there are: it is read twice. May throw to call the work off.
  /// - Throws: ``FrameError`` where no frame is intact, or the new file cannot be written;
  ///   ``BundleError`` for a bundle of a format version that is not known yet.
  public static func recover(
    _ path: String, to output: String, options: BundleWriter.Options = .init(),
    mustNotExist: Bool = false,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    try recover(
      path, to: output, options: options, mustNotExist: mustNotExist, upgrade: .standard,
      progress: progress)
  }

  /// Saves what is intact of a bundle whose format version may be any that the steps lead on from.
  static func recover(
    _ path: String, to output: String, options: BundleWriter.Options = .init(),
    mustNotExist: Bool = false, upgrade: FormatUpgrade,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
  ) throws -> RecoveryReport {
    let file = try path == "-" ? RandomAccessFile.standardInput() : RandomAccessFile(path: path)
    var recovery = BundleRecovery(file: file, upgrade: upgrade, progress: progress)
    try recovery.survey()
    try recovery.write(to: output, options, mustNotExist)
    return recovery.report
  }

  private init(
    file: RandomAccessFile, upgrade: FormatUpgrade,
    progress: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) {
    self.file = file
    self.upgrade = upgrade
    self.progress = progress
  }

  /// Reports how far a walk through the file is.
  private func report(_ content: FrameContent, secondWalk: Bool) throws {
    let size = Int(clamping: file.size)
    let done = Int(clamping: content.location.offset) + (secondWalk ? size : 0)
    try progress(done, 2 * size)
  }

  /// Finds out what is there, before anything is written.
  private mutating func survey() throws {
    let reader = RecordJSONReader()
    let summary = try FrameRecovery(file: file).scan { content in
      try report(content, secondWalk: false)
      for line in content.lines { try survey(line, reader) }
    }
    guard summary.frameCount > 0 else {
      throw FrameError(
        .foreignFile, in: file.name,
        "it holds no intact zstd frame: nothing can be saved, or it is no bundle")
    }
    report.frames = summary.frameCount
    report.damage = summary.damage.map {
      RecoveryReport.Damage(start: $0.range.lowerBound, end: $0.range.upperBound, reason: $0.reason)
    }
    report.damageCount = summary.damageCount
    report.damagedBytes = summary.damagedBytes
    report.incompleteAssets = assets.filter { $0.value.next != $0.value.size }.keys.sorted()
  }

  private mutating func survey(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader
  ) throws {
    // The header comes first, and says how to read the rest.
    if LineKind.kind(of: line) == .header, let header = try header(line) {
      if !report.hasHeader {
        container = header.container
        version = header.formatVersion
      }
      report.hasHeader = true
      return
    }
    guard let line = try? current(line, reader) else { return }
    if let key = reader.readKey(line) {
      needed[key.database, default: []].insert(key.recordID.zoneID)
      return
    }
    let kind = LineKind.kind(of: line)
    if kind == .index, (try? BundleIndex(line: line, of: file.name)) != nil {
      report.hasIndex = true
      return
    }
    guard let item = try? BundleItem(line: line, at: place, with: reader) else { return }
    switch item {
    case .zone(let zone, let database): zones[database, default: [:]][zone.zoneID] = zone
    case .record(let record, let database):
      needed[database, default: []].insert(record.recordID.zoneID)
    case .tombstone(let tombstone, let database):
      needed[database, default: []].insert(tombstone.recordID.zoneID)
    case .subscription(let subscription, let database):
      if let zoneID = subscription.watchedZone { needed[database, default: []].insert(zoneID) }
    case .asset(let chunk):
      let known = assets[chunk.sha256] ?? (chunk.assetSize, 0)
      if known.next == chunk.offset && known.size == chunk.assetSize {
        assets[chunk.sha256] = (known.size, known.next + chunk.data.count)
      } else if known.next == 0 {
        assets[chunk.sha256] = known
      }
    case .zoneTombstone: break
    }
  }

  /// Reads a header; nil for what is none.
  private func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: file.name, upgrade: upgrade)
    } catch let error as BundleError where error.kind == .tooNew {
      // Its lines may mean something else: what this program would save of them may be wrong.
      throw error
    } catch {
      return nil
    }
  }

  /// The line in the bytes of the current version; valid until the next call.
  private func current(
    _ line: UnsafeRawBufferPointer, _ reader: RecordJSONReader
  ) throws -> UnsafeRawBufferPointer {
    guard version < BundleHeader.currentFormatVersion else { return line }
    upgraded.reset()
    try upgrade.append(line, from: version, at: place, with: reader, to: upgraded)
    upgraded.padWithZeros()
    return upgraded.bytes
  }

  private var place: LinePlace { LinePlace(source: file.name, line: 0) }

  private mutating func write(
    to path: String, _ options: BundleWriter.Options, _ mustNotExist: Bool
  ) throws {
    let writer = try BundleWriter(
      path: path, container: container, options: options, mustNotExist: mustNotExist)
    do {
      for database in DatabaseScope.allCases {
        let found = zones[database] ?? [:]
        let made = (needed[database] ?? []).subtracting(found.keys).map { RecordZone(zoneID: $0) }
        for zone in (Array(found.values) + made).sorted(by: { $0.zoneID < $1.zoneID }) {
          try writer.write(zone, database: database)
        }
        report.restoredZones += made.count
        if !found.isEmpty { report.saved[.zone, default: 0] += found.count }
      }
      let reader = RecordJSONReader()
      _ = try FrameRecovery(file: file).scan { content in
        try report(content, secondWalk: true)
        for line in content.lines { try save(line, to: writer, reader) }
      }
      report.summary = try writer.finish()
    } catch {
      writer.cancel()
      throw error
    }
  }

  private mutating func save(
    _ line: UnsafeRawBufferPointer, to writer: BundleWriter, _ reader: RecordJSONReader
  ) throws {
    do {
      let line = try current(line, reader)
      guard let item = try BundleItem(line: line, at: place, with: reader) else { return }
      switch item {
      case .zone: return
      case .asset(let chunk):
        guard assets[chunk.sha256].map({ $0.next == $0.size }) == true else { return }
        try chunk.data.withUnsafeBytes {
          try writer.writeAssetChunk(
            sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
        }
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
