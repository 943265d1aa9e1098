import RecordCoding

/// Writes one file of a bundle: header, lines and index.
final class BundleFileWriter {
  private let frames: FrameWriter
  private let name: String
  // One thread uses a writer, so that checks for each line would cost time for nothing.
  @exclusivity(unchecked) private var builder = BundleIndexBuilder()
  @exclusivity(unchecked) private var checkedFrames = 0
  /// Whether there are lines other than those that every file of the bundle has.
  @exclusivity(unchecked) private var hasOwnLines = false
  private let headerHash: ContentHash

  init(sink: any FrameSink, header: BundleHeader, options: FrameWriter.Options) throws {
    frames = try FrameWriter(sink: sink, options: options)
    name = sink.name
    let json = try header.jsonValue()
    headerHash = try frames.withLineBuffer { buffer in
      json.write(to: buffer)
      return try BundleHeader.contentHash(of: buffer.bytes)
    }
    try frames.finishLine()
    // Listing a bundle reads the first frame and the last, so the first holds only the header.
    try frames.endFrame()
  }

  func write(_ item: BundleItem, with records: RecordJSONWriter = .init()) throws {
    var beginsAsset = false
    if case .asset(let chunk) = item { beginsAsset = chunk.offset == 0 }
    try writeLine(in: item.key, name: item.name, beginsAsset: beginsAsset) {
      try item.writeLine(to: $0, with: records)
    }
  }

  /// Writes the zones of the previous files again.
  func repeatZones(_ zones: [BundleItem]) throws {
    frames.countsLines = false
    for zone in zones { try write(zone) }
    frames.countsLines = true
  }

  /// Writes the line that `body` appends to a buffer.
  ///
  /// - Parameters:
  ///   - name: the name by which the line is ordered; nil for zones and zone tombstones.
  ///   - isSameKey: whether the key is known to be that of the last line of the file.
  ///   - limit: the maximum size of the file in bytes; nil for no limit.
  /// - Returns: false if the line would exceed the limit, and was not written; never for the first.
  @inline(__always) @discardableResult
  func writeLine(
    in key: @autoclosure () -> LineKey, name: @autoclosure () -> String?,
    beginsAsset: Bool = false, isSameKey: Bool = false, limit: Int? = nil,
    _ body: (ByteBuffer) throws -> Void
  ) throws -> Bool {
    let size = try frames.withLineBuffer { buffer in
      let start = buffer.count
      try body(buffer)
      return buffer.count - start + 1
    }
    if let limit, hasOwnLines, size > frames.options.frameSize, try !hasRoom(for: size, limit) {
      frames.discardLine()
      return false
    }
    try frames.finishLine()
    hasOwnLines = hasOwnLines || key().kind != .zone
    builder.add(
      key(), name: name(), size: size, beginsAsset: beginsAsset, frame: frames.frameCount,
      isSameKey: isSameKey)
    return true
  }

  /// Whether a line that is larger than a frame is certain to fit.
  private func hasRoom(for lineSize: Int, _ limit: Int) throws -> Bool {
    let written = try frames.info(ofFrame: frames.frameCount - 1).endOffset
    let open = [frames.openFrameSize, lineSize].map(FrameWriter.Options.bound)
    return Int(written) + open[0] + open[1] + tailBound <= limit
  }

  /// The maximum size of index and seek table in bytes, which grow with frames and sections.
  private var tailBound: Int {
    4096 + (frames.frameCount + Self.lag) * 512 + builder.sectionCount * 256
  }

  /// The number of latest frames whose sizes are usually not asked for: waiting for a frame that is
  /// still being compressed would stall the threads.
  private static let lag = 8

  /// Whether another frame is certain to fit into a file of `limit` bytes.
  ///
  /// Checked once per frame; the result depends only on sizes, never on timing.
  func hasRoom(for limit: Int) throws -> Bool {
    let ended = frames.frameCount
    guard ended > checkedFrames else { return true }
    let frameBound = frames.options.frameBound
    if ended > Self.lag {
      let known = try Int(frames.info(ofFrame: ended - Self.lag - 1).endOffset)
      if known + (Self.lag + 2) * frameBound + tailBound <= limit {
        checkedFrames = ended
        return true
      }
    }
    // Every file takes at least one line of its own.
    guard hasOwnLines else { return true }
    let written = try Int(frames.info(ofFrame: ended - 1).endOffset)
    guard written + 2 * frameBound + tailBound <= limit else { return false }
    checkedFrames = ended
    return true
  }

  /// Returns a file size in which the header and the zones, which every file has, leave room for
  /// other lines; nil if `limit` is enough.
  ///
  /// Call before the first other line.
  func minimumSplitSize(for limit: Int) throws -> Int? {
    let written = try Int(frames.info(ofFrame: frames.frameCount - 1).endOffset)
    // The headers of further files are longer by a digest.
    let taken = written + tailBound + 256
    guard taken + 2 * frames.options.frameBound > limit else { return nil }
    // Larger files also have larger frames: at most an eighth of the file (``ShardOutput``).
    let size = 2 * (taken + FrameWriter.Options.bound(of: frames.openFrameSize))
    return (size / ShardOutput.minSplit + 1) * ShardOutput.minSplit
  }

  func finish(isLastShard: Bool?) throws -> BundleSummary.File {
    var index: BundleIndex?
    let summary = try frames.finish { infos in
      let made = builder.index(frames: infos, header: headerHash, isLastShard: isLastShard)
      index = made
      let buffer = ByteBuffer()
      made.jsonValue.write(to: buffer)
      try checkLength(of: buffer, made)
      return Array(buffer.bytes)
    }
    guard let index else {
      throw BundleError(.misuse, in: name, "the file was finished twice")
    }
    return BundleSummary.File(
      path: name, size: Int(summary.fileSize), index: index,
      indexSHA256: summary.frames.last?.digest.description ?? "")
  }

  private func checkLength(of line: ByteBuffer, _ index: BundleIndex) throws {
    let limit = frames.options.limits.maxLine
    guard line.count > limit else { return }
    throw BundleError(
      .limitExceeded, in: name,
      "the index of \(index.sections.count) sections and \(index.frames.count) frames has "
        + "\(line.count) bytes; the maximum is \(limit). Split the bundle into several files")
  }

  func cancel() { frames.cancel() }
}
