import RecordModel

/// A zone during a transaction that writes to it.
package final class ZoneState {
  let id: Int64
  /// The number of the zone in its writer.
  let index: Int
  package let scope: DatabaseScope
  package let zoneID: ZoneID
  @exclusivity(unchecked) var lastChange: Int64
  @exclusivity(unchecked) var isDirty = false
  /// The greatest number of a loaded record.
  let loadLimit: Int64

  init(
    id: Int64, index: Int, scope: DatabaseScope, zoneID: ZoneID, lastChange: Int64,
    loadLimit: Int64
  ) {
    self.id = id
    self.index = index
    self.scope = scope
    self.zoneID = zoneID
    self.lastChange = lastChange
    self.loadLimit = loadLimit
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
