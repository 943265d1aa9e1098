/// The number of edits between two words: bytes that are missing, added, replaced, or swapped with
/// their neighbor (optimal string alignment).
package enum EditDistance {
  /// Returns the number of edits, or a larger number than `max` if there are more than that.
  package static func between(_ a: [UInt8], _ b: [UInt8], max: Int = .max) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var row = Array(0...b.count)
    var next = row
    for (i, byte) in a.enumerated() {
      next[0] = i + 1
      for (j, other) in b.enumerated() {
        var least = min(row[j] + (byte == other ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, byte == b[j - 1], a[i - 1] == other {
          least = min(least, before[j - 1] + 1)
        }
        next[j + 1] = least
      }
      (before, row, next) = (row, next, before)
      if max < .max, row.min() ?? 0 > max, before.min() ?? 0 > max { return max + 1 }
    }
    return row[b.count]
  }
}
