import Foundation

/// A value that only one thread uses at a time.
///
/// `Mutex` does not take the values of records, which are objects and not sendable.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<T>(_ body: (inout Value) throws -> T) rethrows -> T {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  var current: Value { with { $0 } }
}
