/// Counts by key, in the order in which the keys first came; at most a number of them.
struct CappedCounter<Key: Hashable & Sendable, Count: Sendable>: Sendable {
  private(set) var counts: [Count] = []
  /// How often a key was not counted, because there were as many others as are counted.
  private(set) var skipped = 0
  private let limit: Int
  private var places: [Key: Int] = [:]

  init(limit: Int = .max) { self.limit = limit }

  /// Changes the count of a key.
  ///
  /// - Parameters:
  ///   - new: The count of a new key.
  ///   - times: How often the key came.
  /// - Returns: The place of the count; nil if the key is not counted.
  @discardableResult
  mutating func update(
    _ key: Key, new: @autoclosure () -> Count, times: Int = 1, _ body: (inout Count) -> Void
  ) -> Int? {
    let place = places[key] ?? counts.count
    if place == counts.count {
      guard counts.count < limit else {
        skipped += times
        return nil
      }
      places[key] = place
      counts.append(new())
    }
    body(&counts[place])
    return place
  }

  /// Notes that another counter has skipped keys.
  mutating func skip(_ times: Int) { skipped += times }
}
