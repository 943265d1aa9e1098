extension String {
  /// The columns that the text takes on a terminal: two for CJK and emoji, none for what has no
  /// width of its own or joins the character before it.
  ///
  /// Source of the widths: Unicode Standard Annex #11, East Asian Width, and #51, Emoji.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The beginning of the text that fits into so many columns.
  func prefix(columns: Int) -> Substring {
    var rest = columns
    return prefix {
      rest -= $0.columns
      return rest >= 0
    }
  }

  /// The end of the text that fits into so many columns.
  func suffix(columns: Int) -> Substring {
    var rest = columns
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      rest -= self[before].columns
      if rest < 0 { break }
      start = before
    }
    return self[start...]
  }

  /// The text with spaces behind it up to so many columns.
  func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }
}

extension Character {
  /// The columns that the character takes on a terminal: 0, 1 or 2.
  var columns: Int {
    if isASCII { return 1 }
    let scalars = unicodeScalars
    // Emoji out of several scalars: those that ask for colours, and flags.
    if scalars.contains(where: { $0.value == 0xFE0F || $0.properties.isEmojiPresentation }) {
      return 2
    }
    return scalars.lazy.map(\.columns).max() ?? 0
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    if hasNoWidth { return 0 }
    return Self.wide.contains { $0.contains(value) } ? 2 : 1
  }

  private var hasNoWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    // A soft hyphen is shown.
    case .format: value != 0xAD
    // Vowels and finals of Hangul, which join the consonant before them.
    default: (0x1160...0x11FF).contains(value)
    }
  }

  /// Blocks whose characters are wide, emoji aside.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE4, 0x17000...0x18CFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
