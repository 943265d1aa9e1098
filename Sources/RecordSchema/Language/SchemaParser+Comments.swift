extension SchemaParser {
  /// Takes all pending comments as leading comments of the element that begins here.
  mutating func takeLeadingComments() -> [CloudSchema.Comment] {
    guard !pendingComments.isEmpty else { return [] }
    defer { pendingComments.removeAll(keepingCapacity: true) }
    return pendingComments.map { comment(from: $0) }
  }

  /// Takes all pending comments as closing comments of the current element, with no blank line
  /// after the last.
  mutating func takeClosingComments() -> [CloudSchema.Comment] {
    var comments = takeLeadingComments()
    if let last = comments.indices.last { comments[last].isFollowedByBlankLine = false }
    return comments
  }

  /// Takes the pending comments that begin on or before a line.
  mutating func takeComments(startingUpTo line: Int) -> [RawComment] {
    guard let first = pendingComments.first, first.span.line <= line else { return [] }
    let count = pendingComments.prefix { $0.span.line <= line }.count
    defer { pendingComments.removeFirst(count) }
    return Array(pendingComments.prefix(count))
  }

  /// Attaches comments from inside an element or the end of its line. The last one stays at the end
  /// of the line if it has only one line; the others move above the element.
  func attach(
    _ inner: [RawComment], to comments: inout CloudSchema.Comments,
    endOfLine: WritableKeyPath<CloudSchema.Comments, CloudSchema.Comment?> = \.trailing,
    others: WritableKeyPath<CloudSchema.Comments, [CloudSchema.Comment]> = \.leading
  ) {
    var moved = inner.map { comment(from: $0, isFollowedByBlankLine: false) }
    if let last = moved.last, !last.isMultiline {
      comments[keyPath: endOfLine] = last
      moved.removeLast()
    }
    comments[keyPath: others] += moved
  }

  func comment(from raw: RawComment, isFollowedByBlankLine: Bool? = nil) -> CloudSchema.Comment {
    let slice = bytes[raw.span.offset..<raw.span.endOffset]
    var source = String(decoding: slice, as: UTF8.self)
    if raw.isLineComment {
      source = CloudSchema.Comment.trimmingEnd(source)
    } else if slice.contains(0x0D) {
      // Printed schemas use one kind of line break. A single carriage return counts as one.
      source = source.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
    return CloudSchema.Comment(
      source: source, isFollowedByBlankLine: isFollowedByBlankLine ?? raw.isFollowedByBlankLine)
  }
}
