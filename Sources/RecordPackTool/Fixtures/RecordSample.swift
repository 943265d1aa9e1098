import RecordModel
import RecordPlatform

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
