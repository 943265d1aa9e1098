import RecordCoding
import RecordModel
import RecordPlatform

/// A damaged file after the first pass, with the choice of the frames to save.
///
/// An intact index tells which frames belong to the file. Frames that it does not list are not
/// saved: they may belong to another bundle, or to an older copy of this one. If no frame matches
/// the index, or unlisted frames complete its lines, another program compressed the file again, and
/// all count.
final class RecoverySource {
  let file: RandomAccessFile
  /// The header; nil if it is lost.
  private(set) var header: BundleHeader?
  /// The index; nil if it is lost.
  private(set) var index: BundleIndex?
  /// SHA-256 of the index frame, which the next file's header repeats; nil if it is lost.
  private(set) var indexDigest: SHA256Digest?
  /// The intact frames to save.
  private(set) var frames: [RecoveryFrame] = []
  /// The intact frames that the index does not list.
  private(set) var unlistedFrames: [RecoveryFrame] = []
  /// Whether another program compressed the file again.
  private(set) var isCompressedAgain = false
  /// Whether the lines of all intact frames are those that the index describes.
  private(set) var hasAllLines = false
  /// The result of the first pass.
  let scan: RecoveryScan
  let lines: RecoveryLines

  /// The maximum number of frames that are searched for an index; a file has one.
  private static let maxIndexFrames = 64

  /// Scans a file.
  ///
  /// - Parameter progress: receives the offset of each intact frame.
  /// - Throws: ``BundleError`` for a file with two bundles or an unknown format version.
  init(_ file: RandomAccessFile, progress: (UInt64) throws -> Void = { _ in }) throws {
    self.file = file
    lines = RecoveryLines(name: file.name)
    scan = try RecoveryScan(file, lines, progress: progress)
    let decoder = try FrameDecoder(limits: .standard)
    let indexFrame = try chooseIndex(with: decoder)
    chooseFrames(indexFrame)
    try chooseHeader(with: decoder)
  }

  var name: String { file.name }

  /// The number of the file in its split bundle; nil for a whole bundle, or if it is unknown.
  var number: Int? {
    let number = header == nil ? ShardNames.number(in: name) : header?.shard?.number
    return number.flatMap { $0 <= ShardOutput.maxShards ? $0 : nil }
  }

  /// Whether the file is known to belong to a split bundle.
  var isShard: Bool { header?.shard != nil || index?.isLastShard != nil }

  /// Whether the file is known to be a whole bundle.
  var isWhole: Bool { !isShard && (header != nil || index != nil) }

  /// Returns the content of an intact frame, valid until the decoder's next one.
  func content(of frame: RecoveryFrame, with decoder: FrameDecoder) throws -> FrameContent {
    do {
      return try decoder.decode(frame.location(index: 0), of: file)
    } catch let error as BundleError where error.code == .damaged {
      throw BundleError(
        .inputOutput, in: name, at: frame.offset, "the file was changed while it was read")
    }
  }
}

extension RecoverySource {
  /// Chooses the index that lists the most frames that were found; of equal ones the last.
  ///
  /// - Returns: the frame of the index.
  private func chooseIndex(with decoder: FrameDecoder) throws -> RecoveryFrame? {
    let found = Set(scan.frames.map(\.digest))
    var best: (frame: RecoveryFrame, listed: Int)?
    var whole = 0
    for frame in scan.frames.filter(\.hasIndex).suffix(Self.maxIndexFrames) {
      for line in try content(of: frame, with: decoder).lines
      where LineKind.anyKind(of: line) == .index {
        guard let read = lines.index(line) else { continue }
        let listed = read.frames.count { found.contains($0.digest) }
        if listed == read.frames.count, listed > 1 { whole += 1 }
        guard listed >= best?.listed ?? 0 else { continue }
        best = (frame, listed)
        index = read
      }
    }
    guard whole < 2 else { throw joinedError() }
    return best?.frame
  }

  private func chooseFrames(_ indexFrame: RecoveryFrame?) {
    guard let index else {
      frames = scan.frames
      return
    }
    let listed = Set(index.frames.map(\.digest))
    frames = scan.frames.filter { listed.contains($0.digest) }
    unlistedFrames = scan.frames.filter {
      !listed.contains($0.digest) && $0.digest != indexFrame?.digest
    }
    let isFirst = scan.header?.shard.map { $0.number == 1 } ?? true
    hasAllLines = scan.counts.matches(index, isFirst: isFirst)
    // A line that fills a frame, and a short header, may be compressed to the same bytes.
    let hasOnlyFirst = frames.allSatisfy { $0.digest == index.frames.first?.digest }
    let isListed =
      frames.count == listed.count
      || !frames.isEmpty && !hasAllLines && (!hasOnlyFirst || unlistedFrames.isEmpty)
    if !isListed, scan.counts.lines > 0 {
      isCompressedAgain = true
      (frames, unlistedFrames) = (scan.frames, [])
    } else {
      indexDigest = indexFrame?.digest
    }
  }

