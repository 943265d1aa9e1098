import RecordPlatform

/// A short word for several texts, the same in every run. Different texts can, by chance, have the
/// same word.
enum StableWord {
  static func of(_ texts: [String]) -> String {
    // Lengths keep apart what differs in where one text ends.
    var joined = texts.map { "\($0.utf8.count):\($0)" }.joined()
    let hash = joined.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
    return String(hash, radix: 36)
  }
}
