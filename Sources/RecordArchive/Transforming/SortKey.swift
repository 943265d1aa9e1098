/// What lines are sorted by: a rank, and the first bytes of a name.
struct SortKey {
  var prefix: UInt64
  var rank: UInt32
  /// The place of the line before it is sorted.
  var index: UInt32

  /// The bytes that decide the order, the last one first.
  private static let digitCount = 12

  @inline(__always)
  private func digit(_ place: Int) -> Int {
    Int(
      place < 8
        ? prefix &>> UInt64(place &* 8) & 0xFF
        : UInt64(rank &>> UInt32((place &- 8) &* 8) & 0xFF))
  }

  /// Sorts keys, digit by digit; those that are equal stay in their order.
  ///
  /// - Parameter spare: Memory for as many keys, with any content.
  static func sort(_ keys: inout [SortKey], _ spare: inout [SortKey]) {
    var counts = [Int](repeating: 0, count: digitCount * 256)
    for key in keys {
      for place in 0..<digitCount { counts[place &* 256 &+ key.digit(place)] &+= 1 }
    }
    for place in 0..<digitCount {
      // Where the next key with each digit goes.
      var ends = [Int](repeating: 0, count: 256)
      var sum = 0
      for digit in 0..<256 {
        ends[digit] = sum
        sum += counts[place * 256 + digit]
      }
      // Most digits of ranks are the same everywhere.
      guard let first = keys.first, counts[place * 256 + first.digit(place)] < keys.count else {
        continue
      }
      for key in keys {
        let digit = key.digit(place)
        spare[ends[digit]] = key
        ends[digit] &+= 1
      }
      swap(&keys, &spare)
    }
  }
}
