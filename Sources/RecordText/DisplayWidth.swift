extension String {
  /// The width of the text on a terminal, in columns: two for CJK and emoji, none for characters
  /// without a width.
  ///
  /// Source of the widths: Unicode Standard Annex #11, East Asian Width, and #51, Emoji.
  package var columns: Int {
    // CR LF would be one character.
    if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) { return utf8.count }
    return reduce(0) { $0 + $1.columns }
  }

  /// Returns the longest prefix that fits into a number of columns.
  package func prefix(columns: Int) -> Substring {
    var rest = columns
    return prefix {
      rest -= $0.columns
      return rest >= 0
    }
  }

  /// Returns the longest suffix that fits into a number of columns.
  package func suffix(columns: Int) -> Substring {
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

  /// Pads the text with trailing spaces to a number of columns.
  package func padded(to columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - self.columns))
  }
}

extension Character {
  /// The width of the character on a terminal, in columns: 0, 1 or 2.
  package var columns: Int {
    if isASCII { return 1 }
    let scalars = unicodeScalars
    // Emoji of several scalars: those with emoji presentation, and flags. The selector for emoji
    // changes only emoji.
    if scalars.contains(where: \.properties.isEmojiPresentation)
      || scalars.first?.properties.isEmoji == true && scalars.contains("\u{FE0F}")
    {
      return 2
    }
    // Letters that Indic scripts join, their vowel signs and half-width voiced sound marks take a
    // column of their own; terminals give a character two at most.
    return min(2, scalars.reduce(0) { $0 + $1.columns })
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
    // A soft hyphen is visible.
    case .format: value != 0xAD
    // Hangul vowels and finals join the preceding consonant.
    default: (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
    }
  }

  /// Blocks of wide characters, except emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E,
    0x3041...0x3247, 0x3250...0x4DBF, 0x4DC0...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x16FE4, 0x17000...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FF,
    0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD,
    0x30000...0x3FFFD,
  ]
}
