import RecordMigration
import RecordModel
import RecordText

/// A value that rows are sorted by. Numbers come before strings, dates, references and bytes;
/// references are sorted by record name.
enum RowSortKey {
  case integer(Int64)
  case double(Double)
  case string(String)
  case date(Double)
  case reference(String)
  case bytes([UInt8])

  /// Creates the key of a value; nil for a value without an order, as a list has none.
  init?(_ value: RecordValue) {
    switch value {
    case .int64(let number): self = .integer(number)
    case .double(let number) where !number.isNaN: self = .double(number)
    case .string(let text): self = .string(text)
    case .timestamp(let date): self = .date(date.timeIntervalSinceReferenceDate)
    case .reference(let reference): self = .reference(reference.recordID.recordName)
    case .bytes(let data): self = .bytes(Array(data))
    default: return nil
    }
  }

  private var rank: Int {
    switch self {
    case .integer, .double: 0
    case .string: 1
    case .date: 2
    case .reference: 3
    case .bytes: 4
    }
  }

  var size: Int {
    switch self {
    case .integer, .double, .date: 8
    case .string(let text), .reference(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// Negative if `a` comes before `b`, positive if after.
  static func order(_ a: RowSortKey, _ b: RowSortKey) -> Int {
    func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (a, b) {
    case (.integer(let a), .integer(let b)): return order(a, b)
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): return order(a, b)
    case (.integer(let a), .double(let b)): return compareExactly(a, b)
    case (.double(let a), .integer(let b)): return -compareExactly(b, a)
    case (.string(let a), .string(let b)), (.reference(let a), .reference(let b)):
      return compareUTF8(a, b)
    case (.bytes(let a), .bytes(let b)):
      return a.lexicographicallyPrecedes(b) ? -1 : a == b ? 0 : 1
    default: return order(a.rank, b.rank)
    }
  }
}

/// Sorts rows by a key in bounded memory: keeps the first ones if there is a limit, and fails for too
/// many. Rows without a key come last; equal ones stay in their order.
struct RowSort {
  private struct Entry {
    let key: RowSortKey?
    let place: Int
    let row: [String]
    var size: Int { (key?.size ?? 0) + row.reduce(64) { $0 + $1.utf8.count } }
  }

  /// The maximum number of rows to sort.
  static let maxRows = 100_000
  /// The maximum size of the rows to sort, in bytes.
  static let maxBytes = 256 << 20

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

  mutating func add(_ row: [String], _ key: RowSortKey?) throws {
    let entry = Entry(key: key, place: count, row: row)
    count += 1
    bytes += entry.size
    entries.append(entry)
    // Sorting at twice the limit takes little time for each row.
    if entries.count >= 2 * min(limit, maxRows + 1) || bytes > 2 * maxBytes { try shrink() }
  }

  /// Returns the rows in order.
  mutating func rows() throws -> [[String]] {
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
      let order = RowSortKey.order(keyA, keyB)
      if order != 0 { return isDescending ? order > 0 : order < 0 }
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): break
    }
    return a.place < b.place
  }
}
