import Foundation
import RecordPlatform

/// Bytes that replace those of an asset or a field: a constant of their kind.
struct ReplacementContent: Sendable {
  /// The kind of file that bytes are, by their beginning.
  private enum Kind {
    /// Text in UTF-8.
    case text
    /// A JSON object or array.
    case json
    /// A PNG or JPEG image that can be shown.
    case image(AssetKind)
    /// A format that begins with these bytes.
    case format([UInt8])
  }

  private let kind: Kind
  let size: Int
  private let seed: UInt64

  /// The number of bytes from the beginning that tell the kind.
  static let beginningSize = AssetKind.beginningSize
  /// The size of contents that do not keep theirs; an image needs 200 bytes.
  static let usualSize = 256
  /// Larger images are not made, but only begin as such.
  private static let maxImageSize = 16 << 20

  /// How formats begin, and the bytes that replace this beginning. Sizes and versions in there become
  /// constants.
  private static let formats: [(offset: Int, bytes: [UInt8], opening: [UInt8])] = [
    (0, Array("GIF8".utf8), Array("GIF89a".utf8)),
    (0, Array("%PDF-".utf8), Array("%PDF-1.7".utf8)),
    (0, [0x50, 0x4B, 0x03, 0x04], [0x50, 0x4B, 0x03, 0x04]),  // ZIP
    (0, [0x1F, 0x8B, 0x08], [0x1F, 0x8B, 0x08]),  // gzip
    (0, Array("bplist00".utf8), Array("bplist00".utf8)),
    (0, Array("RIFF".utf8), Array("RIFF".utf8)),  // WebP, WAVE
    (0, Array("SQLite format 3\0".utf8), Array("SQLite format 3\0".utf8)),
    (0, Array("ID3".utf8), Array("ID3".utf8)),
    (0, Array("OggS".utf8), Array("OggS".utf8)),
    (4, Array("ftyp".utf8), [0, 0, 0, 24] + Array("ftyp".utf8)),  // HEIC, MPEG-4
  ]

  /// - Parameters:
  ///   - beginning: up to ``beginningSize`` bytes of what is replaced.
  ///   - size: The size; nil for the one of all contents.
  ///   - seed: A number that makes the content differ from others of its kind; 0 for the constant.
  init(replacing beginning: UnsafeRawBufferPointer, size: Int? = nil, seed: UInt64 = 0) {
    self.size = size ?? Self.usualSize
    self.seed = seed
    let kind = Self.kind(of: beginning)
    if case .image(let image) = kind,
      !(AssetMaker.minimumSize(image)...Self.maxImageSize ~= self.size)
    {
      self.kind = .format(Array(AssetMaker.bytes(image, size: Self.usualSize, seed: 0).prefix(3)))
    } else {
      self.kind = kind
    }
  }

  private static func kind(of beginning: UnsafeRawBufferPointer) -> Kind {
    for format in formats where beginning.dropFirst(format.offset).starts(with: format.bytes) {
      return .format(format.opening)
    }
    let kind = AssetKind(beginning: beginning)
    switch kind {
    case .png, .jpeg: return .image(kind)
    case .bytes: return .format([])
    case .text: break
    }
    let first = beginning.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .text
  }

  /// Calls `body` with the bytes in chunks; with an empty one if there are none.
  ///
  /// - Parameter chunkSize: The size of a chunk, a multiple of 8; the bytes are the same.
  func forEachChunk(
    of chunkSize: Int = 1 << 18, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    if case .image(let kind) = kind {
      return try AssetMaker.bytes(kind, size: size, seed: seed).withUnsafeBytes(body)
    }
    var random = SeededNumbers(seed: seed)
    var offset = 0
    repeat {
      let count = min(chunkSize, size - offset)
      var chunk = bytes(count, &random)
      putEnds(&chunk, at: offset)
      try chunk.withUnsafeBytes(body)
      offset += count
    } while offset < size
  }

  private func bytes(_ count: Int, _ random: inout SeededNumbers) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      let word = random.next()
      switch kind {
      case .text, .json:
        for shift in stride(from: 0, to: 64, by: 8) {
          bytes.append(Self.letters[Int(truncatingIfNeeded: word >> UInt64(shift)) & 31])
        }
      default: withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
      }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// 32 letters and spaces without vowels, so that no word appears.
  private static let letters = Array("bcdfghjklmnpqrstvwxzbcdfghjklm   ".utf8.prefix(32))

  /// Writes the beginning of a format, or the quotes of an array of one string, over a chunk.
  private func putEnds(_ chunk: inout [UInt8], at offset: Int) {
    var ends: [(place: Int, byte: UInt8)] = []
    switch kind {
    case .format(let opening): ends = opening.prefix(size).enumerated().map { ($0, $1) }
    case .json where size >= 4:
      ends = [(0, 0x5B), (1, 0x22), (size - 2, 0x22), (size - 1, 0x5D)]
    case .json: ends = Array(["", "0", "[]", "[0]"][size].utf8.enumerated()).map { ($0, $1) }
    default: break
    }
    for (place, byte) in ends where chunk.indices ~= place - offset {
      chunk[place - offset] = byte
    }
  }

  /// All bytes.
  var data: Data {
    var data = Data(capacity: size)
    forEachChunk { data.append(contentsOf: $0) }
    return data
  }

  /// The digest of all bytes.
  var sha256: SHA256Digest {
    var hash = SHA256()
    forEachChunk { hash.update($0) }
    return hash.finalize()
  }
}
