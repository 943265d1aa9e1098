import RecordModel

/// A record on its way into the store: its keys, and its canonical JSON.
package struct RecordRow {
  /// Where the record goes.
  package var zone: ZoneState
  /// What it is.
  package var type: TypeState
  /// The record's name in UTF-8, as it reads, not as JSON escapes it.
  package var name: UnsafeRawBufferPointer
  /// When it was last modified, in seconds since 2001.
  package var modified: Double?
  /// The record dictionary as canonical JSON; zone, type and name in it are those above.
  package var payload: UnsafeRawBufferPointer
  /// Whether the payload is to be searched for assets; false where the caller knows of none.
  package var mayHoldAssets: Bool

  package init(
    zone: ZoneState, type: TypeState, name: UnsafeRawBufferPointer, modified: Double?,
    payload: UnsafeRawBufferPointer, mayHoldAssets: Bool = true
  ) {
    self.zone = zone
    self.type = type
    self.name = name
    self.modified = modified
    self.payload = payload
    self.mayHoldAssets = mayHoldAssets
  }

  /// The checksum of the row that the record becomes.
  @inline(__always)
  func hash(change: Int64) -> Int64 {
    var hash = RowHash()
    hash.add(zone.id)
    hash.add(type.id)
    hash.add(name)
    hash.add(change)
    hash.add(modified)
    hash.add(payload)
    return hash.column
  }
}

/// The row of a record that is stored already.
struct StoredRow {
  var id: Int64
  var type: Int64
  var bytes: Int64
}
