import Foundation
import Synchronization
import TestSupport
import RecordPlatform
import Testing

@testable import RecordStore

@Suite("A pool of connections")
struct ConnectionPoolTests {
  private let directory: TestFolder

  init() throws { directory = try TestFolder() }

  private func pool() throws -> ConnectionPool {
    let path = directory.path("a")
    let db = try SQLiteConnection(path, creates: true)
    try db.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY, money INTEGER NOT NULL);
      INSERT INTO account VALUES (1, 500), (2, 300), (3, 200);
      """)
    try db.close()
    return try StoreConnection.pool(
      StoreLocation(text: path), of: #require(FileIdentity(path: path)), at: path,
      isReadOnly: false)
  }

  private func money(_ db: SQLiteConnection) throws -> Int64? {
    try db.integer("SELECT sum(money) FROM account")
  }

  @Test("gives a thread the connection again that it has")
  func nested() throws {
    let pool = try pool()
    try pool.read { reader in
      try pool.read { #expect($0 === reader) }
      try pool.write { writer in
        #expect(writer !== reader)
        try pool.write { #expect($0 === writer) }
        // The reader was taken first.
        try pool.read { #expect($0 === reader) }
      }
    }
    try pool.write { writer in try pool.read { #expect($0 === writer) } }
  }

  @Test("without readers reads with the connection that writes")
  func single() throws {
    let pool = ConnectionPool(writer: try StoreConnection.temporary(":memory:"))
    try pool.write { writer in try pool.read { #expect($0 === writer) } }
    try pool.read { reader in try pool.write { #expect($0 === reader) } }
    try pool.close()
    #expect(throws: SQLiteError.self) { try pool.read { _ in } }
    #expect(throws: SQLiteError.self) { try pool.write { _ in } }
  }

  @Test("gives readers that cannot write")
  func readersOnlyRead() throws {
    let pool = try pool()
    let error = #expect(throws: SQLiteError.self) {
      try pool.read { try $0.execute("DELETE FROM account") }
    }
    #expect(error.map { StoreConnection.translated($0) } == .readOnly)
    #expect(try pool.read(money) == 1000)
  }

  @Test("lets more threads read than it has readers, one after another")
  func waitingReaders() throws {
    let pool = try pool()
    let state = Mutex((running: 0, most: 0, done: 0))
    runTogether(12) { _ in
      try? pool.read { db in
        state.withLock {
          $0.running += 1
          $0.most = max($0.most, $0.running)
        }
        usleep(5_000)
        let found = try money(db)
        state.withLock {
          $0.running -= 1
          if found == 1000 { $0.done += 1 }
        }
      }
    }
    #expect(state.withLock { $0.done } == 12)
    #expect(1...4 ~= state.withLock { $0.most })
  }

  @Test("lets threads write in the order in which they ask, also one that asks again and again")
  func order() async throws {
    let pool = try pool()
    let state = Mutex((isHeld: false, order: [Int]()))
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? pool.write { _ in
        state.withLock { $0.isHeld = true }
        end.wait()
      }
      try? pool.write { _ in state.withLock { $0.order.append(0) } }
    }
    try await waitUntil { state.withLock(\.isHeld) }
    for number in 1...3 {
      Thread.detachNewThread {
        try? pool.write { _ in state.withLock { $0.order.append(number) } }
      }
      try await waitUntil { pool.waitingWriters == number }
      #expect(try pool.write(waiting: false) { _ in } == nil)
    }
    end.signal()
    try await waitUntil { state.withLock(\.order.count) == 4 }
    #expect(state.withLock(\.order) == [1, 2, 3, 0])
  }

  @Test(
    "shows each reader one state, and loses no change, while threads write",
    .timeLimit(.minutes(20))
  )
  func isolation() throws {
    let pool = try pool()
    let problems = Mutex<[String]>([])
    runTogether(9) { number in
      do {
        if number < 3 {
          try transfer(in: pool, seed: UInt64(number))
        } else {
          try read(pool) { found in problems.withLock { $0.append(found) } }
        }
      } catch { problems.withLock { $0.append("\(error)") } }
    }
    #expect(problems.withLock { $0 } == [])
    #expect(try pool.read(money) == 1000)
    try pool.close()
    #expect(directory.names == ["a"])
  }

  /// Moves money from one account to another, a hundred times, and sometimes fails halfway.
  private func transfer(in pool: ConnectionPool, seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<100 {
      let amount = Int64.random(in: 1...50, using: &random)
      let fails = Int.random(in: 0..<4, using: &random) == 0
      do {
        try pool.write { db in
          try db.atomically {
            try db.run("UPDATE account SET money = money - ? WHERE id = 1", [amount])
            if fails { throw CancellationError() }
            try db.atomically {
              try db.run("UPDATE account SET money = money + ? WHERE id = 2", [amount])
            }
          }
        }
      } catch is CancellationError {}
    }
  }

  /// Reads all accounts twice in one transaction, a hundred times, and reports what is wrong.
  private func read(_ pool: ConnectionPool, _ report: (String) -> Void) throws {
    func accounts(_ db: SQLiteConnection) throws -> [Int64] {
      try db.all("SELECT money FROM account") { $0.int64(0) }
    }
    for _ in 0..<100 {
      try pool.read { db in
        try db.reading {
          let first = try accounts(db)
          let second = try pool.read(accounts)
          if first != second || first.reduce(0, +) != 1000 { report("\(first) and \(second)") }
        }
      }
    }
  }

  /// Calls `body` on threads of their own, and waits for them.
  private func runTogether(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread {
        body(number)
        group.leave()
      }.start()
    }
    group.wait()
  }

  @Test("undoes a savepoint alone, and a transaction with what it contains")
  func rollback() throws {
    let pool = try pool()
    try pool.write { db in
      try db.atomically {
        try db.run("UPDATE account SET money = 1 WHERE id = 1")
        #expect(throws: CancellationError.self) {
          try db.atomically {
            try db.run("UPDATE account SET money = 2 WHERE id = 2")
            throw CancellationError()
          }
        }
      }
      #expect(try db.all("SELECT money FROM account") { $0.int64(0) } == [1, 300, 200])
      #expect(throws: CancellationError.self) {
        try db.atomically {
          try db.atomically { try db.run("DELETE FROM account") }
          throw CancellationError()
        }
      }
      #expect(try money(db) == 501)
      #expect(!db.isInsideTransaction)
    }
  }

  @Test("reports a transaction that SQLite has ended, although nothing was thrown")
  func endedTransaction() throws {
    let pool = try pool()
    #expect(throws: SQLiteError.self) {
      try pool.write { db in try db.atomically { try db.execute("ROLLBACK") } }
    }
    #expect(try pool.read(money) == 1000)
  }

  @Test("copies the state at the beginning of a read, whatever is written meanwhile")
  func copy() throws {
    let pool = try pool()
    try pool.write { try $0.execute("CREATE TABLE filler AS SELECT randomblob(4096000) AS x") }
    let copy = try StoreConnection.temporary("")
    var steps = 0
    try pool.read { db in
      try db.reading {
        try db.copy(to: copy, pagesPerStep: 100) {
          steps += 1
          try pool.write { try $0.run("UPDATE account SET money = money + 1 WHERE id = 1") }
        }
      }
    }
    #expect(steps > 5)
    #expect(try money(copy) == 1000)
    #expect(try pool.read(money) == Int64(1000 + steps))
  }

  @Test("refuses to close while a statement is referenced, and can be closed later")
  func closing() throws {
    let db = try StoreConnection.temporary(":memory:")
    var statement: SQLiteStatement? = try db.statement("SELECT 1")
    #expect(throws: SQLiteError.self) { try db.close() }
    withExtendedLifetime(statement) {}
    statement = nil
    try db.close()
  }

  @Test("names what SQLite does not understand")
  func errors() throws {
    let db = try StoreConnection.temporary(":memory:")
    let error = #expect(throws: SQLiteError.self) { try db.run("SELECT 1 FROM nowhere") }
    #expect(error.map { "\($0)" } == "SQLite reports error 1: no such table: nowhere")
    // Only identifiers are in double quotes.
    #expect(throws: SQLiteError.self) { try db.integer("SELECT \"text\"") }
    #expect(throws: SQLiteError.self) { try db.run("") }
  }
}
