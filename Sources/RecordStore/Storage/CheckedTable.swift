/// A table whose rows have a checksum, in the column after those that it covers.
///
/// It is a class, because each row that is read gets it as an argument.
final class CheckedTable: Sendable {
  let name: String
  /// The columns in their order, with the checksum.
  let columns: String
  /// The number of columns that the checksum covers.
  let width: Int32
  /// The query of all rows, which a condition can follow.
  let select: String
  fileprivate let insertion: String

  private init(_ name: String, _ covered: String) {
    self.name = name
    columns = covered + ", hash"
    width = Int32(covered.split(separator: ",").count)
    select = "SELECT \(columns) FROM \(name)"
    let marks = repeatElement("?", count: Int(width) + 1).joined(separator: ", ")
    insertion = "INTO \(name) (\(columns)) VALUES (\(marks))"
  }

  static let setting = CheckedTable("setting", "name, value")
  static let database = CheckedTable("database", DatabaseRow.columns.joined(separator: ", "))
  static let zone = CheckedTable("zone", "id, scope, name, owner, lastChange, firstChange, json")
  static let recordType = CheckedTable("recordType", "id, name")
  static let section = CheckedTable("section", "zone, type, \(SectionExtent.columns)")
  static let record = CheckedTable("record", "zone, type, name, change, modified, json")
  static let tombstone = CheckedTable("tombstone", "zone, name, change, json")
  static let zoneTombstone = CheckedTable("zoneTombstone", "scope, name, owner, change, reason")
  static let subscription = CheckedTable("subscription", "scope, id, change, json")
  static let accessChange = CheckedTable("accessChange", "zone, account, name, change")
  static let lostZone = CheckedTable("lostZone", "account, name, owner, change")
  static let recordIndex = CheckedTable("recordIndex", "id, kind, type, field")
}

extension SQLiteConnection {
  /// The effect of a row with the same key as a new one.
  enum InsertionConflict {
    case abort, ignore, replace
  }

  /// Adds a row with its checksum.
  func insert(
    _ values: [any ColumnValue], into table: CheckedTable, or conflict: InsertionConflict = .abort
  ) throws {
    try runHashed("INSERT OR \(conflict) \(table.insertion)", values)
  }
}

extension SQLiteStatement {
  /// Whether the checksum of a row matches.
  ///
  /// - Parameter first: the place of the table's first column.
  func isIntact(_ table: CheckedTable, from first: Int32 = 0) -> Bool {
    isIntact(first..<first + table.width)
  }
}
