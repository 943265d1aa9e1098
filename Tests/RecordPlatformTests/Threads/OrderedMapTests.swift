import Foundation
import RecordPlatform
import Testing

@Suite("A map on several threads")
struct OrderedMapTests {
  private struct Failure: Error, Equatable { let number: Int }

  /// Maps numbers, and returns what was consumed, and the error.
  private func run(
    _ count: Int, threads: Int, failing: Int? = nil, producerFails: Bool = false,
    consumerFails: Int? = nil
  ) -> (consumed: [Int], failure: Failure?) {
    var consumed: [Int] = []
    do {
      try OrderedMap.run(
        threads: threads, window: threads + 1,
        transform: { (number: Int) in
          if number % 3 == 0 { Thread.sleep(forTimeInterval: 0.0005) }
          if number == failing { throw Failure(number: number) }
          return number * 2
        },
        consume: {
          if $0 / 2 == consumerFails { throw Failure(number: -2) }
          consumed.append($0)
        },
        produce: { add in
          for number in 0..<count { try add(number) }
          if producerFails { throw Failure(number: -1) }
        })
      return (consumed, nil)
    } catch {
      return (consumed, error as? Failure)
    }
  }

  @Test(
    "hands values over in order, and the same error at any number of threads", arguments: [1, 2, 7])
  func order(threads: Int) {
    for count in [0, 1, 2, 3, 50] {
      let (consumed, failure) = run(count, threads: threads)
      #expect(consumed == (0..<count).map { $0 * 2 } && failure == nil)
      for failing in 0..<min(count, 5) {
        let (before, failure) = run(count, threads: threads, failing: failing, producerFails: true)
        #expect(before == (0..<failing).map { $0 * 2 })
        #expect(failure == Failure(number: failing))
        let (taken, stop) = run(count, threads: threads, consumerFails: failing)
        #expect(taken == (0..<failing).map { $0 * 2 })
        #expect(stop == Failure(number: -2))
      }
      let (all, own) = run(count, threads: threads, producerFails: true)
      #expect(all == (0..<count).map { $0 * 2 })
      #expect(own == Failure(number: -1))
    }
  }

  @Test("begins to map before the first value is asked for", arguments: [1, 2, 7])
  func begin(threads: Int) throws {
    nonisolated(unsafe) var mapped = 0
    let condition = NSCondition()
    let limit = Date(timeIntervalSinceNow: 60)
    func run(_ count: Int, failing: Int? = nil, asks: Bool = true) throws -> [Int] {
      mapped = 0
      return try OrderedMap.begin(
        Array(0..<count), threads: threads, window: threads + 1,
        transform: { (number: Int) in
          condition.withLock {
            mapped += 1
            condition.broadcast()
          }
          if number == failing { throw Failure(number: number) }
          return number * 2
        }
      ) { forEach in
        // A single input is not worth a thread.
        if threads > 1, count > 1 {
          condition.withLock { while mapped == 0, condition.wait(until: limit) {} }
          #expect(mapped > 0)
        }
        var values: [Int] = []
        if asks { try forEach { values.append($0) } }
        return values
      }
    }
    for count in [0, 1, 2, 3, 50] {
      #expect(try run(count) == (0..<count).map { $0 * 2 })
      #expect(try run(count, asks: false).isEmpty)
      #expect(mapped <= threads + 1)
    }
    for failing in [0, 1, 8, 49] {
      #expect(throws: Failure(number: failing)) { try run(50, failing: failing) }
    }
  }

  @Test("maps on as many threads as asked for, the caller's among them", arguments: [2, 3, 7])
  func threads(threads: Int) throws {
    // Each thread waits in its first input until all of them have one, however slowly they start.
    nonisolated(unsafe) var seen: Set<ObjectIdentifier> = []
    let condition = NSCondition()
    let limit = Date(timeIntervalSinceNow: 60)
    try OrderedMap.run(
      threads: threads, window: threads + 1,
      transform: { (_: Int) in
        condition.withLock {
          seen.insert(ObjectIdentifier(Thread.current))
          condition.broadcast()
          while seen.count < threads, condition.wait(until: limit) {}
        }
      },
      consume: { _ in }, produce: { add in for number in 0..<100 { try add(number) } })
    #expect(seen.count == threads)
    #expect(seen.contains(ObjectIdentifier(Thread.current)))
  }

  @Test(
    "makes the value of a single input in the caller's thread, and reads no further after an error")
  func single() throws {
    let here = Thread.current
    nonisolated(unsafe) let caller = here
    var isHere = false
    try OrderedMap.run(
      threads: 4, window: 5, transform: { (_: Int) in Thread.current === caller },
      consume: { isHere = $0 }, produce: { try $0(1) })
    #expect(isHere)
    var added = 0
    #expect(throws: Failure.self) {
      try OrderedMap.run(
        threads: 2, window: 3,
        transform: { (number: Int) in
          if number == 0 { throw Failure(number: 0) }
        },
        consume: { _ in },
        produce: { add in
          for number in 0..<100_000 {
            added = number
            try add(number)
          }
        })
    }
    #expect(added < 10)
  }
}
