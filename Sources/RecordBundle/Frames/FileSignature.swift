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
    (Array("SQLite format 3\0".utf8), "an SQLite database (perhaps a container file)"),
    (Array("bplist00".utf8), "a binary property list"),
    (Array("<?xml".utf8), "an XML file"),
    ([0x7F, 0x45, 0x4C, 0x46], "an executable"),
    ([0xCF, 0xFA, 0xED, 0xFE], "an executable"),
  ]

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
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return "JSON text" }
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    return isText ? "plain text" : nil
  }
}
