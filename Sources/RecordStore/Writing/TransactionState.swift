import RecordModel

/// A zone during a transaction that writes to it.
package final class ZoneState {
  let id: Int64
  /// The number of the zone in its transaction.
  let index: Int
  package let scope: DatabaseScope
  package let zoneID: ZoneID
  @exclusivity(unchecked) var lastChange: Int64
  @exclusivity(unchecked) var isDirty = false

  init(id: Int64, index: Int, scope: DatabaseScope, zoneID: ZoneID, lastChange: Int64) {
    self.id = id
    self.index = index
    self.scope = scope
    self.zoneID = zoneID
    self.lastChange = lastChange
  }
}

/// A record type during a transaction that writes records of it.
package final class TypeState {
  let id: Int64
  package let name: String

  init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }
}

/// The records of one type in one zone: their number, their size, and the location of their rows.
///
/// Rows that were added in the order of their names can be read in that order by a table scan,
/// which is three times as fast as an index, and needs none.
final class SectionState {
  let zone: ZoneState
  let type: TypeState
  @exclusivity(unchecked) var records: Int64 = 0
  @exclusivity(unchecked) var bytes: Int64 = 0
  /// The number of records that is stored in the table `section`.
  var storedRecords: Int64 = 0
  /// No row of the section has an ID less than this one or greater than ``lastID``.
  @exclusivity(unchecked) var firstID: Int64 = 0
  @exclusivity(unchecked) var lastID: Int64 = 0
  /// No name in the section is greater.
  @exclusivity(unchecked) var lastName: [UInt8] = []
  /// Whether a row with a larger ID always has a greater name.
  @exclusivity(unchecked) var inOrder = true
  @exclusivity(unchecked) var isDirty = false

  init(zone: ZoneState, type: TypeState) {
    self.zone = zone
    self.type = type
  }

  /// Whether a scan of the rows from the first to the last is a good way to read the section: they
  /// are in order, with not too many rows of others between them.
  var isScannable: Bool {
    records == 0
      || Self.isScannable(records: records, span: lastID &- firstID &+ 1, inOrder: inOrder)
  }

  static func isScannable(records: Int64, span: Int64, inOrder: Bool) -> Bool {
    inOrder && span / 4 <= records &+ 64
  }

  /// Compares a name to the greatest one so far.
  @inline(__always)
  func order(of name: UnsafeRawBufferPointer) -> Int {
    lastName.withUnsafeBytes { compareBytes(name, $0) }
  }

  /// Adds a row that was appended to the table.
  @inline(__always)
  func append(id: Int64, name: UnsafeRawBufferPointer, bytes count: Int) {
    if records == 0 {
      // All earlier rows are gone, and their order with them.
      firstID = id
      lastID = id
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
    isDirty = true
  }

  func remove(bytes count: Int64) {
    records &-= 1
    bytes &-= count
    isDirty = true
  }

  private func setLastName(_ name: UnsafeRawBufferPointer) {
    // Names of equal length, such as UUIDs, reuse the storage.
    guard lastName.count == name.count else { return lastName = Array(name) }
    lastName.withUnsafeMutableBytes { $0.copyMemory(from: name) }
  }
}
