import Foundation
import RecordPlatform

/// Bytes that replace those of an asset or a field: of the same kind and size.
struct CoverContent: Sendable, Hashable {
  /// What bytes are, judged by their beginning.
  enum Kind: Sendable, Hashable {
    /// Text in UTF-8.
    case text
    /// A JSON object or array.
    case json
    /// A PNG or JPEG image that can be shown.
    case image(AssetKind)
    /// A format that begins with these bytes.
    case format([UInt8])
  }

  let kind: Kind
  let size: Int
  let seed: UInt64

  /// The number of bytes from the beginning that tell the kind.
  static let beginningSize = 512

  /// The beginnings of formats, and how many bytes of them stay.
  private static let signatures: [(offset: Int, bytes: [UInt8], kept: Int)] = [
    (0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 8),  // PNG
    (0, [0xFF, 0xD8, 0xFF], 3),  // JPEG
    (0, Array("GIF8".utf8), 6),
    (0, Array("%PDF-".utf8), 8),
    (0, [0x50, 0x4B, 0x03, 0x04], 4),  // ZIP
    (0, [0x1F, 0x8B, 0x08], 3),  // gzip
    (0, Array("bplist00".utf8), 8),
    (0, Array("RIFF".utf8), 12),  // WebP, WAVE
    (0, Array("SQLite format 3\0".utf8), 16),
    (0, Array("ID3".utf8), 3),
    (0, Array("OggS".utf8), 4),
    (4, Array("ftyp".utf8), 12),  // HEIC, MPEG-4
  ]

  /// - Parameter beginning: up to ``beginningSize`` bytes of what is replaced.
  init(replacing beginning: UnsafeRawBufferPointer, size: Int, seed: UInt64) {
    let kind = Self.kind(of: beginning)
    self.kind = Self.image(kind, size) ?? kind
    self.size = size
    self.seed = seed
  }

  /// Larger images are not made, but only begin as such.
  private static let maxImageSize = 16 << 20

  private static func image(_ kind: Kind, _ size: Int) -> Kind? {
    guard case .format(let opening) = kind else { return nil }
    let image: AssetKind
    switch opening.first {
    case 0x89: image = .png
    case 0xFF: image = .jpeg
    default: return nil
    }
    return AssetMaker.minimumSize(image)...maxImageSize ~= size ? .image(image) : nil
  }

  private static func kind(of beginning: UnsafeRawBufferPointer) -> Kind {
    for signature in signatures
    where beginning.dropFirst(signature.offset).starts(with: signature.bytes) {
      return .format(Array(beginning.prefix(signature.kept)))
    }
    // Only a beginning that goes on may end within a character.
    let cut = beginning.count < beginningSize ? 0 : 3
    let isText =
      !beginning.isEmpty && beginning.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
      && (0...cut).contains {
        String(validating: beginning.dropLast($0), as: UTF8.self) != nil
      }
    guard isText else { return .format([]) }
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
    var chunk = [UInt8](repeating: 0, count: min(chunkSize, size))
    repeat {
      let count = min(chunkSize, size - offset)
      fill(&chunk, count, at: offset, &random)
      try chunk.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
    } while offset < size
  }

  private func fill(
    _ chunk: inout [UInt8], _ count: Int, at offset: Int, _ random: inout SeededNumbers
  ) {
    switch kind {
    case .image: break
    case .text, .json:
      for index in 0..<count { chunk[index] = Self.letter(&random) }
    case .format(let opening):
      var index = 0
      while index < count {
        var word = random.next()
        for _ in 0..<min(8, count - index) {
          chunk[index] = UInt8(truncatingIfNeeded: word)
          word >>= 8
          index += 1
        }
      }
      for place in opening.indices where place >= offset && place < offset + count {
        chunk[place - offset] = opening[place]
      }
    }
    guard kind == .json else { return }
    // An array of one string.
    for (place, byte) in [(0, 0x5B), (1, 0x22), (size - 2, 0x22), (size - 1, 0x5D)]
    where place >= offset && place < offset + count && size >= 4 {
      chunk[place - offset] = UInt8(byte)
    }
    if size < 4 {
      let short = Array(["", "0", "[]", "[0]"][size].utf8)
      for index in 0..<count { chunk[index] = short[index] }
    }
  }

  private static func letter(_ random: inout SeededNumbers) -> UInt8 {
    let number = random.below(120)
    return number < 100 ? consonants[number % 20] : 0x20
  }

  private static let consonants = Array("bcdfghjklmnpqrstvwxz".utf8)

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
