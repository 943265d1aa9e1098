import Foundation
import RecordPlatform

/// Bytes that replace those of an asset or a field: a constant of their kind.
struct ReplacementContent: Sendable {
  /// The kind of file that bytes are, by their beginning.
  private enum Kind: Hashable {
    /// Text in UTF-8 between an opening and an end.
    case text([UInt8], [UInt8])
    /// A PNG or JPEG image that can be shown.
    case image(AssetKind)
    /// A file of another form that opens.
    case file(MadeUpFile)
    /// A format that begins with these bytes.
    case format([UInt8])
  }

  private let kind: Kind
  let size: Int
  private let seed: UInt64

  /// The number of bytes from the beginning that tell the kind.
  static let beginningSize = AssetKind.beginningSize
  /// The size of contents that do not keep theirs; a PDF needs 400 bytes.
  static let usualSize = 512
  /// Larger files are not made, but only begin as such.
  private static let maxFileSize = 16 << 20

  /// The forms of texts: how they begin, in small letters, and what is before and behind the letters that replace them.
  private static let texts: [(signatures: [String], opening: String, end: String)] = [
    (["{\\rtf"], "{\\rtf1 ", "}"), (["{", "["], "[\"", "\"]"),
    (["<!doctype html", "<html"], "<!DOCTYPE html><title>x</title>", ""),
    (["<svg"], "<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>", "</desc></svg>"),
    (["<?xml"], "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><string>", "</string></plist>"),
    (["begin:vcard"], "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:x\r\nNOTE:", "\r\nEND:VCARD\r\n"),
    (
      ["begin:vcalendar"], "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nX-NOTE:",
      "\r\nEND:VCALENDAR\r\n"
    ),
  ]

  /// - Parameters:
  ///   - beginning: up to ``beginningSize`` bytes of what is replaced.
  ///   - size: The size; nil for the one of all contents.
  ///   - seed: A number that makes the content differ from others of its kind; 0 for the constant.
  init(replacing beginning: UnsafeRawBufferPointer, size: Int? = nil, seed: UInt64 = 0) {
    self.size = size ?? Self.usualSize
    self.seed = seed
    let kind = Self.kind(of: beginning)
    switch kind {
    case .image(let image) where !(AssetMaker.minimumSize(image)...Self.maxFileSize ~= self.size):
      self.kind = .format(Array(AssetMaker.bytes(image, size: Self.usualSize, seed: 0).prefix(3)))
    case .file(let file) where !(Self.usualSize...Self.maxFileSize ~= self.size):
      self.kind = .format(file.signature)
    case .text(let opening, let end) where opening.count + end.count > self.size:
      self.kind = .text([], [])
    default: self.kind = kind
    }
  }

  /// The kind of file as a hash.
  var kindHash: UInt64 { RecordAnonymiser.node("kind", kind) }

  /// The kind of file that replaces bytes, as a hash.
  static func kindHash(of data: Data) -> UInt64 {
    data.withUnsafeBytes { ReplacementContent(replacing: beginning(of: $0)).kindHash }
  }

  /// The bytes that tell the kind. The kind of a few bytes would tell which they are.
  static func beginning(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count < 64 ? 0 : beginningSize))
  }

  /// Whether bytes are the constant of their kind.
  static func isConstant(_ data: Data) -> Bool {
    data.count == usualSize
      && data.withUnsafeBytes { ReplacementContent(replacing: beginning(of: $0)).data } == data
  }

  private static func kind(of beginning: UnsafeRawBufferPointer) -> Kind {
    if let file = MadeUpFile(beginning: beginning) { return .file(file) }
    let kind = AssetKind(beginning: beginning)
    switch kind {
    case .png, .jpeg: return .image(kind)
    case .bytes: return .format([])
    case .text: break
    }
    // A byte order mark and white space can stand before the beginning.
    let first = beginning.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    let start = String(decoding: first.prefix(16), as: UTF8.self).lowercased()
    let form = texts.first { $0.signatures.contains { start.hasPrefix($0) } }
    return .text(Array((form?.opening ?? "").utf8), Array((form?.end ?? "").utf8))
  }

  /// Calls `body` with the bytes in chunks; with an empty one if there are none.
  ///
  /// - Parameter chunkSize: The size of a chunk, a multiple of 8; the bytes are the same.
  func forEachChunk(
    of chunkSize: Int = 1 << 18, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    switch kind {
    case .image(let kind):
      return try AssetMaker.bytes(kind, size: size, seed: seed).withUnsafeBytes(body)
    case .file(let file): return try file.bytes(size: size, seed: seed).withUnsafeBytes(body)
    default: break
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
      case .text:
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

  /// Writes the beginning of a format, or the opening and the end of a text, over a chunk.
  private func putEnds(_ chunk: inout [UInt8], at offset: Int) {
    let (opening, end): ([UInt8], [UInt8]) =
      switch kind {
      case .format(let bytes): (Array(bytes.prefix(size)), [])
      case .text(let opening, let end): (opening, end)
      default: ([], [])
      }
    let parts =
      opening.enumerated().map { ($0, $1) } + end.enumerated().map { (size - end.count + $0, $1) }
    for (place, byte) in parts where chunk.indices ~= place - offset {
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
