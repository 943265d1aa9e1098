import CSystemSQLite
import RecordModel

/// The stamp of a container file's state, by which the file and its write-ahead log recognise each
/// other.
///
/// Each transaction gives the file a new random stamp, and keeps the one before. So the log has the
/// stamp of the state that it begins with, and the stamps of all states that it leads to.
///
/// The stamp is in the table `database`, in the row after those of the three databases: most
/// transactions write its only page anyway.
struct FileStamp: Hashable {
  /// The number of the row.
  static let row = DatabaseScope.allCases.count

  /// The stamp of the state.
  var own: Int64
  /// The stamp of the state before; 0 if the file had none.
  var previous: Int64

  /// Returns the stamp of the state that a connection sees; nil for a file that older code has made.
  static func read(from db: SQLiteConnection) throws -> FileStamp? {
    try DatabaseRow.read(row, of: "the stamp of the file", from: db).map {
      FileStamp(own: $0.changes.historyID, previous: $0.changes.contentID)
    }
  }

  /// Gives a new stamp to the state that a transaction leads to.
  static func renew(in db: SQLiteConnection) throws {
    var row = DatabaseRow()
    // A damaged stamp is not known any more.
    row.changes.contentID = (try? read(from: db))?.own ?? 0
    row.changes.historyID = .random(in: 1 ... .max)
    try row.write(Self.row, to: db)
  }
}

extension FileStamp {
  /// Gives a file whose stamp is damaged a new one, which is in the file itself, as readers of pages
  /// look there. The stamp is no part of the contents.
  static func repair(in db: SQLiteConnection) throws {
    do {
      _ = try read(from: db)
    } catch is ContainerStoreError {
      try db.atomically { try renew(in: db) }
      try db.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }
  }
}

// MARK: Pages

extension FileStamp {
  /// The stamp on the page of the table `database`.
  enum Reading: Equatable {
    case stamp(FileStamp)
    /// The page has no stamp: older code has made the file.
    case none
    /// The page is damaged, half written, or that of another table.
    case unreadable

    /// The number of the state; 0 without a stamp.
    var own: Int64? {
      switch self {
      case .stamp(let stamp): stamp.own
      case .none: 0
      case .unreadable: nil
      }
    }
  }

  /// Returns the page of the table `database`; nil if it cannot be found.
  static func page(in db: SQLiteConnection) throws -> Int64? {
    try db.integer("SELECT rootpage FROM sqlite_master WHERE name = 'database'")
  }

  /// Reads the stamp in the bytes of a page.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html>, sections 1.6 and 2.1.
  static func read(page: [UInt8]) -> Reading {
    var header = ByteCursor(page)
    // A leaf page of a table has its kind, the first free block, the number of cells, and their places.
    guard header.number(1) == 13, header.skip(2), let count = header.number(2), header.skip(3)
    else { return .unreadable }
    for _ in 0..<count {
      guard let offset = header.number(2) else { return .unreadable }
      var cell = ByteCursor(page, at: Int(offset))
      guard cell.varint() != nil, let row = cell.varint() else { return .unreadable }
      if row == Self.row { return stamp(in: &cell).map(Reading.stamp) ?? .unreadable }
    }
    return .none
  }

  private static func stamp(in record: inout ByteCursor) -> FileStamp? {
    let start = record.offset
    guard let size = record.varint(), size < 64 else { return nil }
    var types: [Int64] = []
    while record.offset < start + Int(size), let type = record.varint() { types.append(type) }
    // The first column is the number of the row, which the record does not have.
    var values = [Int64(row)]
    for type in types.dropFirst() {
      guard let value = record.integer(ofType: type) else { return nil }
      values.append(value)
    }
    var hash = RowChecksum()
    guard values.count == DatabaseRow.columns.count + 1, let expected = values.popLast() else {
      return nil
    }
    for value in values { hash.add(value) }
    guard hash.column == expected,
      let own = DatabaseRow.columns.firstIndex(of: "historyID"),
      let previous = DatabaseRow.columns.firstIndex(of: "contentID")
    else { return nil }
    return FileStamp(own: values[own], previous: values[previous])
  }
}

/// Reads SQLite's numbers from untrusted bytes.
struct ByteCursor {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], at offset: Int = 0) { (self.bytes, self.offset) = (bytes, offset) }

  /// Reads a number of up to eight bytes, highest first; nil after the end.
  mutating func number(_ count: Int) -> Int64? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) }
  }

  mutating func skip(_ count: Int) -> Bool { number(count) != nil }

  /// Reads a number of up to nine bytes. All except the last have the highest bit set.
  mutating func varint() -> Int64? {
    var value: Int64 = 0
    for _ in 0..<8 {
      guard let byte = number(1) else { return nil }
      value = value << 7 | byte & 0x7F
      if byte < 0x80 { return value }
    }
    return number(1).map { value << 8 | $0 }
  }

  /// Reads a column with an integer; nil for other types.
  mutating func integer(ofType type: Int64) -> Int64? {
    switch type {
    case 1...6:
      let count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      let unused = Int64(64 - 8 * count)
      return number(count).map { ($0 << unused) >> unused }
    case 8, 9: return type - 8
    default: return nil
    }
  }
}
