/// Finds the events that an engine repeats.
enum EventRepetition {
  /// Returns the shortest list of lines with which `lines` ends three times, or else of the names of
  /// events; empty if there is none.
  static func find(in lines: [String]) -> [String] {
    let names = lines.suffix(200).map { String($0.prefix { $0 != ":" }) }
    return end(of: Array(lines.suffix(200))) ?? end(of: names) ?? []
  }

  private static func end(of lines: [String]) -> [String]? {
    for size in 1...50 where lines.count >= 3 * size {
      let last = Array(lines.suffix(size))
      let isRepeated = [1, 2].allSatisfy { Array(lines.dropLast($0 * size).suffix(size)) == last }
      guard isRepeated else { continue }
      // A cycle is easier to read from the beginning of an operation.
      let start = last.firstIndex { $0.hasPrefix("will") } ?? 0
      return Array(last[start...] + last[..<start])
    }
    return nil
  }
}
