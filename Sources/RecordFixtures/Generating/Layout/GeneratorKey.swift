import RecordPlatform

/// Keys from which the random numbers of things are made.
///
/// A record's numbers depend on the seed, the version of the generators, the zone, the type and the
/// record's index, and those of a field also on its name: so a record can be made alone, on any
/// thread, and another field changes no value of this one.
enum GeneratorKey {
  /// The version of the generators. A change of what a seed gives needs the next number, and the old
  /// generators must stay for recipes of version 1.
  static let version = 1

  /// Returns a key for a thing, by its names.
  static func key(_ seed: UInt64, _ names: String...) -> UInt64 {
    // The length separates the names.
    var text = names.map { "\($0.utf8.count):\($0)" }.joined()
    let hash = text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
    var numbers = SeededNumbers(seed: seed ^ UInt64(version), stream: hash)
    return numbers.next()
  }
}

extension SeededNumbers {
  /// Returns a number of a range, all with the same probability.
  @inline(__always)
  mutating func number(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard span < .max else { return Int(truncatingIfNeeded: next()) }
    let offset = next().multipliedFullWidth(by: span &+ 1).high
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// Returns true with a probability.
  @inline(__always)
  mutating func chance(_ rate: Double) -> Bool { fraction() < rate }
}
