import RecordCoding
import RecordModel

extension BundleSection {
  /// What the lines of a section have in common.
  struct Key {
    var kind: LineKind
    var database: DatabaseScope?
    var zoneID: ZoneID?
    var recordType: String?

    init(
      kind: LineKind, database: DatabaseScope? = nil, zoneID: ZoneID? = nil,
      recordType: String? = nil
    ) {
      self.kind = kind
      self.database = database
      self.zoneID = zoneID
      self.recordType = recordType
    }
  }

  /// Whether a line of that key belongs to this section.
  @inline(__always)
  func takes(_ key: Key) -> Bool {
    guard kind == key.kind, database == key.database, recordType == key.recordType else {
      return false
    }
    switch (zoneID, key.zoneID) {
    case (nil, nil): return true
    case (let own?, let other?): return own.isIdentical(to: other) || own == other
    default: return false
    }
  }
}

/// Writes one file of a bundle: the header, lines, the index.
final class BundleFileWriter {
  private let frames: FrameWriter
  private let name: String
  private let isSplit: Bool
  private var sections: [BundleSection] = []
  /// What the last section has grown by since it was last updated.
  private var tally = Tally()
  private var checkedFrames = 0

  private struct Tally {
    var lines = 0
    var bytes = 0
    var assets = 0
    var frame = 0
  }

  init(sink: any FrameSink, header: BundleHeader, options: FrameWriter.Options) throws {
    frames = try FrameWriter(sink: sink, options: options)
    name = sink.name
    isSplit = header.shard != nil
    let json = try header.jsonValue()
    try frames.withLineBuffer { json.write(to: $0) }
    try frames.finishLine()
    // Listing a bundle reads the first frame and the last: the first holds the header alone.
    try frames.endFrame()
  }

  func write(_ zone: RecordZone, _ database: DatabaseScope) throws {
    let json = try zone.jsonValue()
    try write(json, in: BundleSection.Key(kind: .zone, database: database))
  }

  /// Writes a line out of the members that follow `kind` and `database`.
  func write(_ content: JSONValue, in key: BundleSection.Key) throws {
    try writeLine(in: key) {
      BundleItem.line(of: key.kind, key.database, content).write(to: $0)
    }
  }

  /// Writes a line that `body` appends to the buffer it is given.
  @inline(__always)
  func writeLine(
    in key: BundleSection.Key, beginsAsset: Bool = false, _ body: (ByteBuffer) throws -> Void
  ) throws {
    let size = try frames.withLineBuffer { buffer in
      let start = buffer.count
      try body(buffer)
      return buffer.count - start + 1
    }
    try frames.finishLine()
    let frame = frames.frameCount
    if frame != tally.frame || sections.isEmpty || !sections[sections.count - 1].takes(key) {
      settleTally()
      begin(key, in: frame)
    }
    tally.lines &+= 1
    tally.bytes &+= size
    if beginsAsset { tally.assets &+= 1 }
  }

  /// Goes on in another section or frame.
  private func begin(_ key: BundleSection.Key, in frame: Int) {
    tally.frame = frame
    if let last = sections.last, last.takes(key) {
      sections[sections.count - 1].frames = last.frames.lowerBound...frame
    } else {
      sections.append(
        BundleSection(
          kind: key.kind, database: key.database, zoneID: key.zoneID, recordType: key.recordType,
          frame: frame))
    }
  }

  private func settleTally() {
    guard !sections.isEmpty else { return }
    let last = sections.count - 1
    sections[last].lines += tally.lines
    sections[last].bytes += tally.bytes
    sections[last].assets += tally.assets
    tally = Tally()
  }

  /// Frames whose sizes are asked for only once they are written anyway, so that asking does not
  /// make the threads wait for each other.
  private static let lag = 8

  /// Whether another frame surely fits into a file of `limit` bytes.
  ///
  /// Looked at once a frame; the answer depends on sizes only, never on timing.
  func hasRoom(for limit: Int) throws -> Bool {
    let ended = frames.frameCount
    guard ended > checkedFrames else { return true }
    let frameBound = frames.options.frameBound
    // The index and the seek table come last; their size grows with the frames and sections.
    let tail = 4096 + (ended + Self.lag) * 256 + sections.count * 256
    if ended > Self.lag {
      let known = try Int(frames.info(ofFrame: ended - Self.lag - 1).endOffset)
      if known + (Self.lag + 2) * frameBound + tail <= limit {
        checkedFrames = ended
        return true
      }
    }
    let written = try Int(frames.info(ofFrame: ended - 1).endOffset)
    guard written + 2 * frameBound + tail <= limit || ended <= 1 else { return false }
    checkedFrames = ended
    return true
  }

  func finish(isLastShard: Bool?) throws -> BundleSummary.File {
    settleTally()
    var index: BundleIndex?
    let summary = try frames.finish { infos in
      let made = BundleIndex(frames: infos, sections: sections, isLastShard: isLastShard)
      index = made
      let buffer = ByteBuffer()
      made.jsonValue.write(to: buffer)
      return Array(buffer.bytes)
    }
    guard let index else {
      throw FrameError(.misuse, in: name, "the file was finished twice")
    }
    return BundleSummary.File(path: name, size: Int(summary.fileSize), index: index)
  }

  func cancel() { frames.cancel() }
}
