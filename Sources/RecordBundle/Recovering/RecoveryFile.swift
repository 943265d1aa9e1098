import RecordCoding
import RecordModel
import RecordPlatform

/// A damaged file after the first pass, which finds its intact frames, with the choice of the frames
/// to save.
///
/// An intact index tells which frames belong to the file. Frames that it does not list are not
/// saved: they may belong to another bundle, or to an older copy of this one. If no frame matches
/// the index, or unlisted frames complete its lines, another program compressed the file again, and
/// all count.
final class RecoveryFile {
  let file: RandomAccessFile
  /// The header; nil if it is lost.
  private(set) var header: BundleHeader?
  /// The index; nil if it is lost.
  private(set) var index: BundleIndex?
  /// SHA-256 of the index frame, which the next file's header repeats; nil if it is lost.
  private(set) var indexDigest: SHA256Digest?
  /// The intact frames to save, without duplicates, in the order of the file.
  private(set) var frames: [RecoveryFrame] = []
  /// The intact frames that the index does not list.
  private(set) var unlistedFrames: [RecoveryFrame] = []
  /// The offsets of frames that are not intact, at most 65,536.
  private(set) var brokenFrames: [UInt64] = []
  /// The numbers of frames, and the damage.
  private(set) var damage = RecoveryReport()
  /// Whether another program compressed the file again.
  private(set) var isCompressedAgain = false
  /// Whether the lines of all intact frames are those that the index describes.
  private(set) var hasAllLines = false
  /// Whether the file has more frames than the format allows, and was not read to its end.
  private(set) var isCutShort = false
  /// The number of lines in the intact frames, without indexes.
  private(set) var lineCount = 0

  // The findings of the first pass.
  private var hasOtherHeader = false
  private var bytes = 0
  private var hashes: (header: ContentHash, zones: ContentHash, others: ContentHash) =
    (.init(), .init(), .init())
  private var digests: Set<SHA256Digest> = []
  private var keyBytes = 0
  private let reader = RecordJSONReader()

  private static let maxBrokenFrames = 1 << 16
  /// Usual keys take 100 bytes each; beyond this size, frames get the previous frame's key.
  private static let maxKeyBytes = 256 << 20
  /// The maximum number of frames that are searched for an index; a file has one.
  private static let maxIndexFrames = 64

