import RecordStore
import Synchronization

/// Values that are made when they are needed first. Those that were not used for the longest time are
/// dropped.
final class RecentValues<Key: Equatable & Sendable, Value: Sendable>: Sendable {
  private let capacity: Int
  private let values = Mutex<[(key: Key, value: Value)]>([])
  private let count = Mutex(0)

  init(_ capacity: Int) { self.capacity = capacity }

  /// The number of values that were made.
  var made: Int { count.withLock(\.self) }

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
    if let value = values.withLock({ known(&$0) }) { return value }
    let made = try make()
    count.withLock { $0 += 1 }
    return values.withLock { values in
      // Another thread may have made it, too.
      if let value = known(&values) { return value }
      values.removeAll { $0.key == key }
      values.append((key, made))
      if values.count > capacity { values.removeFirst() }
      return made
    }
  }
}

/// A result of a view, which holds as long as the contents do not change: a page is read again each second.
struct ViewResult: Sendable {
  fileprivate let version: ContentVersion
  fileprivate let value: any Sendable
}

extension ConsoleRequest {
  /// Returns a result of the contents.
  func result<T: Sendable>(_ key: String, _ make: () throws -> T) throws -> T {
    let version = try version()
    let kept = try handler.results.value(
      key, isCurrent: { $0.version == version && $0.value is T }
    ) { ViewResult(version: version, value: try make()) }
    return try kept.value as? T ?? make()
  }
}
