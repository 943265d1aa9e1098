/// An excerpt of the line around a location, limited in length even if the line is long.
struct SourceExcerpt {
  let line: String
  let caret: String

  /// The maximum number of bytes shown before and after the location.
  private static let reach = 80

  init(_ bytes: [UInt8], at span: SourceSpan) {
    let offset = min(span.offset, bytes.count)
    var start = offset
    while start > 0, offset - start < Self.reach, !Self.isBreak(bytes[start - 1]) { start -= 1 }
    let isCutBefore = start > 0 && !Self.isBreak(bytes[start - 1])
    while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
    var end = offset
    while end < bytes.count, end - offset < Self.reach, !Self.isBreak(bytes[end]) { end += 1 }
    let isCutBehind = end < bytes.count && !Self.isBreak(bytes[end])
    while isCutBehind, end > offset, bytes[end] & 0xC0 == 0x80 { end -= 1 }

    let before = Self.printable(bytes[start..<offset])
    let behind = Self.printable(bytes[offset..<end])
    line = (isCutBefore ? "…" : "") + before + behind + (isCutBehind ? "…" : "")
    // Tabs stay tabs, so that the caret is aligned for any tab width.
    let padding = before.unicodeScalars.map { $0 == "\t" ? "\t" : " " }.joined()
    let markEnd = max(offset, min(span.endOffset, end))
    let length = max(1, Self.printable(bytes[offset..<markEnd]).unicodeScalars.count)
    caret = (isCutBefore ? " " : "") + padding + "^" + String(repeating: "~", count: length - 1)
  }

  /// Returns text that is safe to print: control characters other than tabs, line breaks and
  /// bidirectional formatting characters become replacement characters.
  static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      result.append(scalar.isControlling && scalar != "\t" ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension Unicode.Scalar {
  /// Whether this is a C0 or C1 control, a line or paragraph separator, or a bidirectional
  /// formatting character.
  package var isControlling: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
