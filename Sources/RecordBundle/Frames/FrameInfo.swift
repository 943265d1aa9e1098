import RecordPlatform

/// The metadata of a frame that was written.
struct FrameInfo: Sendable, Hashable {
  var offset: UInt64
  var compressedSize: UInt32
  /// The size of the content in bytes: whole lines, each with its newline.
  var size: UInt32
  var lineCount: UInt32
  /// The low 32 bits of the content's XXH64, as stored at the end of the frame.
  var checksum: UInt32
  /// SHA-256 of the compressed frame.
  var digest: SHA256Digest
  /// The sum of the hashes of the lines that count toward the content hash.
  var contentHash: ContentHash

  var endOffset: UInt64 { offset + UInt64(compressedSize) }
}

/// The location of a frame in a file, and what is known about it before it is read.
struct FrameLocation: Sendable, Hashable {
  let index: Int
  let offset: UInt64
  let compressedSize: Int
  /// The size of the content in bytes; `nil` if only the frame itself states it.
  var size: Int?
  /// The low 32 bits of the content's XXH64, if the seek table has them.
  var checksum: UInt32?
  /// Whether the frame is the last one, whose digest is in the seal.
  var isLast = false
  /// SHA-256 of the compressed frame, if known.
  var digest: SHA256Digest?
}

/// The verified content of a frame: whole lines, of which the last ends with a newline, too.
///
/// The bytes are valid only in the closure that receives them.
struct FrameContent {
  let location: FrameLocation
  /// The lines with their newlines, followed by ``ByteBuffer/slack`` readable zero bytes.
  let bytes: UnsafeRawBufferPointer

  var index: Int { location.index }
  /// The lines, without their newlines.
  var lines: FrameLines { FrameLines(bytes) }
}

/// The identity of a bundle's content: the sum, modulo 2^64, of the XXH64 hashes of its lines.
///
/// It does not depend on the order of the lines, or on how they are split into frames and files.
struct ContentHash: Sendable, Hashable {
  private(set) var value: UInt64 = 0

  init() {}

  /// Creates the hash of lines without their line feeds.
  init(of lines: some Sequence<UnsafeRawBufferPointer>) {
    for line in lines { add(line) }
  }

  /// Adds a line without its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer) { value &+= XXH64.hash(line) }

  static func + (lhs: ContentHash, rhs: ContentHash) -> ContentHash {
    var sum = lhs
    sum.value &+= rhs.value
    return sum
  }
}

extension ContentHash: CustomStringConvertible {
  /// Parses 16 lowercase hexadecimal digits; `nil` for anything else.
  init?(hexadecimal text: String) {
    guard let value = HexadecimalHash.hash(of: text) else { return nil }
    self.value = value
  }

  /// The value as 16 lowercase hexadecimal digits.
  var description: String { HexadecimalHash.text(of: value) }
}
