import RecordCoding

/// A whole bundle that another program compressed again, as `zstd` and `pzstd` do.
///
/// Its frames may have no checksum and any size. The index, the last line, has the number of all
/// lines and the hash of their content, which prove that nothing was lost or changed.
struct RecompressedBundle {
  private let file: RandomAccessFile
  private let header: BundleHeader
  private var report = RecoveryReport()

  /// Reads a file to its end; nil if its lines are not those that its last line describes.
  ///
  /// - Parameter progress: receives the number of bytes read so far.
  init?(_ file: RandomAccessFile, progress: (UInt64) throws -> Void) throws {
    var (header, index): (BundleHeader?, BundleIndex?)
    var (lines, bytes, hash) = (0, 0, ContentHash())
    let stream = try ZstdLines(file)
    let isWhole = try stream.forEachLine { line, position in
      try progress(position)
      guard index == nil else { return false }
      if lines == 0 {
        header = try? BundleHeader(line: line, of: file.name)
        guard header != nil, let own = try? BundleHeader.contentHash(of: line) else { return false }
        hash = own
      } else if LineKind.anyKind(of: line) == .index {
        index = try? BundleIndex(line: line, of: file.name)
        return index != nil
      } else {
        hash.add(line)
      }
      lines += 1
      bytes += line.count + 1
      return true
    }
    // The zones of a split bundle count once, in its first file.
    guard isWhole, let header, header.shard == nil, let index, index.lines == lines,
      index.bytes == bytes, index.hash == hash
    else { return nil }
    self.file = file
    self.header = header
    report.frames = stream.frames
    report.sources = [file.name]
    report.notes = [RecoveryReport.noteOfCompressedAgain(file.name)]
  }

  /// Writes a new bundle of the lines.
  ///
  /// - Parameter progress: receives the number of bytes read so far.
  func save(
    to path: String, _ options: BundleWriter.Options, overwrite: Bool,
    progress: (UInt64) throws -> Void
  ) throws -> RecoveryReport {
    var report = report
    let writer = try BundleWriter(
      path: path, container: header.container, options: options, overwrite: overwrite)
    let reader = RecordJSONReader()
    var assets = AssetCheck()
    let isWhole = try ZstdLines(file).forEachLine { line, position in
      try progress(position)
      let place = LineLocation(source: file.name)
      if let item = try BundleItem(line: line, at: place, with: reader) {
        assets.add(item, line)
        try writer.write(item)
        report.saved[item.kind, default: 0] += 1
      }
      return true
    }
    guard isWhole else {
      throw BundleError(.inputOutput, in: file.name, "the file was changed while it was read")
    }
    report.missingAssets = assets.missing.map(\.description).sorted()
    report.summary = try writer.finish()
    return report
  }
}
