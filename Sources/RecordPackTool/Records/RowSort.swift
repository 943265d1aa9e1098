import RecordModel
import RecordText

/// Sorts rows by a key in bounded memory: keeps the first ones if there is a limit, and fails for too
/// many. Rows without a key come last; equal ones stay in their order.
struct RowSort<Row> {
  private struct Entry {
    let key: IndexKey?
    let place: Int
    let row: Row
    /// In bytes.
    let size: Int
  }

  /// The maximum number of rows to sort.
  static var maxRows: Int { 100_000 }
  /// The maximum size of the rows to sort, in bytes.
  static var maxBytes: Int { 256 << 20 }

  private let isDescending: Bool
  private let limit: Int
  private let maxRows: Int
  private let maxBytes: Int
  private var entries: [Entry] = []
  /// The number of rows that were added.
  private(set) var count = 0
  private var bytes = 0

  init(
    isDescending: Bool, limit: Int?, maxRows: Int = Self.maxRows, maxBytes: Int = Self.maxBytes
  ) {
    self.isDescending = isDescending
    self.limit = limit ?? .max
    self.maxRows = maxRows
    self.maxBytes = maxBytes
  }

  /// - Parameter size: The size of the row in bytes.
  mutating func add(_ row: Row, size: Int, _ key: IndexKey?) throws {
    let entry = Entry(key: key, place: count, row: row, size: 64 + size + (key?.bytes.count ?? 0))
    count += 1
    bytes += entry.size
    entries.append(entry)
    // Sorting at twice the limit takes little time for each row.
    if entries.count >= 2 * min(limit, maxRows + 1) || bytes > 2 * maxBytes { try shrink() }
  }

  /// Returns the rows in order.
  mutating func rows() throws -> [Row] {
    try shrink()
    return entries.map(\.row)
  }

  private mutating func shrink() throws {
    entries.sort(by: precedes)
    if entries.count > limit { entries.removeLast(entries.count - limit) }
    bytes = entries.reduce(0) { $0 + $1.size }
    guard entries.count <= maxRows, bytes <= maxBytes else {
      throw CommandError(
        "--sort keeps at most \(Numbers.count(maxRows, "record")) and \(Numbers.size(maxBytes)), and "
          + "these are more; choose fewer records or --fields, or give a lower --limit")
    }
  }

  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    switch (a.key, b.key) {
    case (let keyA?, let keyB?):
      if keyA != keyB { return isDescending ? keyB < keyA : keyA < keyB }
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): break
    }
    return a.place < b.place
  }
}
