import RecordModel

/// An entry of an index.
struct IndexEntry {
  var key: IndexKey
  var recordID: RecordID
  /// The row of the record.
  var record: Int64
}

/// Reads the entries of an index in a zone whose keys are in a range.
///
/// They are in the order of the keys, ascending or descending, and entries with the same key in
/// the order of the names. A few are read at a time, so that many streams can be open at once.
struct IndexStream {
  /// Where to begin in the order of the stream.
  enum Start {
    case beginning
    /// With this key.
    case with(IndexKey)
    /// After this key and name; with an empty name, it is the same as with the key.
    case afterName(IndexKey, String)
    /// After all entries with this key.
    case afterKey(IndexKey)
  }

  private let db: SQLiteConnection
  private let index: Int64
  let zone: (row: Int64, id: ZoneID)
  private var range: IndexRange
  private let isAscending: Bool
  /// The entries that were read, the next one last.
  private var buffer: [IndexEntry] = []
  private var batch = 16
  /// The last entry that was read: others follow it.
  private var last: (key: IndexKey, name: String)?
  private var isAtEnd = false

  /// A key that is greater than all.
  static let end = IndexKey(bytes: [0xFF])

  init(
    _ db: SQLiteConnection, _ index: StoredIndex, _ zone: (row: Int64, id: ZoneID),
    _ range: IndexRange,
    isAscending: Bool = true, from start: Start = .beginning
  ) {
    self.db = db
    self.index = index.id
    self.zone = zone
    self.isAscending = isAscending
    self.range = range
    switch start {
    case .beginning: break
    case .with(let key): restart(key, "")
    case .afterName(let key, let name): restart(key, name)
    case .afterKey(let key):
      let rest =
        isAscending
        ? IndexRange(lower: key.successor, upper: nil)
        : IndexRange(lower: IndexRange.all.lower, upper: key)
      self.range = range.intersection(rest)
    }
    if self.range.isEmpty { isAtEnd = true }
  }

  /// Begins after a key and name if the range has the key, and otherwise with what follows the key.
  private mutating func restart(_ key: IndexKey, _ name: String) {
    let rest =
      isAscending
      ? IndexRange(lower: key, upper: nil)
      : IndexRange(lower: IndexRange.all.lower, upper: key.successor)
    if range.contains(key) { last = (key, name) }
    range = range.intersection(rest)
  }

  /// The next entry.
  mutating func peek() throws -> IndexEntry? {
    if buffer.isEmpty && !isAtEnd { try fill() }
    return buffer.last
  }

  mutating func removeFirst() { buffer.removeLast() }

  // MARK: Reading

  /// Returns the rows of the entries' records and, in three more columns, the names, rows and keys of
  /// the entries; nil if SQLite would have to sort them. The caller resets it.
  func records() throws -> SQLiteStatement? {
    guard isAscending else { return nil }
    let rows = try SQLiteStatement.make(Self.recordsSQL, in: db)
    rows.bind(1, index)
    rows.bind(2, zone.row)
    try (last?.key ?? range.lower).bind(to: rows, at: 3)
    try rows.bind(4, last?.name ?? "")
    try upper.bind(to: rows, at: 5)
    return rows
  }

  private static let recordsSQL = """
    SELECT \(columns.joined(separator: ", ")), indexEntry.name, indexEntry.record,
      indexEntry.key
    FROM indexEntry LEFT JOIN record ON record.id = indexEntry.record
    WHERE recordIndex = ? AND indexEntry.zone = ? AND (key, indexEntry.name) > (?, ?) AND key < ?
    ORDER BY key, indexEntry.name
    """

  private static var columns: [String] {
    CheckedTable.record.columns.split(separator: ", ").map { "record.\($0)" }
  }

  private mutating func fill() throws {
    var found: [IndexEntry] = []
    if isAscending {
      try read(
        "(key, name) > (?, ?) AND key < ?", [last?.key ?? range.lower, last?.name ?? "", upper],
        order: "key, name", into: &found)
    } else {
      if let last {
        try read(
          "key = ? AND name > ?", [last.key, last.name], order: "name", into: &found)
      }
      if found.count < batch {
        try read(
          "key >= ? AND key < ?", [range.lower, last?.key ?? upper], order: "key DESC, name",
          into: &found)
      }
    }
    if found.count < batch { isAtEnd = true }
    last = found.last.map { ($0.key, $0.recordID.recordName) } ?? last
    batch = min(2 * batch, 256)
    buffer = found.reversed()
  }

  private var upper: IndexKey { range.upper ?? Self.end }

  /// Adds the next entries, up to the size of a batch.
  private func read(
    _ condition: String, _ values: [any ColumnValue], order: String,
    into found: inout [IndexEntry]
  ) throws {
    let rows = try SQLiteStatement.cached(
      """
      SELECT key, name, record FROM indexEntry
      WHERE recordIndex = ? AND zone = ? AND \(condition) ORDER BY \(order) LIMIT ?
      """, in: db)
    let all: [any ColumnValue] = [index, zone.row] + values + [batch - found.count]
    for (place, value) in all.enumerated() { try value.bind(to: rows, at: Int32(place + 1)) }
    defer { rows.reset() }
    while try rows.step() {
      found.append(
        IndexEntry(
          key: IndexKey(bytes: Array(rows.bytes(0))),
          recordID: rows.recordID(1, in: zone.id), record: rows.int64(2)))
    }
  }
}

/// The first records of a query's order, up to a number, of those that are added in any order.
struct PageHeap {
  private struct Item {
    var position: QueryPosition
    var row: Int64
    var error: ContainerStoreError?
  }

  private let match: QueryMatch
  private let limit: Int
  /// The items in order.
  private var items: [Item] = []

  init(_ match: QueryMatch, limit: Int) {
    self.match = match
    self.limit = limit
  }

  /// Adds a record, or its error; one that was added before is ignored.
  mutating func add(_ position: QueryPosition, _ row: Int64, _ error: ContainerStoreError? = nil) {
    if items.count == limit, let last = items.last, !match.precedes(position, last.position) {
      return
    }
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if match.precedes(items[middle].position, position) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low < items.count, items[low].row == row { return }
    items.insert(Item(position: position, row: row, error: error), at: low)
    if items.count > limit { items.removeLast() }
  }

  /// The places, rows and errors, in order.
  var rows: [(position: QueryPosition, row: Int64, error: ContainerStoreError?)] {
    items.map { ($0.position, $0.row, $0.error) }
  }
}