  /// Chooses the header in the frame that the index lists first; without an index, the only header.
  private func chooseHeader(with decoder: FrameDecoder) throws {
    guard let index, !isCompressedAgain else {
      guard !scan.hasOtherHeader else { throw joinedError() }
      header = scan.header
      return
    }
    guard let first = frames.first(where: { $0.digest == index.frames.first?.digest }) else {
      return
    }
    for line in try content(of: first, with: decoder).lines where header == nil {
      header = try lines.header(line)
    }
  }

  private func joinedError() -> BundleError {
    BundleError(
      .shards, in: name,
      "the file contains two bundles, one after the other. Split it, and recover each")
  }
}

/// The first pass through a damaged file, which finds intact frames, header and indexes.
struct RecoveryScan {
  /// The intact frames, without duplicates, in the order of the file.
  private(set) var frames: [RecoveryFrame] = []
  /// The first header.
  private(set) var header: BundleHeader?
  /// Whether a header differs from the first.
  private(set) var hasOtherHeader = false
  /// The offsets of frames that are not intact, at most 65,536.
  private(set) var brokenFrames: [UInt64] = []
  private static let maxBrokenFrames = 1 << 16
  /// The lines of the intact frames, without indexes.
  private(set) var counts = LineCounts()
  /// The numbers of frames, and the damage.
  private(set) var report = RecoveryReport()
  /// Whether the file has more frames than the format allows, and was not read to its end.
  private(set) var isCutShort = false

  private var lines: RecoveryLines
  private var digests: Set<SHA256Digest> = []
  private var keyBytes = 0
  /// Usual keys take 100 bytes each; beyond this size, frames get the previous frame's key.
  private static let maxKeyBytes = 256 << 20

  /// Scans a file.
  ///
  /// - Parameter progress: receives the offset of each intact frame.
  /// - Throws: ``BundleError`` for an unknown format version; errors of the file, and of
  ///   `progress`.
  init(
    _ file: RandomAccessFile, _ lines: RecoveryLines, progress: (UInt64) throws -> Void
  ) throws {
    self.lines = lines
    var scan = self
    let report = try FrameRecovery.scan(file) { offset in
      if scan.brokenFrames.count < Self.maxBrokenFrames { scan.brokenFrames.append(offset) }
    } _: { content, digest in
      try progress(content.location.offset)
      guard scan.frames.count < FrameLimits.standard.maxFrames else {
        scan.isCutShort = true
        throw StopReading()
      }
      if scan.digests.insert(digest).inserted { try scan.add(content, digest) }
    }
    self = scan
    self.report = report
    digests = []
  }

  private mutating func add(_ content: FrameContent, _ digest: SHA256Digest) throws {
    var (lineCount, hasIndex) = (0, false)
    var key: [UInt8]?
    for line in content.lines {
      let kind = LineKind.anyKind(of: line)
      lineCount += 1
      switch kind {
      case .index:
        hasIndex = true
        continue
      case .header: try add(header: line)
      case .zone: break
      default: key = key ?? (try? lines.item(line))?.sortKey
      }
      counts.add(line, kind)
    }
    keyBytes += key?.count ?? 0
    if keyBytes > Self.maxKeyBytes { key = nil }
    frames.append(
      RecoveryFrame(
        offset: content.location.offset, compressedSize: content.location.compressedSize,
        digest: digest, lines: lineCount, hasIndex: hasIndex,
        sortKey: key ?? frames.last?.sortKey ?? []))
  }

  private mutating func add(header line: UnsafeRawBufferPointer) throws {
    guard let found = try lines.header(line) else { return }
    guard let header else {
      header = found
      return
    }
    if header.container != found.container || header.shard != found.shard { hasOtherHeader = true }
  }

}

/// Parses the lines of a damaged file.
final class RecoveryLines {
  private let name: String
  private let reader = RecordJSONReader()

  init(name: String) { self.name = name }

  /// Parses a header; nil if the line is not one.
  ///
  /// - Throws: ``BundleError`` for an unknown format version: its lines may have another meaning,
  ///   so that the saved ones might be wrong.
  func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name)
    } catch let error as BundleError where error.code == .tooNew {
      throw error
    } catch {
      return nil
    }
  }

  /// Parses an index; nil if the line is not one.
  func index(_ line: UnsafeRawBufferPointer) -> BundleIndex? {
    try? BundleIndex(line: line, of: name)
  }

  /// Parses any other line; nil for a header or an index.
  func item(_ line: UnsafeRawBufferPointer) throws -> BundleItem? {
    switch LineKind.kind(of: line) {
    case .header?, .index?: nil
    default: try BundleItem(line: line, at: LineLocation(source: name), with: reader)
    }
  }
}

/// An intact frame of a damaged file.
struct RecoveryFrame {
  let offset: UInt64
  let compressedSize: Int
  /// SHA-256 of the compressed frame.
  let digest: SHA256Digest
  let lines: Int
  /// Whether one of the lines is an index.
  let hasIndex: Bool
  /// The sort key of the first line that is not a zone; without any, that of the previous frame.
  let sortKey: [UInt8]