  /// Scans a file.
  ///
  /// - Parameters:
  ///   - maxFrames: the number of frames that the format allows.
  ///   - progress: receives the offset of each intact frame.
  /// - Throws: ``BundleError`` for a file with two bundles or an unknown format version; errors of the
  ///   file, and of `progress`.
  init(
    _ file: RandomAccessFile, maxFrames: Int = FrameLimits.standard.maxFrames,
    progress: (UInt64) throws -> Void = { _ in }
  ) throws {
    self.file = file
    damage = try FrameRecovery.scan(file) { offset in
      if brokenFrames.count < Self.maxBrokenFrames { brokenFrames.append(offset) }
    } _: { content, digest in
      try progress(content.location.offset)
      guard frames.count < maxFrames else {
        isCutShort = true
        throw StopReading()
      }
      if digests.insert(digest).inserted { try add(content, digest) }
    }
    let decoder = try FrameDecoder(limits: .standard)
    let indexFrame = try chooseIndex(with: decoder)
    digests = []
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

  /// Whether the intact frames are those of a bundle, or have all of its lines.
  var isUnderstood: Bool { index != nil && (!isCompressedAgain || hasAllLines) }

  /// Returns the content of an intact frame, valid until the decoder's next one.
  func content(of frame: RecoveryFrame, with decoder: FrameDecoder) throws -> FrameContent {
    do {
      // The decoder checks the digest again.
      return try decoder.decode(
        FrameLocation(
          index: 0, offset: frame.offset, compressedSize: frame.compressedSize,
          digest: frame.digest), of: file)
    } catch let error as BundleError where error.code == .damaged {
      throw BundleError(
        .inputOutput, in: name, at: frame.offset, "the file was changed while it was read")
    }
  }

  /// Parses a line; nil for a header or an index.
  func item(_ line: UnsafeRawBufferPointer) throws -> BundleItem? {
    switch LineKind.kind(of: line) {
    case .header?, .index?: nil
    default: try BundleItem(line: line, at: LineLocation(source: name), with: reader)
    }
  }

  /// Parses a header; nil if the line is not one.
  ///
  /// - Throws: ``BundleError`` for an unknown format version: its lines may have another meaning,
  ///   so that the saved ones might be wrong.
  private func header(_ line: UnsafeRawBufferPointer) throws -> BundleHeader? {
    do {
      return try BundleHeader(line: line, of: name)
    } catch let error as BundleError where error.code == .tooNew {
      throw error
    } catch {
      return nil
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
}

// MARK: - The first pass

extension RecoveryFile {
  private func add(_ content: FrameContent, _ digest: SHA256Digest) throws {
    var (count, hasIndex) = (0, false)
    var key: [UInt8]?
    for line in content.lines {
      count += 1
      let kind = LineKind.anyKind(of: line)
      switch kind {
      case .index:
        hasIndex = true
        continue
      case .header: try add(header: line)
      case .zone: hashes.zones.add(line)
      default:
        hashes.others.add(line)
        key = key ?? (try? item(line))?.sortKey
      }
      lineCount += 1
      bytes += line.count + 1
    }
    keyBytes += key?.count ?? 0
    if keyBytes > Self.maxKeyBytes { key = nil }
    frames.append(
      RecoveryFrame(
        offset: content.location.offset, compressedSize: content.location.compressedSize,
        digest: digest, lines: count, hasIndex: hasIndex,
        sortKey: key ?? frames.last?.sortKey ?? []))
  }

  private func add(header line: UnsafeRawBufferPointer) throws {
    if let hash = try? BundleHeader.contentHash(of: line) { hashes.header = hashes.header + hash }
    guard let found = try header(line) else { return }
    if let header, header.container != found.container || header.shard != found.shard {
      hasOtherHeader = true
    }
    header = header ?? found
  }

  /// Chooses the index that lists the most frames that were found; of equal ones the last.
  ///
  /// - Returns: the frame of the index.
  private func chooseIndex(with decoder: FrameDecoder) throws -> RecoveryFrame? {
    var best: (frame: RecoveryFrame, listed: Int)?
    var whole = 0
    for frame in frames.filter(\.hasIndex).suffix(Self.maxIndexFrames) {
      for line in try content(of: frame, with: decoder).lines
      where LineKind.anyKind(of: line) == .index {
        guard let read = try? BundleIndex(line: line, of: name) else { continue }
        let listed = read.frames.count { digests.contains($0.digest) }
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
    guard let index else { return }
    let all = frames
    let listed = Set(index.frames.map(\.digest))
    frames = all.filter { listed.contains($0.digest) }
    unlistedFrames = all.filter {
      !listed.contains($0.digest) && $0.digest != indexFrame?.digest
    }
    let isFirst = header?.shard.map { $0.number == 1 } ?? true
    let hash = hashes.header + hashes.others + (isFirst ? hashes.zones : ContentHash())
    hasAllLines = lineCount == index.lines && bytes == index.bytes && hash == index.hash
    // A line that fills a frame, and a short header, may be compressed to the same bytes.
    let hasOnlyFirst = frames.allSatisfy { $0.digest == index.frames.first?.digest }
    let isListed =
      frames.count == listed.count
      || !frames.isEmpty && !hasAllLines && (!hasOnlyFirst || unlistedFrames.isEmpty)
    if !isListed, lineCount > 0 {
      isCompressedAgain = true
      (frames, unlistedFrames) = (all, [])
    } else {
      indexDigest = indexFrame?.digest
    }
  }

  /// Chooses the header in the frame that the index lists first; without an index, the only header.
  private func chooseHeader(with decoder: FrameDecoder) throws {
    guard let index, !isCompressedAgain else {
      guard !hasOtherHeader else { throw joinedError() }
      return
    }
    header = nil
    guard let first = frames.first(where: { $0.digest == index.frames.first?.digest }) else {
      return
    }
    for line in try content(of: first, with: decoder).lines where header == nil {
      header = try header(line)
    }
  }

  private func joinedError() -> BundleError {
    BundleError(
      .shards, in: name,
      "the file contains two bundles, one after the other. Split it, and recover each")
  }
}

// MARK: - The report

extension RecoveryReport {
  /// Adds the results of the first pass through a file.
  mutating func add(_ file: RecoveryFile) {
    sources.append(file.name)
    frames += file.damage.frames
    damage += file.damage.damage
    damageCount += file.damage.damageCount
    damagedBytes += file.damage.damagedBytes
    addLostFrames(of: file)
    for frame in file.unlistedFrames {
      leaveOut(
        "the frame at byte \(frame.offset) of '\(file.name)', "
          + "\(frame.lines) \(frame.lines == 1 ? "line" : "lines"): the index does not list it",
        lines: frame.lines)
    }
    if file.isCompressedAgain { addCompressedAgain(file) }
    if file.isCutShort {
      losses.append(
        "everything after the first \(FrameLimits.standard.maxFrames) frames of '\(file.name)'; "
          + "the format allows no more")
    }
    if file.index == nil {
      unknowns.append(
        "the index of '\(file.name)' is lost: the contents of its damaged parts, and whether "
          + "anything followed its last intact frame, are unknown")
    }
    if file.header == nil, file.index == nil || file.isCompressedAgain {
      losses.append("the header of '\(file.name)', with the schema")
    }
  }

  /// Adds the frames that the index lists but that were not found.
  private mutating func addLostFrames(of file: RecoveryFile) {
    guard let index = file.index, !file.isCompressedAgain else { return }
    let found = Set(file.frames.map(\.digest))
    for (number, frame) in index.frames.enumerated() where !found.contains(frame.digest) {
      lose(
        LostFrame(
          source: file.name, frame: number, lines: frame.lines,
          content: index.description(ofFrame: number)))
    }
  }

  /// Returns the note about a file whose lines were compressed again, and are complete.
  static func noteOfCompressedAgain(_ name: String) -> String {
    "another program compressed '\(name)' again; its lines match the index"
  }

  private mutating func addCompressedAgain(_ file: RecoveryFile) {
    if file.hasAllLines {
      notes.append(Self.noteOfCompressedAgain(file.name))
    } else {
      let fact = "another program compressed '\(file.name)' again"
      lostLines += max(0, (file.index?.lines ?? 0) - file.lineCount)
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

extension BundleItem {
  /// Bytes that compare as the lines do in a bundle. Only the first 256 bytes of each name count.
  fileprivate var sortKey: [UInt8] {
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
