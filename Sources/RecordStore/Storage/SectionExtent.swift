import RecordModel

/// The numbers of a section's zone and record type.
struct SectionKey: Hashable {
  var zone: Int64
  var type: Int64
}

/// The records of one type in one zone: their number, their size, and the location of their rows.
///
/// A table scan can read rows in the order of their names if they were added in this order. A scan
/// is three times as fast as an index, and needs none.
struct SectionExtent {
  var records: Int64 = 0
  var bytes: Int64 = 0
  /// No row of the section has an ID less than this one or greater than ``lastID``.
  private(set) var firstID: Int64 = 0
  private(set) var lastID: Int64 = 0
  /// No name in the section is greater.
  private(set) var lastName: [UInt8] = []
  /// Whether a row with a larger ID always has a greater name.
  private(set) var inOrder = true

  /// The columns of the table `section` that have the extent.
  static let columns = "records, bytes, firstID, lastID, lastName, inOrder"

  init() {}

  /// Reads it from ``columns``, of which the first has a number.
  init(_ row: SQLiteStatement, from first: Int32) {
    records = row.int64(first)
    bytes = row.int64(first + 1)
    firstID = row.int64(first + 2)
    lastID = row.int64(first + 3)
    lastName = Array(row.bytes(first + 4))
    inOrder = row.int64(first + 5) != 0
  }

  /// The values of ``columns``.
  var values: [any ColumnValue] {
    [
      records, bytes, firstID, lastID, String(decoding: lastName, as: UTF8.self), inOrder ? 1 : 0,
    ]
  }

  private var span: Int64 { lastID &- firstID &+ 1 }

  /// Whether all rows between the first and the last belong to this section.
  var isAlone: Bool { span == records }

  /// Whether a scan of the rows from the first to the last is a good way to read the section: they
  /// are in order, with not too many rows of others between them.
  var isScannable: Bool { records == 0 || inOrder && span / 4 <= records &+ 64 }

  /// Whether the bounds include those of the same records as another extent counts them.
  func includes(_ other: SectionExtent) -> Bool {
    firstID <= other.firstID && lastID >= other.lastID && (other.inOrder || !inOrder)
      && other.lastName.withUnsafeBytes(order) <= 0
  }

  /// Compares a name to the greatest one so far.
  @inline(__always)
  func order(of name: UnsafeRawBufferPointer) -> Int {
    lastName.withUnsafeBytes { compareBytes(name, $0) }
  }

  /// Adds a row.
  @inline(__always)
  mutating func append(id: Int64, name: UnsafeRawBufferPointer, bytes count: Int) {
    if records == 0 {
      // All earlier rows are gone, and their order with them.
      (firstID, lastID) = (id, id)
      inOrder = true
      setLastName(name)
    } else {
      firstID = min(firstID, id)
      lastID = max(lastID, id)
      if order(of: name) > 0 {
        setLastName(name)
      } else {
        inOrder = false
      }
    }
    records &+= 1
    bytes &+= Int64(count)
  }

  mutating func remove(bytes count: Int64) {
    records &-= 1
    bytes &-= count
  }

  private mutating func setLastName(_ name: UnsafeRawBufferPointer) {
    // Names of equal length, such as UUIDs, reuse the storage.
    guard lastName.count == name.count else { return lastName = Array(name) }
    lastName.withUnsafeMutableBytes { $0.copyMemory(from: name) }
  }
}