  /// Returns the location for a decoder, which checks the digest again.
  func location(index: Int) -> FrameLocation {
    FrameLocation(
      index: index, offset: offset, compressedSize: compressedSize, digest: digest)
  }
}

extension BundleItem {
  /// Bytes that compare as the lines do in a bundle. Only the first 256 bytes of each name count.
  var sortKey: [UInt8] {
    let key = key
    var bytes = [UInt8(key.kind.rank)]
    if let database = key.database { bytes.append(UInt8(database.rank)) }
    for name in [key.zoneID?.ownerName, key.zoneID?.zoneName, key.recordType, name] {
      guard let name else { continue }
      // The terminator precedes every byte of a longer name.
      for byte in name.utf8.prefix(256) { bytes += byte == 0 ? [0, 1] : [byte] }
      bytes += [0, 0]
    }
    if case .asset(let chunk) = self {
      withUnsafeBytes(of: UInt64(chunk.offset).bigEndian) { bytes += $0 }
    }
    return bytes
  }
}

/// The numbers and hashes of the lines found in a file, to compare them with its index.
struct LineCounts {
  private(set) var lines = 0
  private var bytes = 0
  private var header = ContentHash()
  private var zones = ContentHash()
  private var others = ContentHash()

  /// Adds a line without its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer, _ kind: LineKind?) {
    lines += 1
    bytes += line.count + 1
    switch kind {
    case .header: header = header + ((try? BundleHeader.contentHash(of: line)) ?? ContentHash())
    case .zone: zones.add(line)
    default: others.add(line)
    }
  }

  /// Whether the lines are those that an index describes.
  ///
  /// - Parameter isFirst: whether the file is the first or only one of a bundle.
  func matches(_ index: BundleIndex, isFirst: Bool) -> Bool {
    let hash = header + others + (isFirst ? zones : ContentHash())
    return lines == index.lines && bytes == index.bytes && hash == index.hash
  }
}

extension RecoverySource {
  /// The frames that the index lists but that were not found.
  var lostFrames: [RecoveryReport.LostFrame] {
    guard let index, !isCompressedAgain else { return [] }
    let found = Set(frames.map(\.digest))
    return index.frames.enumerated().filter { !found.contains($0.element.digest) }.map {
      RecoveryReport.LostFrame(
        source: name, frame: $0.offset, lines: $0.element.lines,
        content: index.description(ofFrame: $0.offset))
    }
  }
}

extension RecoveryReport {
  /// Adds the results of the first pass through a file.
  mutating func add(_ source: RecoverySource) {
    let scan = source.scan.report
    sources.append(source.name)
    frames += scan.frames
    damage += scan.damage
    damageCount += scan.damageCount
    damagedBytes += scan.damagedBytes
    source.lostFrames.forEach { lose($0) }
    for frame in source.unlistedFrames {
      leaveOut(
        "the frame at byte \(frame.offset) of '\(source.name)', "
          + "\(frame.lines) \(frame.lines == 1 ? "line" : "lines"): the index does not list it",
        lines: frame.lines)
    }
    if source.isCompressedAgain { addCompressedAgain(source) }
    if source.scan.isCutShort {
      losses.append(
        "everything after the first \(FrameLimits.standard.maxFrames) frames of '\(source.name)'; "
          + "the format allows no more")
    }
    addMissing(source)
  }

  private mutating func addMissing(_ source: RecoverySource) {
    if source.index == nil {
      unknowns.append(
        "the index of '\(source.name)' is lost: the contents of its damaged parts, and whether "
          + "anything followed its last intact frame, are unknown")
    }
    if source.header == nil, source.index == nil || source.isCompressedAgain {
      losses.append("the header of '\(source.name)', with the schema")
    }
  }

  private mutating func addCompressedAgain(_ source: RecoverySource) {
    let fact = "another program compressed '\(source.name)' again"
    if source.hasAllLines {
      notes.append("\(fact); its lines match the index")
    } else {
      lostLines += max(0, (source.index?.lines ?? 0) - source.scan.counts.lines)
      unknowns.append(
        "\(fact), and not all its lines match the index: which were lost or "
          + "changed is unknown")
    }
  }
}

extension BundleIndex {
  /// Returns a description of the lines of a frame, as far as the index tells.
  fileprivate func description(ofFrame number: Int) -> String {
    guard number > 0 else { return "the header, with the schema" }
    let parts = sections.filter { $0.frames.contains(number) }.map { $0.key.description() }
    let hidden = parts.count > 4 ? ["\(parts.count - 3) other sections"] : []
    var text = (hidden.isEmpty ? parts : Array(parts.prefix(3)) + hidden).joined(separator: ", ")
    if let first = frames[number].first { text += "; from '\(first)'" }
    if number + 1 < frames.count, let next = frames[number + 1].first {
      text += " to before '\(next)'"
    }
    return text
  }
}
