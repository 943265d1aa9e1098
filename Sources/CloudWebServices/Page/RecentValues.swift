import RecordStore
import Synchronization

/// Values that are made when they are needed first. Those that were not used for the longest time are
/// dropped.
final class RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private let canDrop: @Sendable (Value) -> Bool
  private let state = Mutex<(values: [(key: Key, value: Value)], made: Int)>(([], 0))

  /// - Parameter canDrop: whether a value can be dropped.
  init(_ capacity: Int, canDrop: @escaping @Sendable (Value) -> Bool = { _ in true }) {
    (self.capacity, self.canDrop) = (capacity, canDrop)
  }

  /// The number of values that were made.
  var made: Int { state.withLock { $0.made } }

  /// Returns the value of a key. Others get theirs while it is made.
  func value(
    _ key: Key, isCurrent: (Value) -> Bool = { _ in true }, _ make: () throws -> Value
  ) rethrows -> Value {
    func known(_ values: inout [(key: Key, value: Value)]) -> Value? {
      guard let place = values.firstIndex(where: { $0.key == key && isCurrent($0.value) }) else {
        return nil
      }
      values.append(values.remove(at: place))
      return values.last?.value
    }
    if let value = state.withLock({ known(&$0.values) }) { return value }
    let made = try make()
    return state.withLock { state in
      state.made += 1
      // Another thread may have made it, too.
      if let value = known(&state.values) { return value }
      state.values.removeAll { $0.key == key }
      if state.values.count >= capacity,
        let place = state.values.firstIndex(where: { canDrop($0.value) })
      {
        state.values.remove(at: place)
      }
      state.values.append((key, made))
      return made
    }
  }
}

/// A result of a view, with the version of the contents.
typealias ViewResult = (version: ContentVersion, value: any Sendable)

extension ConsoleRequest {
  /// Returns a result, which holds as long as the contents do not change: a page is read again each second.
  func result<T: Sendable>(_ key: String, _ make: () throws -> T) throws -> T {
    let version = try version()
    let kept = try handler.results.value(
      key, isCurrent: { $0.version == version && $0.value is T }
    ) { (version, try make()) }
    return try kept.value as? T ?? make()
  }
}
