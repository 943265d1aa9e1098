import Foundation
import RecordModel

/// Text colours.
package struct TerminalStyle: Sendable {
  package enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  package let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func paint(_ text: String, _ color: Color?) -> String {
    guard isColored, let color, !text.isEmpty else { return text }
    return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m"
  }
}

extension String {
  /// The text with control characters escaped: text from a file must not control the terminal,
  /// break a line or column, or change the direction of other text.
  package var visible: String {
    guard unicodeScalars.contains(where: \.isControlling) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isControlling {
        text += scalar.escaped()
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text as ``visible``, with all characters escaped that a reader does not see, or that look like
  /// others: those without a width, and those that Unicode's composed form (NFC) has otherwise.
  package var unmistakable: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return visible }
    let composed = precomposedStringWithCanonicalMapping
    let isComposed = unicodeScalars.elementsEqual(composed.unicodeScalars)
    return unicodeScalars.reduce(into: "") { text, scalar in
      let isMark = scalar.properties.canonicalCombiningClass != .notReordered
      let isSingle =
        String(scalar).precomposedStringWithCanonicalMapping.unicodeScalars.first != scalar
      if scalar.properties.isDefaultIgnorableCodePoint || !isComposed && (isMark || isSingle) {
        text += scalar.spelledOut
      } else {
        text += String(scalar).visible
      }
    }
  }

  /// The text with control characters escaped, except line breaks.
  package var visibleLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }
      .joined(separator: "\n")
  }

  /// JSON text with the control characters in strings escaped. Outside strings, it may contain only
  /// line breaks.
  package var visibleJSON: String {
    guard utf8.contains(where: { $0 >= 0x7F }),
      unicodeScalars.contains(where: { $0.value >= 0x7F && $0.isControlling })
    else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.value >= 0x7F, scalar.isControlling {
        text += scalar.spelledOut
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The scalar within quotation marks: controls, backslashes and quotation marks are escaped.
  ///
  /// - Parameter isASCII: whether everything else that is not ASCII is escaped, too.
  package func escaped(asASCII isASCII: Bool = false) -> String {
    switch self {
    case "\\", "\"": "\\\(self)"
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: isControlling || isASCII && !self.isASCII ? spelledOut : String(self)
    }
  }
}

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
