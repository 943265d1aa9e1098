/// The comments of a schema. All else in there is names of types and fields.
enum SchemaComments {
  /// Returns a schema without its comments, and the comments: from `//` or `--` to the end of a line, and between
  /// `/*` and `*/`.
  static func split(_ schema: String) -> (code: String, comments: String) {
    let bytes = Array(schema.utf8)
    var (code, comments): ([UInt8], [UInt8]) = ([], [])
    var end: String?
    var index = 0
    while index < bytes.count {
      let pair = String(decoding: bytes[index..<min(index + 2, bytes.count)], as: UTF8.self)
      if let marker = end {
        let isEnd = pair.hasPrefix(marker)
        if isEnd { end = nil }
        comments.append(isEnd ? UInt8(ascii: "\n") : bytes[index])
        // The line ends, and so does the comment.
        if isEnd, marker == "\n" { code.append(UInt8(ascii: "\n")) }
        if isEnd, marker == "*/" { index += 1 }
      } else if pair == "/*" {
        end = "*/"
        index += 1
      } else if pair == "//" || pair == "--" {
        end = "\n"
        index += 1
      } else {
        code.append(bytes[index])
      }
      index += 1
    }
    return (String(decoding: code, as: UTF8.self), String(decoding: comments, as: UTF8.self))
  }
}
