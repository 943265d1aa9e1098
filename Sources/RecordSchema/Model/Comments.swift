extension Schema {
  /// The comments that belong to one element.
  public struct Comments: Sendable, Hashable {
    /// None or one: most elements have no comment, and schemas have many elements, so that those
    /// without should be small and cheap to copy.
    private var content: [Content] = []

    private struct Content: Sendable, Hashable {
      var leading: [Comment] = []
      var trailing: Comment?
      var closing: [Comment] = []
      var ending: Comment?
    }

    /// No comments.
    public init() {}

    /// Comments above the element, each on a line of its own.
    public var leading: [Comment] {
      get { content.first?.leading ?? [] }
      set { update { $0.leading = newValue } }
    }

    /// The comment at the end of the element's first line: behind a field's comma, behind the
    /// opening parenthesis of a record type, behind `DEFINE SCHEMA`.
    public var trailing: Comment? {
      get { content.first?.trailing }
      set { update { $0.trailing = newValue } }
    }

    /// Comments behind the last inner element: before a record type's `);`, at the end of the file.
    public var closing: [Comment] {
      get { content.first?.closing ?? [] }
      set { update { $0.closing = newValue } }
    }

    /// The comment behind the `);` of a record type.
    public var ending: Comment? {
      get { content.first?.ending }
      set { update { $0.ending = newValue } }
    }

    private mutating func update(_ change: (inout Content) -> Void) {
      var changed = content.first ?? Content()
      change(&changed)
      content = changed == Content() ? [] : [changed]
    }

    /// True where there is none.
    public var isEmpty: Bool { content.isEmpty }

    /// All of them, in the order of the file.
    public var all: [Comment] {
      guard let content = content.first else { return [] }
      return content.leading + [content.trailing].compactMap { $0 } + content.closing
        + [content.ending].compactMap { $0 }
    }
  }
}
