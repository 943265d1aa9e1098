import RecordCompression

/// Determines what a file is that cannot be opened as a bundle.
struct FileDiagnosis {
  private let file: RandomAccessFile

  /// The number of bytes needed to recognize a file: the first block of its first frame, at most
  /// 128 KiB, and the header before it.
  static let beginningSize = ZstdFormat.maxBlockSize + 64

  init(_ file: RandomAccessFile) { self.file = file }

  /// Returns the first ``beginningSize`` bytes, or all if there are fewer.
  private func beginning() throws -> [UInt8] {
    try file.bytes(at: 0, count: Int(min(file.size, UInt64(Self.beginningSize))))
  }

  /// Checks that a file that ends with a seek table begins with a frame.
  func checkBeginning() throws {
    let magic = try file.bytes(at: 0, count: 4).withUnsafeBytes { $0.littleEndianUInt32(at: 0) }
    guard magic != ZstdFormat.frameMagic else { return }
    throw BundleError(
      .damaged, in: file.name, frame: 0, at: 0,
      "the file ends with a seek table but does not begin with a zstd frame: its beginning is "
        + "damaged, or it is not a bundle. `recordpack recover` saves the intact frames")
  }

  /// Returns the error for a file that does not end with a seek table.
  func errorWithoutSeekTable() throws -> BundleError {
    let beginning = try beginning()
    if beginning.count < 4 { return tooShortError(beginning) }
    if let error = Self.foreignError(beginning: beginning, name: file.name) { return error }
    if try isCompressedAgain() {
      return BundleError(
        .damaged, in: file.name,
        "another program compressed the bundle again, so that it has no seek table at its end. "
          + "`recordpack recover` writes a bundle of its lines")
    }
    if Self.isSkippable(beginning) {
      return Self.foreign(
        file.name, "it begins with a skippable frame and has no seek table at its end")
    }
    if let content = Self.firstBytesOfContent(beginning),
      content.starts(with: FileSignature.bundleHeader)
    {
      return BundleError(
        .truncated, in: file.name, at: file.size,
        "the seek table at the end of the bundle is missing: the file was truncated, or data was "
          + "appended to it. `recordpack recover` saves what is intact")
    }
    return BundleError(
      .truncated, in: file.name, at: file.size,
      "it begins as a zstd file but ends within its first frame, or the frame is damaged; "
        + "there is nothing to read")
  }

  /// Whether the file begins as a bundle, but not as any writer of bundles begins: the first frame
  /// with content has more than the header.
  private func isCompressedAgain() throws -> Bool {
    var isOne = false
    var lines = 0
    let stream = try ZstdLines(file)
    _ = try stream.forEachLine { line, _ in
      lines += 1
      isOne = lines == 2 && stream.frames == 0
      return lines == 1 && line.starts(with: FileSignature.bundleHeader)
    }
    return isOne
  }

  /// Returns the error for a file without an intact frame.
  func errorWithoutFrames() throws -> BundleError {
    try Self.foreignError(beginning: beginning(), name: file.name)
      ?? BundleError(
        .notABundle, in: file.name,
        "it has no intact zstd frame: nothing can be saved, or it is not a bundle")
  }

  /// Returns the error for first bytes that cannot be those of a bundle; `nil` if they may be.
  /// - Parameter beginning: the first ``beginningSize`` bytes, or all if there are fewer.
  static func foreignError(beginning: [UInt8], name: String) -> BundleError? {
    guard let magic = beginning.withUnsafeBytes({ $0.littleEndianUInt32(at: 0) }) else {
      return nil
    }
    if ZstdFormat.isSkippable(magic) { return nil }
    guard magic == ZstdFormat.frameMagic else {
      let kind = FileSignature.describe(Array(beginning.prefix(512)))
      return foreign(
        name, kind.map { "it is \($0)" } ?? "its first bytes are not those of a zstd file")
    }
    let header = FileSignature.bundleHeader
    guard let content = firstBytesOfContent(beginning), !content.starts(with: header),
      !header.starts(with: content)
    else { return nil }
    return foreign(name, "it is a zstd file with other content")
  }

  private func tooShortError(_ beginning: [UInt8]) -> BundleError {
    let magic = withUnsafeBytes(of: ZstdFormat.frameMagic.littleEndian) { Array($0) }
    if magic.starts(with: beginning) {
      return BundleError(
        .truncated, in: file.name, at: file.size,
        "it is truncated: it has only \(file.size) bytes")
    }
    return Self.foreign(file.name, "it has only \(file.size) bytes")
  }

  private static func foreign(_ name: String, _ finding: String) -> BundleError {
    BundleError(.notABundle, in: name, "not a bundle: \(finding)")
  }

  private static func isSkippable(_ beginning: [UInt8]) -> Bool {
    beginning.withUnsafeBytes { $0.littleEndianUInt32(at: 0) }.map(ZstdFormat.isSkippable) ?? false
  }

  /// Decompresses up to 256 bytes of the first frame; `nil` if that is not possible.
  private static func firstBytesOfContent(_ compressed: [UInt8]) -> [UInt8]? {
    guard let zstd = ZstdDecompressor() else { return nil }
    return compressed.withUnsafeBytes { source in
      let content = [UInt8](unsafeUninitializedCapacity: 256) { target, length in
        var position = 0
        while length < target.count, position < source.count,
          let progress = try? zstd.continue(
            UnsafeRawBufferPointer(rebasing: source[position...]),
            into: UnsafeMutableRawBufferPointer(
              rebasing: UnsafeMutableRawBufferPointer(target)[length...]))
        {
          position += progress.read
          length += progress.written
          if progress.isAtEnd || !progress.isAny { break }
        }
      }
      return content.isEmpty ? nil : content
    }
  }
}

/// Recognizes some well-known formats by their first bytes, for error messages.
enum FileSignature {
  private static let known: [(prefix: [UInt8], name: String)] = [
    ([0xFF, 0xD8, 0xFF], "a JPEG image"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "a PNG image"),
    (Array("GIF8".utf8), "a GIF image"),
    (Array("%PDF-".utf8), "a PDF document"),
    ([0x1F, 0x8B], "a gzip file"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive"),
    ([0x50, 0x4B, 0x05, 0x06], "an empty zip archive"),
    (Array("BZh".utf8), "a bzip2 file"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"),
    ([0x04, 0x22, 0x4D, 0x18], "an lz4 file"),
    (Array("SQLite format 3\0".utf8), "an SQLite database; to read a container, name its file"),
    (Array("bplist00".utf8), "a binary property list"),
    (Array("<?xml".utf8), "an XML file"),
    (Array("version https://git-lfs.github.com/".utf8), "a Git LFS pointer; run `git lfs pull`"),
    ([0x7F, 0x45, 0x4C, 0x46], "an executable"),
    ([0xCF, 0xFA, 0xED, 0xFE], "an executable"),
  ]

  /// The name of JSON.
  static let json = "JSON text"

  /// The beginning of a bundle's first line.
  static let bundleHeader = Array(#"{"kind":"header","format":"recordpack""#.utf8)

  /// Returns a name for the format of a file that begins with `bytes`; `nil` if unknown.
  static func describe(_ bytes: [UInt8]) -> String? {
    if let match = known.first(where: { bytes.starts(with: $0.prefix) }) { return match.name }
    if bytes.starts(with: bundleHeader) {
      return "an uncompressed bundle"
    }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      return nil
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return json }
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    return isText ? "plain text" : nil
  }
}
