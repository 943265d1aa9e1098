import Synchronization

/// Values that are made when they are needed first. Those that were not used for the longest time are
/// dropped.
final class RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private let values = Mutex<[(key: Key, value: Value)]>([])

  init(_ capacity: Int) { self.capacity = capacity }

  /// Returns the value of a key.
  func value(_ key: Key, _ make: () -> Value) -> Value {
    values.withLock { values in
      let found = values.firstIndex { $0.key == key }.map { values.remove(at: $0).value }
      let value = found ?? make()
      values.append((key, value))
      if values.count > capacity { values.removeFirst() }
      return value
    }
  }
}
