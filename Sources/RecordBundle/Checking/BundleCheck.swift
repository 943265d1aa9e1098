import RecordPlatform
import RecordModel

/// Checks what has to hold across lines and frames: order, counts, digests, and that what is
/// referred to is there.
struct BundleCheck {
  var report = VerifyReport()
  private var order = LineOrder()
  private var zones: Set<ZoneKey> = []
  private var missingZones: Set<ZoneKey> = []
  private var wantedAssets: Set<SHA256Digest> = []
  private var storedAssets: Set<SHA256Digest> = []
  private var asset: (sha256: String, size: Int, seen: Int, hash: SHA256)?
  private var file: BundleFile?
  private var digests: [SHA256Digest] = []
  private var sections: [(key: BundleSection.Key, lines: Int, bytes: Int)] = []

  private struct ZoneKey: Hashable {
    let database: DatabaseScope
    let zoneID: ZoneID
  }

  mutating func add(_ check: FrameCheck) {
    if file !== check.file {
      endFile()
      file = check.file
    }
    digests.append(check.digest)
    if check.digest.description != check.file.index.frames[check.frame].sha256 {
      report.add(
        "the lines have another SHA-256 than the index says", in: check.file.name,
        frame: check.frame)
    }
    if check.entries.count != check.file.index.frames[check.frame].lines {
      report.add(
        "\(check.entries.count) lines, and the index says "
          + "\(check.file.index.frames[check.frame].lines)", in: check.file.name, frame: check.frame
      )
    }
    report.bytes += check.bytes
    for (line, size, entry) in check.entries {
      report.lines += 1
      add(entry, size, line, check.file.name)
    }
  }

  private mutating func add(
    _ entry: FrameCheck.Entry, _ size: Int, _ line: Int, _ source: String
  ) {
    do {
      switch entry {
      case .header:
        if line != 1 { report.add("a header stands behind the first line", in: source, line: line) }
      case .zone(let zoneID, let database):
        // Every file of a split bundle names the zones again.
        let isNew = zones.insert(ZoneKey(database: database, zoneID: zoneID)).inserted
        if isNew { try order.advance(to: .zone(database, zoneID), in: source, line: line) }
        count(BundleSection.Key(kind: .zone, database: database), size)
      case .subscription(let id, let database):
        count(BundleSection.Key(kind: .subscription, database: database), size)
        try order.advance(to: .subscription(database, id), in: source, line: line)
      case .record(let zoneID, let type, let name, let database, let assets):
        report.records += 1
        count(
          BundleSection.Key(kind: .record, database: database, zoneID: zoneID, recordType: type),
          size)
        checkZone(zoneID, database, "record '\(name)'", source, line)
        wantedAssets.formUnion(assets.compactMap { SHA256Digest(hexadecimal: $0) })
        try order.advance(to: .record(database, zoneID, type), name: name, in: source, line: line)
      case .tombstone(let recordID, let database):
        count(
          BundleSection.Key(kind: .tombstone, database: database, zoneID: recordID.zoneID), size)
        try order.advance(
          to: .tombstone(database, recordID.zoneID), name: recordID.recordName, in: source,
          line: line)
      case .zoneTombstone(let zoneID, let database):
        count(BundleSection.Key(kind: .zoneTombstone, database: database), size)
        try order.advance(to: .zoneTombstone(database, zoneID), in: source, line: line)
      case .asset(let chunk):
        count(BundleSection.Key(kind: .asset), size)
        try order.advance(
          toAsset: chunk.sha256, size: chunk.assetSize, offset: chunk.offset,
          count: chunk.data.count, in: source, line: line)
        add(chunk, source, line)
      case .wrong(let message): report.add(message, in: source, line: line)
      }
    } catch let error as BundleError {
      report.add(error.message, in: source, line: line)
    } catch {
      report.add("\(error)", in: source, line: line)
    }
  }

  private mutating func checkZone(
    _ zoneID: ZoneID, _ database: DatabaseScope, _ what: String, _ source: String, _ line: Int
  ) {
    let key = ZoneKey(database: database, zoneID: zoneID)
    guard !zones.contains(key), missingZones.insert(key).inserted else { return }
    report.add(
      "\(what) lies in zone '\(zoneID)' of the \(database) database, which no line describes",
      in: source, line: line)
  }

  private mutating func add(_ chunk: AssetChunk, _ source: String, _ line: Int) {
    if chunk.offset == 0 { asset = (chunk.sha256, chunk.assetSize, 0, SHA256()) }
    guard var current = asset, current.sha256 == chunk.sha256 else { return }
    asset = nil
    chunk.data.withUnsafeBytes { current.hash.update($0) }
    current.seen += chunk.data.count
    guard current.seen >= current.size else {
      asset = current
      return
    }
    let digest = current.hash.finalize()
    guard digest.description == current.sha256 else {
      report.add(
        "the bytes of asset \(current.sha256) have the SHA-256 \(digest)", in: source, line: line)
      return
    }
    report.assets += 1
    storedAssets.insert(digest)
  }

  private mutating func count(_ key: BundleSection.Key, _ size: Int) {
    if let last = sections.indices.last, Self.isSame(sections[last].key, key) {
      sections[last].lines += 1
      sections[last].bytes += size
    } else {
      sections.append((key, 1, size))
    }
  }

  private static func isSame(_ lhs: BundleSection.Key, _ rhs: BundleSection.Key) -> Bool {
    lhs.kind == rhs.kind && lhs.database == rhs.database && lhs.recordType == rhs.recordType
      && lhs.zoneID == rhs.zoneID
  }

  /// Compares what the lines of a file gave with what its index says.
  private mutating func endFile() {
    guard let file else { return }
    let digest = SHA256Digest(over: digests).description
    if digest != file.index.contentDigest {
      report.add(
        "the lines have the content digest \(digest), and the index says "
          + file.index.contentDigest, in: file.name)
    }
    report.contentDigests.append(digest)
    let listed = file.index.sections
    let isSame =
      listed.count == sections.count
      && zip(listed, sections).allSatisfy { section, counted in
        section.takes(counted.key) && section.lines == counted.lines
          && section.bytes == counted.bytes
      }
    if !isSame {
      report.add("the index lists other sections than the lines make", in: file.name)
    }
    digests = []
    sections = []
  }

  /// Compares what was left open, and returns the report.
  mutating func finish(in source: String) -> VerifyReport {
    endFile()
    do {
      try order.checkAssetIsWhole(in: source)
    } catch {
      report.add((error as? BundleError)?.message ?? "\(error)", in: source)
    }
    let missing = wantedAssets.subtracting(storedAssets).map(\.description).sorted()
    for digest in missing.prefix(VerifyReport.mostListed) {
      report.add("a record holds asset \(digest), which is not in the bundle", in: source)
    }
    report.findingCount += max(0, missing.count - VerifyReport.mostListed)
    return report
  }
}
