import CSystemSQLite

@testable import RecordStore

extension SQLiteConnection {
  /// Returns the number of instructions that SQLite runs on the connection.
  func instructions(_ body: () throws -> Void) throws -> Int {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    sqlite3_progress_handler(
      handle, 1,
      { context in
        context?.assumingMemoryBound(to: Int.self).pointee += 1
        return 0
      }, count)
    defer { sqlite3_progress_handler(handle, 0, nil, nil) }
    try body()
    return count.pointee
  }
}
