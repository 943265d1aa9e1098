import Foundation

/// Maps inputs to values on several threads, and passes the values on in order.
///
/// The caller's thread produces the inputs and consumes the values. Before it adds an input that
/// would exceed the window, it consumes the next value. If that is not there yet, it maps inputs
/// that no worker has taken, and else waits: so there are no more threads than processors, and none
/// waits for one while others wait for its value. That cannot deadlock: the value's input was added
/// before, and inputs are taken in order. After an error, no further inputs are taken; those before
/// it were already taken and are still consumed, so the caller sees the same error with any number
/// of threads. The call returns only after all workers have ended.
package final class OrderedMap<Input: Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked: `condition` protects what workers use, all else belongs to the caller.
  private let condition = NSCondition()
  private let transform: @Sendable (Input) throws -> Value
  /// How many threads map beside the caller's.
  private var workers: Int
  private let window: Int
  private var waiting: [(number: Int, input: Input)] = []
  private var finished: [Int: Result<Value, any Error>] = [:]
  private var hasFailed = false
  private var isStopping = false
  private var liveWorkers = 0

  /// The first input, as long as it is the only one: a single input is not worth a thread.
  private var first: Input?
  private var added = 0
  private var consumed = 0
  /// Whether `transform` or `consume` has thrown an error that is being propagated.
  private var isBroken = false

  private init(workers: Int, window: Int, _ transform: @escaping @Sendable (Input) throws -> Value)
  {
    self.workers = workers
    self.window = window
    self.transform = transform
  }

  /// Maps what `produce` adds.
  ///
  /// - Parameters:
  ///   - threads: how many threads map, the caller's among them.
  ///   - window: the maximum number of values at a time that are being computed, waiting or being
  ///     consumed; at least `threads`.
  ///   - transform: computes a value, on any thread.
  ///   - consume: called with the values in order, on the caller's thread.
  ///   - produce: adds the inputs with the closure that it receives, on the caller's thread.
  /// - Throws: the error of `transform` for the first input that fails, or an earlier one of
  ///   `consume`; an error of `produce`, after all values before it were consumed.
  package static func run(
    threads: Int, window: Int, transform: @escaping @Sendable (Input) throws -> Value,
    consume: (Value) throws -> Void, produce: (_ add: (Input) throws -> Void) throws -> Void
  ) throws {
    let threads = min(threads, WorkerThread.maxCount)
    guard threads > 1 else {
      return try withoutActuallyEscaping(consume) { consume in
        try produce { try consume(transform($0)) }
      }
    }
    let map = OrderedMap(workers: threads - 1, window: max(window, threads), transform)
    defer { map.stop() }
    try map.consumeAll(consume, produce)
  }

  /// Maps inputs, and calls `body` as soon as other threads map the first of them.
  ///
  /// - Parameters:
  ///   - inputs: the inputs.
  ///   - threads: how many threads map, the caller's among them.
  ///   - window: as for ``run(threads:window:transform:consume:produce:)``.
  ///   - transform: computes a value, on any thread.
  ///   - body: receives a function that passes all values on in order, on the caller's thread, once.
  /// - Throws: the error of `body`, which gets those of `transform` from the function.
  package static func begin<R>(
    _ inputs: [Input], threads: Int, window: Int,
    transform: @escaping @Sendable (Input) throws -> Value,
    _ body: (_ forEach: @escaping (_ consume: (Value) throws -> Void) throws -> Void) throws -> R
  ) throws -> R {
    let threads = min(threads, WorkerThread.maxCount)
    guard threads > 1 else {
      return try body { consume in for input in inputs { try consume(transform(input)) } }
    }
    let map = OrderedMap(workers: threads - 1, window: max(window, threads), transform)
    defer { map.stop() }
    for input in inputs.prefix(map.window) { map.start(input) }
    return try body { consume in
      try map.consumeAll(consume) { add in
        for input in inputs.dropFirst(map.window) { try add(input) }
      }
      // `body` may have more to do.
      map.stop()
    }
  }

  /// Passes on the values of the inputs that were started, and of those that `produce` adds.
  private func consumeAll(
    _ consume: (Value) throws -> Void, _ produce: (_ add: (Input) throws -> Void) throws -> Void
  ) throws {
    try withoutActuallyEscaping(consume) { consume in
      do {
        try produce { try add($0, consume) }
      } catch {
        if !isBroken { try drain(consume) }
        throw error
      }
      try drain(consume)
    }
  }

  private func add(_ input: Input, _ consume: (Value) throws -> Void) throws {
    if condition.withLock({ hasFailed }) { try drain(consume) }
    while added - consumed >= window { try consumeNext(consume) }
    start(input)
  }

  /// Starts an input, for which the window has a place.
  private func start(_ input: Input) {
    defer { added += 1 }
    guard added > 0 else {
      first = input
      return
    }
    if let first {
      self.first = nil
      start(first, 0)
    }
    start(input, added)
  }

  private func start(_ input: Input, _ number: Int) {
    condition.withLock {
      waiting.append((number, input))
      condition.broadcast()
      guard liveWorkers < workers else { return }
      do {
        try WorkerThread.start(name: "recordpack.map") { [self] in work() }
        liveWorkers += 1
      } catch {
        // The system has no more threads. The caller's does what they would have done.
        workers = liveWorkers
      }
    }
  }

  private func drain(_ consume: (Value) throws -> Void) throws {
    if let input = first {
      first = nil
      isBroken = true
      return try consume(transform(input))
    }
    while consumed < added { try consumeNext(consume) }
  }

  private func consumeNext(_ consume: (Value) throws -> Void) throws {
    isBroken = true
    let result = condition.withLock {
      while true {
        if let result = finished.removeValue(forKey: consumed) { return result }
        if waiting.isEmpty { condition.wait() } else { mapNext() }
      }
    }
    try consume(result.get())
    isBroken = false
    consumed += 1
  }

  private func work() {
    condition.lock()
    while !isStopping {
      if waiting.isEmpty { condition.wait() } else { mapNext() }
    }
    liveWorkers -= 1
    condition.broadcast()
    condition.unlock()
  }

  /// Maps the next of the inputs that wait. Called and left with the lock held.
  private func mapNext() {
    let (number, input) = waiting.removeFirst()
    condition.unlock()
    let result = Result { try transform(input) }
    condition.lock()
    finished[number] = result
    if case .failure = result {
      hasFailed = true
      waiting.removeAll()
    }
    condition.broadcast()
  }

  private func stop() {
    condition.withLock {
      isStopping = true
      waiting.removeAll()
      condition.broadcast()
      while liveWorkers > 0 { condition.wait() }
    }
  }
}
