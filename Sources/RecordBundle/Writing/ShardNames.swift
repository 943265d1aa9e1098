import Foundation

/// The names of the files of a split bundle.
enum ShardNames {
  /// Returns `NAME-00001.recordpack` for `NAME.recordpack`.
  static func path(of number: Int, for path: String) -> String {
    let suffix = String(format: "-%05ld", number)
    let end = stem(of: path).endIndex
    return path[..<end] + suffix + path[end...]
  }

  /// Returns the name of a file without its extension.
  private static func stem(of path: String) -> Substring {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? path.startIndex
    let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > start ? $0 : nil }
    return path[start..<(dot ?? path.endIndex)]
  }

  /// Returns every path that a bundle may be written to.
  static func paths(for path: String, isSplit: Bool) -> [String] {
    isSplit ? (1...ShardOutput.maxShards).map { Self.path(of: $0, for: path) } : [path]
  }

  /// Returns the number at the end of a file's name and its range; nil if there is none.
  private static func mark(in path: String) -> (number: Int, range: Range<String.Index>)? {
    let stem = stem(of: path)
    guard let dash = stem.lastIndex(of: "-") else { return nil }
    let digits = stem[stem.index(after: dash)...]
    guard digits.utf8.count >= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number > 0
    else { return nil }
    return (number, dash..<stem.endIndex)
  }

  /// Returns the number of a file of a split bundle according to its name; nil if it has none.
  static func number(in path: String) -> Int? { mark(in: path)?.number }

  /// Returns the path of another file of the same bundle; nil if the name does not have the number.
  static func sibling(_ number: Int, of path: String, numbered own: Int) -> String? {
    guard let mark = mark(in: path), mark.number == own else { return nil }
    return Self.path(of: number, for: path.replacingCharacters(in: mark.range, with: ""))
  }
}
