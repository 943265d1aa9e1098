import RecordSchema

extension SourceFile {
  /// The comments that mention a suppression.
  var suppressions: [SourceUses.Comment] {
    comments.compactMap { comment in
      let text = text(of: comment)
      guard text.utf8.count < 4096, text.lowercased().contains("recordpack") else { return nil }
      let first = line(of: comment.offset)
      let last = line(of: comment.offset + comment.length - 1)
      let content = text.hasPrefix("/*") ? text.dropFirst(2).dropLast(2) : text.dropFirst(2)
      return SourceUses.Comment(
        text: String(content), lines: first...(beginsLine(comment.offset) ? last + 1 : last),
        location: location(offset: comment.offset, length: comment.length))
    }
  }
}
