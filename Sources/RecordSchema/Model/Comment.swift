extension CloudSchema {
  /// A comment as written in the file, including its delimiters.
  ///
  /// CloudKit drops comments on upload (Apple, "Integrating a Text-Based Schema into Your
  /// Workflow"); RecordPack keeps them with the element they belong to.
  public struct Comment: Sendable, Hashable {
    /// The comment with its delimiters (`// …`, `-- …` or `/* … */`), without a trailing line
    /// break.
    public let source: String
    /// Whether a blank line follows the comment.
    public var isFollowedByBlankLine: Bool

    /// Creates a single-line `//` comment. Line breaks in the text become spaces.
    public init(_ text: String, isFollowedByBlankLine: Bool = false) {
      let line = text.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : Character($0) }
      self.init(
        source: Self.trimmingEnd("// " + String(line)),
        isFollowedByBlankLine: isFollowedByBlankLine)
    }

    init(source: String, isFollowedByBlankLine: Bool) {
      self.source = source
      self.isFollowedByBlankLine = isFollowedByBlankLine
    }

    /// The text of the comment, without its delimiters.
    public var text: String {
      var body = source[...]
      if body.hasPrefix("/*") {
        body = body.dropFirst(2)
        if body.hasSuffix("*/") { body = body.dropLast(2) }
      } else {
        body = body.dropFirst(2)
      }
      return Self.trimmingEnd(String(body.drop { $0 == " " || $0 == "\t" }))
    }

    /// Whether the comment is a `/* … */` comment on more than one line. Such a comment never
    /// stands at the end of an element's line.
    public var isMultiline: Bool { source.utf8.contains(UInt8(ascii: "\n")) }

    static func trimmingEnd(_ text: String) -> String {
      var scalars = text.unicodeScalars[...]
      while let last = scalars.last, last == " " || last == "\t" || last == "\r" {
        scalars.removeLast()
      }
      return String(scalars)
    }
  }
}
