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
}
