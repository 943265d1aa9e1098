import CSystemSQLite
import Foundation

/// Gives out the connections to one database: one that writes, and some that only read.
///
/// A thread that has a connection gets the same one again: calls can be nested. In write-ahead mode
/// readers and the writer do not wait for each other. Without readers, reads use the writer. Threads get
/// a connection in the order in which they ask: one that asks again and again holds up no other.
final class ConnectionPool: @unchecked Sendable {
  /// Guards all variables; signalled when a connection is returned.
  private let state = NSCondition()
  private let makeReader: @Sendable () throws -> SQLiteConnection?
  /// Nil after the pool was closed.
  private var writer: SQLiteConnection?
  private var writing: (thread: ThreadIdentity, depth: Int)?
  private var reading: [(thread: ThreadIdentity, connection: SQLiteConnection)] = []
  private var idleReaders: [SQLiteConnection] = []
  private let maxReaders: Int
  /// The numbers of the threads that wait to write, and to read, in their order.
  private var (writers, readers): ([Int], [Int]) = ([], [])
  private var lastNumber = 0

  /// - Parameters:
  ///   - writer: the connection that writes, which nothing else may use.
  ///   - maxReaders: how many threads can read at the same time, beside the writer.
  ///   - makeReader: opens a connection that reads; nil if the path leads to another file now, so that
  ///     reads use the writer.
  init(
    writer: SQLiteConnection, maxReaders: Int = 0,
    makeReader: @escaping @Sendable () throws -> SQLiteConnection? = { throw ConnectionPool.closed }
  ) {
    self.writer = writer
    self.maxReaders = maxReaders
    self.makeReader = makeReader
  }

  deinit { try? close() }

  /// Calls `body` with a connection that is for this thread until it returns.
  func read<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
    let thread = ThreadIdentity()
    state.lock()
    if let current = reading.first(where: { $0.thread == thread }) {
      state.unlock()
      return try body(current.connection)
    }
    if maxReaders == 0 || writing?.thread == thread {
      state.unlock()
      return try write(body)
    }
    guard let reader = try takeReader(for: thread) else { return try write(body) }
    defer { give(back: reader) }
    return try body(reader)
  }

  /// Calls `body` with the connection that writes, which is for this thread until it returns.
  func write<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
    guard let result = try write(waiting: true, body) else { throw Self.closed }
    return result
  }

  /// Calls `body` with the connection that writes.
  ///
  /// - Parameter waiting: whether to wait for the thread that has it.
  /// - Returns: nil if another thread has it.
  func write<T>(waiting: Bool, _ body: (SQLiteConnection) throws -> T) throws -> T? {
    let thread = ThreadIdentity()
    state.lock()
    if writing?.thread != thread {
      guard waiting || writing == nil && writers.isEmpty else {
        state.unlock()
        return nil
      }
      wait(in: \.writers) { writing == nil }
    }
    guard let writer else {
      state.unlock()
      throw Self.closed
    }
    writing = (thread, (writing?.depth ?? 0) + 1)
    state.unlock()
    defer {
      state.lock()
      writing?.depth -= 1
      if writing?.depth == 0 {
        writing = nil
        state.broadcast()
      }
      state.unlock()
    }
    return try body(writer)
  }

  /// The number of threads that wait to write.
  var waitingWriters: Int { state.withLock { writers.count } }

  /// Ends the stoppable work of the connection that writes; any thread may call it.
  func stop() {
    state.lock()
    defer { state.unlock() }
    writer?.stop()
  }

  /// Closes the connections. No thread may have one of them.
  ///
  /// - Parameter body: called with the last connection.
  /// - Throws: an error if a statement is still referenced.
  func close(_ body: (SQLiteConnection) throws -> Void = { _ in }) throws {
    state.lock()
    defer { state.unlock() }
    // The last connection moves the log into the file, so it is the one that can write.
    while let reader = idleReaders.popLast() { try reader.close() }
    if let writer {
      try body(writer)
      try writer.close()
    }
    writer = nil
  }

  /// Waits for what is free, after the threads that came before. The state is locked.
  private func wait(
    in queue: ReferenceWritableKeyPath<ConnectionPool, [Int]>, until isFree: () -> Bool
  ) {
    if self[keyPath: queue].isEmpty, isFree() { return }
    lastNumber += 1
    let number = lastNumber
    self[keyPath: queue].append(number)
    while self[keyPath: queue].first != number || !isFree() { state.wait() }
    self[keyPath: queue].removeFirst()
    // More than one may be free.
    state.broadcast()
  }

  /// Takes a reader, and waits for one if necessary. The state is locked before, and not after.
  private func takeReader(for thread: ThreadIdentity) throws -> SQLiteConnection? {
    defer { state.unlock() }
    wait(in: \.readers) { writer == nil || reading.count < maxReaders }
    guard writer != nil else { throw Self.closed }
    guard let reader = try idleReaders.popLast() ?? makeReader() else { return nil }
    reading.append((thread, reader))
    return reader
  }

  private func give(back reader: SQLiteConnection) {
    state.lock()
    reading.removeAll { $0.connection === reader }
    // A transaction that could not be ended would hold its state for ever.
    if !reader.isInsideTransaction { idleReaders.append(reader) }
    state.broadcast()
    state.unlock()
  }

  static let closed = SQLiteError(code: SQLITE_MISUSE, message: "the database is closed")
}

/// The identity of the thread that makes it.
private struct ThreadIdentity: Equatable {
  private let thread = pthread_self()

  static func == (one: ThreadIdentity, other: ThreadIdentity) -> Bool {
    pthread_equal(one.thread, other.thread) != 0
  }
}
