extension CloudSchema {
  /// The comments that belong to one element.
  public struct Comments: Sendable, Hashable {
    /// Empty or a single element. Most elements have no comments, so this keeps them small and
    /// cheap to copy.
    private var content: [Content] = []

    private struct Content: Sendable, Hashable {
      var leading: [Comment] = []
      var trailing: Comment?
      var closing: [Comment] = []
      var ending: Comment?
    }

    /// Creates an empty set of comments.
    public init() {}

    /// The comments above the element, each on its own line.
    public var leading: [Comment] {
      get { content.first?.leading ?? [] }
      set { update { $0.leading = newValue } }
    }

    /// The comment at the end of the element's first line: after a field's comma, the opening
    /// parenthesis of a record type, or `DEFINE SCHEMA`.
    public var trailing: Comment? {
      get { content.first?.trailing }
      set { update { $0.trailing = newValue } }
    }

    /// The comments after the last inner element: before a record type's `);`, or at the end of the
    /// file.
    public var closing: [Comment] {
      get { content.first?.closing ?? [] }
      set { update { $0.closing = newValue } }
    }

    /// The comment after the `);` of a record type.
    public var ending: Comment? {
      get { content.first?.ending }
      set { update { $0.ending = newValue } }
    }

    private mutating func update(_ change: (inout Content) -> Void) {
      var changed = content.first ?? Content()
      change(&changed)
      content = changed == Content() ? [] : [changed]
    }

    /// Whether there are no comments.
    public var isEmpty: Bool { content.isEmpty }

    /// All comments, in file order.
    public var all: [Comment] {
      guard let content = content.first else { return [] }
      return content.leading + [content.trailing].compactMap { $0 } + content.closing
        + [content.ending].compactMap { $0 }
    }
  }

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
