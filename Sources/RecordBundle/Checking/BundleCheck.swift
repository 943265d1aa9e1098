import RecordCoding
import RecordModel
import RecordPlatform

/// Checks what involves several lines or frames: order, the index, and references.
struct BundleCheck {
  var report = VerifyReport()
  private var order = LineOrder()
  private var zones: Set<ZoneKey> = []
  private var zoneLines = ZoneLineCheck()
  private var missingZones: Set<ZoneKey> = []
  private var assets = AssetCheck()
  private var names: NameCheck
  private var file: BundleFile?
  private var outline = BundleOutline()
  private var frames: [FrameInfo] = []
  /// Whether a frame could not be read, so that references and the index cannot be checked.
  private var isDamaged = false

  init(_ reader: BundleReader) {
    names = NameCheck(reader.sections)
    report.contentHash = reader.contentHash
    report.indexDigests = reader.indexDigests
  }

  /// Adds the error of a frame that cannot be read.
  mutating func addDamage(_ error: FrameError, in file: BundleFile) {
    isDamaged = true
    report.add(error.message, in: file.name, frame: error.frame)
  }

  mutating func add(_ check: FrameCheck) throws {
    if file !== check.file {
      try endFile()
      file = check.file
    }
    let location = check.file.frames.table[check.frame]
    frames.append(
      FrameInfo(
        offset: location.offset, compressedSize: UInt32(clamping: location.compressedSize),
        size: UInt32(clamping: check.bytes), lineCount: UInt32(clamping: check.entries.count),
        checksum: location.checksum ?? 0, digest: check.file.index.frames[check.frame].digest,
        contentHash: check.contentHash))
    report.bytes += check.bytes
    for (line, size, entry) in check.entries {
      report.lines += 1
      add(entry, size, check.frame, line, check.file.name)
    }
  }

  private mutating func add(
    _ entry: FrameCheck.Entry, _ size: Int, _ frame: Int, _ line: Int, _ source: String
  ) {
    func note(_ key: BundleSection.Key, _ name: String? = nil, beginsAsset: Bool = false) {
      outline.add(key, name: name, size: size, beginsAsset: beginsAsset, frame: frame)
    }
    do {
      switch entry {
      case .header: break
      case .wrong(let message): report.add(message, in: source, line: line)
      case .zone(let zoneID, let database, let digest):
        note(BundleSection.Key(kind: .zone, database: database))
        zones.insert(ZoneKey(database: database, zoneID: zoneID))
        if zoneLines.isInFirstFile {
          zoneLines.add(digest)
          try order.advance(to: .zone(database, zoneID), in: source, line: line)
        } else if !isDamaged, let problem = zoneLines.repeated(digest) {
          report.add(problem, in: source, line: line)
        }
      case .subscription(let subscription, let database):
        let id = subscription.subscriptionID
        note(BundleSection.Key(kind: .subscription, database: database), id)
        checkZone(subscription.watchedZone, database, "subscription '\(id)' watches", source, line)
        try order.advance(to: .subscription(database, id), in: source, line: line)
      case .record(let zoneID, let type, let name, let database, let digests):
        report.records += 1
        note(
          BundleSection.Key(kind: .record, database: database, zoneID: zoneID, recordType: type),
          name)
        checkZone(zoneID, database, "record '\(name)' lies in", source, line)
        assets.use(digests)
        names.add(name, zoneID, database)
        try order.advance(to: .record(database, zoneID, type), name: name, in: source, line: line)
      case .tombstone(let recordID, let database):
        let (zoneID, name) = (recordID.zoneID, recordID.recordName)
        note(BundleSection.Key(kind: .tombstone, database: database, zoneID: zoneID), name)
        checkZone(zoneID, database, "deleted record '\(name)' lay in", source, line)
        names.add(name, zoneID, database)
        try order.advance(to: .tombstone(database, zoneID), name: name, in: source, line: line)
      case .zoneTombstone(let zoneID, let database):
        note(BundleSection.Key(kind: .zoneTombstone, database: database))
        if zones.contains(ZoneKey(database: database, zoneID: zoneID)) {
          report.add(
            "zone '\(zoneID)' of the \(database) database is there, and deleted", in: source,
            line: line)
        }
        try order.advance(to: .zoneTombstone(database, zoneID), in: source, line: line)
      case .asset(let chunk):
        note(BundleSection.Key(kind: .asset), chunk.sha256, beginsAsset: chunk.offset == 0)
        try order.advance(
          toAsset: chunk.sha256, size: chunk.assetSize, offset: chunk.offset,
          count: chunk.data.count, in: source, line: line)
        if let problem = assets.add(chunk) { report.add(problem, in: source, line: line) }
      }
    } catch let error as BundleError {
      report.add(error.message, in: source, line: line)
    } catch {
      report.add("\(error)", in: source, line: line)
    }
  }

  private mutating func checkZone(
    _ zoneID: ZoneID?, _ database: DatabaseScope, _ what: String, _ source: String, _ line: Int
  ) {
    // The line of the zone may be among those that cannot be read.
    guard let zoneID, !isDamaged else { return }
    let key = ZoneKey(database: database, zoneID: zoneID)
    guard !zones.contains(key), missingZones.insert(key).inserted else { return }
    report.add(
      "\(what) zone '\(zoneID)' of the \(database) database, which no line describes",
      in: source, line: line)
  }

  /// Compares the index of a file with its lines.
  private mutating func endFile() throws {
    guard let file else { return }
    let zonesProblem = zoneLines.endFile()
    if isDamaged { return }
    if let zonesProblem { report.add(zonesProblem, in: file.name) }
    let made = outline.index(
      frames: frames, header: try file.headerHash(), isLastShard: file.index.isLastShard)
    for problem in file.index.differences(from: made) { report.add(problem, in: file.name) }
    outline = BundleOutline()
    frames = []
    guard try file.frames.table.isWhatIsWritten(in: file.frames.file) else {
      report.add(
        "the seal or the seek table at the end is not what a writer writes", in: file.name)
      return
    }
    guard try file.hasCanonicalIndex() else {
      report.add("the index is not written as the format says", in: file.name)
      return
    }
  }

  /// Completes the checks, and returns the report.
  mutating func finish(_ reader: BundleReader, threads: Int) throws -> VerifyReport {
    try endFile()
    report.assets = assets.count
    if isDamaged { return report }
    let source = reader.files[0].name
    do {
      try order.checkAssetIsWhole(in: source)
    } catch {
      report.add((error as? BundleError)?.message ?? "\(error)", in: source)
    }
    for problem in assets.problems() { report.add(problem, in: source) }
    for problem in try names.problems(in: reader, threads: threads) {
      report.add(problem, in: source)
    }
    return report
  }
}
