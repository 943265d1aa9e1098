import Foundation
import RecordPlatform

/// Maps numbers to values on several threads, and hands the values over in order.
///
/// Why it cannot block for good: numbers are taken in order, and a number may be taken only while
/// it is less than `window` ahead of the one that is handed over next. So that next number is
/// always either taken (its worker needs no one to finish it) or free to be taken. The caller
/// waits only for it. An error in a number ends the taking of further ones; those before it have
/// been taken already and are still handed over, so that the caller sees the same error at any
/// thread count. Whatever happens, the caller leaves only when no worker is left.
final class OrderedMap<Value: Sendable>: @unchecked Sendable {
  /// Guards everything below.
  private let condition = NSCondition()
  private let range: Range<Int>
  private let window: Int
  private var nextToTake: Int
  private var nextToConsume: Int
  private var finished: [Int: Result<Value, any Error>] = [:]
  private var isStopping = false
  private var liveWorkers = 0

  private init(_ range: Range<Int>, window: Int) {
    self.range = range
    self.window = window
    nextToTake = range.lowerBound
    nextToConsume = range.lowerBound
  }

  /// Maps a range.
  /// - Parameters:
  ///   - range: the numbers.
  ///   - threads: 1 maps in the caller's thread, n on n threads beside it.
  ///   - window: how many values exist at a time, at most: being made, waiting or being consumed.
  ///   - transform: makes a value, on any thread.
  ///   - consume: takes the values in order, in the caller's thread.
  /// - Throws: what `transform` threw for the lowest number, or what `consume` threw before.
  static func run(
    _ range: Range<Int>, threads: Int, window: Int,
    transform: @escaping @Sendable (Int) throws -> Value,
    consume: (Int, Value) throws -> Void
  ) throws {
    let workers = min(threads, range.count, WorkerThread.maxCount)
    guard workers > 1 else {
      for number in range { try consume(number, transform(number)) }
      return
    }
    let map = OrderedMap(range, window: max(window, workers))
    map.liveWorkers = workers
    for _ in 0..<workers {
      WorkerThread.start(name: "recordpack.read") { map.work(transform) }
    }
    defer { map.stop() }
    for number in range {
      try consume(number, map.value(for: number))
      map.hasConsumed(number)
    }
  }

  private func work(_ transform: (Int) throws -> Value) {
    condition.lock()
    while let number = takeNumber() {
      condition.unlock()
      let result = Result { try transform(number) }
      condition.lock()
      finished[number] = result
      if case .failure = result { nextToTake = range.upperBound }
      condition.broadcast()
    }
    liveWorkers -= 1
    condition.broadcast()
    condition.unlock()
  }

  /// The next number, once it may be taken; `nil` at the end. Called with the lock held.
  private func takeNumber() -> Int? {
    while !isStopping, nextToTake < range.upperBound {
      if nextToTake - nextToConsume < window {
        defer { nextToTake += 1 }
        return nextToTake
      }
      condition.wait()
    }
    return nil
  }

  private func value(for number: Int) throws -> Value {
    try condition.withLock {
      while true {
        if let result = finished.removeValue(forKey: number) { return try result.get() }
        condition.wait()
      }
    }
  }

  private func hasConsumed(_ number: Int) {
    condition.withLock {
      nextToConsume = number + 1
      condition.broadcast()
    }
  }

  private func stop() {
    condition.withLock {
      isStopping = true
      condition.broadcast()
      while liveWorkers > 0 { condition.wait() }
    }
  }
}
