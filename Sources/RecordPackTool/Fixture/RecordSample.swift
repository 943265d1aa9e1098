import RecordModel

/// Some of many records, chosen at random in one pass; the same for the same seed and records.
struct RecordSample {
  private let size: Int
  private var random: SeededNumbers
  private var count = 0
  private var records: [(place: Int, record: ResultRecord, database: DatabaseScope)] = []

  init(size: Int, seed: UInt64) {
    self.size = size
    random = SeededNumbers(seed: seed)
  }

  /// Counts a record, and keeps it with the same probability as every other one.
  mutating func add(_ record: ResultRecord, _ database: DatabaseScope) {
    count += 1
    if records.count < size {
      records.append((count, record, database))
      return
    }
    let place = random.below(count)
    if place < size { records[place] = (count, record, database) }
  }

  /// The chosen records, in the order in which they came.
  var chosen: [(record: ResultRecord, database: DatabaseScope)] {
    records.sorted { $0.place < $1.place }.map { ($0.record, $0.database) }
  }
}

/// Numbers that grow from a seed, the same on every machine (SplitMix64).
private struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Returns a number from 0 up to a bound.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    // The upper half of the product: a multiple of `bound` parts of equal size.
    return Int(truncatingIfNeeded: word.multipliedFullWidth(by: UInt64(bound)).high)
  }
}
