import CZstd

/// Finds out what a file is that does not open as a bundle.
struct FileDiagnosis {
  private let file: RandomAccessFile
  private let beginning: [UInt8]

  /// Reads the file's first bytes.
  init(_ file: RandomAccessFile) throws {
    self.file = file
    beginning = try file.bytes(at: 0, count: 512)
  }

  /// Checks that a file that ends with a seek table begins with a frame.
  func checkBeginning() throws {
    let magic = beginning.withUnsafeBytes { $0.littleEndianUInt32(at: 0) }
    guard magic != ZstdFormat.frameMagic else { return }
    throw FrameError(
      .damaged, in: file.name, frame: 0, at: 0,
      "the file ends with a seek table but does not begin with a zstd frame: its beginning is "
        + "damaged, or it is no bundle. `recordpack recover` saves the intact frames")
  }

  /// The error for a file that does not end with a seek table.
  func errorWithoutSeekTable() throws -> FrameError {
    guard let magic = beginning.withUnsafeBytes({ $0.littleEndianUInt32(at: 0) }) else {
      return tooShortError()
    }
    guard magic == ZstdFormat.frameMagic else {
      if ZstdFormat.isSkippable(magic) {
        return foreign("it begins with a skippable frame and has no seek table at its end")
      }
      let name = FileSignature.describe(beginning)
      return foreign(name.map { "it is \($0)" } ?? "its first bytes are not those of a zstd file")
    }
    switch try firstBytesOfContent() {
    case let content? where content.starts(with: FileSignature.bundleHeader):
      return FrameError(
        .truncated, in: file.name, at: file.size,
        "it begins as a bundle but does not end as one: the seek table is missing. The file was "
          + "cut off, or something was appended to it. `recordpack recover` saves what is intact")
    case let content? where !FileSignature.bundleHeader.starts(with: content):
      return foreign("it is a zstd file of something else, without a seek table")
    default:
      return FrameError(
        .truncated, in: file.name, at: file.size,
        "it begins as a zstd file but breaks off inside its first frame, or that is damaged; "
          + "there is nothing to read")
    }
  }

  private func tooShortError() -> FrameError {
    let magic = withUnsafeBytes(of: ZstdFormat.frameMagic.littleEndian) { Array($0) }
    if magic.starts(with: beginning) {
      return FrameError(
        .truncated, in: file.name, at: file.size,
        "it has only \(file.size) bytes: it was cut off right at its beginning")
    }
    return foreign("it has only \(file.size) bytes")
  }

  private func foreign(_ finding: String) -> FrameError {
    FrameError(.foreignFile, in: file.name, "not a bundle: \(finding)")
  }

  /// Decodes the beginning of the first frame; `nil` where that is not possible.
  private func firstBytesOfContent() throws -> [UInt8]? {
    guard let context = ZSTD_createDCtx() else { return nil }
    defer { ZSTD_freeDCtx(context) }
    // The first block is enough: at most 128 KiB, behind the header.
    let count = ZstdFormat.maxBlockSize + 64
    let compressed = try file.bytes(at: 0, count: Int(min(file.size, UInt64(count))))
    return compressed.withUnsafeBytes { source in
      let content = [UInt8](unsafeUninitializedCapacity: 256) { target, length in
        var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
        var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
        while output.pos < output.size, input.pos < input.size {
          let before = (input.pos, output.pos)
          let result = ZSTD_decompressStream(context, &output, &input)
          if ZSTD_isError(result) != 0 || result == 0 || before == (input.pos, output.pos) { break }
        }
        length = output.pos
      }
      return content.isEmpty ? nil : content
    }
  }
}
