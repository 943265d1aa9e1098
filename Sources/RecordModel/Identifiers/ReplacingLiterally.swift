extension String {
  /// Returns the text with a part replaced, even within a character: `replacing(_:with:)` takes a
  /// quotation mark before a combining mark for another character.
  package func replacingLiterally(_ part: String, with other: String) -> String {
    guard !part.isEmpty else { return self }
    var rest = Array(utf8)[...]
    var result: [UInt8] = []
    while let byte = rest.first {
      if rest.starts(with: part.utf8) {
        result += other.utf8
        rest = rest.dropFirst(part.utf8.count)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
