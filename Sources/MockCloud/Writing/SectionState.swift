import RecordModel

/// The records of one type in one zone: how many, how large, and where their rows lie.
///
/// Rows that were added in the order of their names can be read in that order by going through the
/// table, which is three times as fast as going through an index, and needs none.
final class SectionState {
  let zone: ZoneState
  let type: TypeState
  @exclusivity(unchecked) var records: Int64 = 0
  @exclusivity(unchecked) var bytes: Int64 = 0
  /// No row of the section lies before this one or after ``lastID``.
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

  /// Whether going through the rows from the first to the last is a good way to read the section:
  /// they lie in order, and not too many others lie between them.
  var isScannable: Bool {
    records == 0
      || Self.isScannable(records: records, span: lastID &- firstID &+ 1, inOrder: inOrder)
  }

  static func isScannable(records: Int64, span: Int64, inOrder: Bool) -> Bool {
    inOrder && span / 4 <= records &+ 64
  }

  /// How a name compares to the greatest one so far.
  @inline(__always)
  func order(of name: UnsafeRawBufferPointer) -> Int {
    lastName.withUnsafeBytes { compareBytes(name, $0) }
  }

  /// Takes in a row that was added behind all others.
  @inline(__always)
  func append(id: Int64, name: UnsafeRawBufferPointer, bytes count: Int) {
    if records == 0 {
      // Whatever was here before is gone, and its order with it.
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
    // Names of one length, as UUIDs are, take each other's place.
    guard lastName.count == name.count else { return lastName = Array(name) }
    lastName.withUnsafeMutableBytes { $0.copyMemory(from: name) }
  }
}
