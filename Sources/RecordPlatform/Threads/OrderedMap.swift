import Foundation

/// Maps inputs to values on several threads, and passes the values on in order.
///
/// One thread, the owner, adds inputs and takes values. If the next value is not there yet, the owner
/// maps inputs that no worker has taken, and else waits: so there are no more threads than
/// processors, and none waits for one while others wait for its value. A deadlock is impossible: the
/// value's input was added before, and inputs are taken in order. After an error, no further inputs
/// are taken; those before it were already taken, so the owner sees the same error with any number
/// of threads.
///
/// The owner must call ``stop()`` at the end, which ends the workers.
package final class OrderedMap<Input: Sendable, Value: Sendable>: @unchecked Sendable {
  // Unchecked: `condition` protects what workers use, all else belongs to the owner.
  private let condition = NSCondition()
  private let transform: @Sendable (Input) throws -> Value
  /// How many threads map beside the owner's.
  private var workers: Int
  private var waiting: [(number: Int, input: Input)] = []
  private var finished: [Int: Result<Value, any Error>] = [:]
  private var hasFailed = false
  private var isStopping = false
  private var liveWorkers = 0

  /// The maximum number of values at a time that are being computed, waiting or being consumed.
  private let window: Int
  private var added = 0
  private var taken = 0
  /// The error that ``next()`` has thrown, and throws from then on.
  private var failure: (any Error)?

  /// Creates a map without inputs.
  ///
  /// - Parameters:
  ///   - threads: how many threads map, the owner's among them.
  ///   - window: the maximum number of inputs at a time; see ``isFull``.
  ///   - transform: computes a value, on any thread.
  package init(
    threads: Int, window: Int, transform: @escaping @Sendable (Input) throws -> Value
  ) {
    workers = min(threads, WorkerThread.maxCount) - 1
    self.window = max(window, workers + 1)
    self.transform = transform
  }

  /// Whether the owner should take a value before it adds another input.
  package var isFull: Bool { added - taken >= window }

  /// Adds an input, to be mapped by any thread.
  package func add(_ input: Input) {
    condition.withLock {
      guard !hasFailed else { return }
      waiting.append((added, input))
      condition.broadcast()
      // A single input is not worth a thread.
      guard liveWorkers < workers, waiting.count > 1 else { return }
      do {
        try WorkerThread.start(name: "recordpack.map") { [self] in work() }
        liveWorkers += 1
      } catch {
        // The system has no more threads. The owner's does what they would have done.
        workers = liveWorkers
      }
    }
    added += 1
  }

  /// Returns the next value in the order of the inputs, waiting for it if necessary; nil if all were
  /// taken.
  /// - Throws: the error of `transform` for the first input that fails.
  package func next() throws -> Value? {
    if let failure { throw failure }
    guard taken < added else { return nil }
    let result = condition.withLock {
      while true {
        if let result = finished.removeValue(forKey: taken) { return result }
        if waiting.isEmpty { condition.wait() } else { mapNext() }
      }
    }
    if case .failure(let error) = result { failure = error }
    taken += 1
    return try result.get()
  }

  /// Drops the inputs that no thread has taken, and waits for the workers to end. May be called again.
  package func stop() {
    condition.withLock {
      isStopping = true
      waiting.removeAll()
      condition.broadcast()
      while liveWorkers > 0 { condition.wait() }
    }
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
}

extension OrderedMap {
  /// Maps what `produce` adds. The call returns only after all workers have ended.
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
    try withoutActuallyEscaping(consume) { consume in
      guard threads > 1 else { return try produce { try consume(transform($0)) } }
      let map = OrderedMap(threads: threads, window: window, transform: transform)
      defer { map.stop() }
      try map.run(consume, produce)
    }
  }

  private func run(
    _ consume: @escaping (Value) throws -> Void,
    _ produce: (_ add: (Input) throws -> Void) throws -> Void
  ) throws {
    // Whether an error of `transform` or `consume` is on its way through `produce`.
    var isBroken = false
    func consumeNext() throws -> Bool {
      isBroken = true
      let value = try next()
      if let value { try consume(value) }
      isBroken = false
      return value != nil
    }
    do {
      try produce { input in
        let hasFailed = condition.withLock { self.hasFailed }
        while hasFailed || isFull { guard try consumeNext() else { break } }
        add(input)
      }
    } catch {
      if !isBroken { while try consumeNext() {} }
      throw error
    }
    while try consumeNext() {}
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
    guard threads > 1 else {
      return try body { consume in for input in inputs { try consume(transform(input)) } }
    }
    let map = OrderedMap(threads: threads, window: window, transform: transform)
    defer { map.stop() }
    for input in inputs.prefix(map.window) { map.add(input) }
    return try body { consume in
      for input in inputs.dropFirst(map.window) {
        if let value = try map.next() { try consume(value) }
        map.add(input)
      }
      while let value = try map.next() { try consume(value) }
      // `body` may have more to do.
      map.stop()
    }
  }
}
