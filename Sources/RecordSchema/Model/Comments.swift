extension CloudSchema {
  /// The comments that belong to one element.
  package struct Comments: Sendable, Hashable {
    /// The comments above the element, each on its own line.
    package var leading: [Comment] = []
    /// The comment at the end of the element's first line: after a field's comma, the opening
    /// parenthesis of a record type, or `DEFINE SCHEMA`.
    package var trailing: Comment?
    /// The comments after the last inner element: before a record type's `);`, or at the end of the
    /// file.
    package var closing: [Comment] = []
    /// The comment after the `);` of a record type.
    package var ending: Comment?

    package init() {}

    /// Whether there are no comments.
    package var isEmpty: Bool {
      leading.isEmpty && trailing == nil && closing.isEmpty && ending == nil
    }
  }

  /// A comment as written in the file, including its delimiters.
  ///
  /// CloudKit drops comments on upload (Apple, "Integrating a Text-Based Schema into Your
  /// Workflow"); RecordPack keeps them with the element they belong to.
  package struct Comment: Sendable, Hashable {
    /// The comment with its delimiters (`// …`, `-- …` or `/* … */`), without a trailing line
    /// break.
    package let source: String
    /// Whether a blank line follows the comment.
    package var isFollowedByBlankLine: Bool

    /// Creates a single-line `//` comment. Line breaks in the text become spaces.
    package init(_ text: String, isFollowedByBlankLine: Bool = false) {
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
    package var text: String {
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
    package var isMultiline: Bool { source.utf8.contains(UInt8(ascii: "\n")) }

    static func trimmingEnd(_ text: String) -> String {
      var scalars = text.unicodeScalars[...]
      while let last = scalars.last, last == " " || last == "\t" || last == "\r" {
        scalars.removeLast()
      }
      return String(scalars)
    }
  }
}
