import RecordModel
import RecordPlatform

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
  /// The hashes of name and payload.
  let hashes: Hashes

  /// The hashes of a name and a payload, which the checksum of the row is made of: they may be made
  /// on another thread than the row is written by.
  package struct Hashes {
    let name: UInt64
    let payload: UInt64

    package init(name: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer) {
      self.name = XXH64.hash(name)
      self.payload = XXH64.hash(payload)
    }
  }

  package init(
    zone: ZoneState, type: TypeState, name: UnsafeRawBufferPointer, modified: Double?,
    payload: UnsafeRawBufferPointer, mayHoldAssets: Bool = true, hashes: Hashes? = nil
  ) {
    self.zone = zone
    self.type = type
    self.name = name
    self.modified = modified
    self.payload = payload
    self.mayHoldAssets = mayHoldAssets
    self.hashes = hashes ?? Hashes(name: name, payload: payload)
  }

  /// The checksum of the row that the record becomes.
  @inline(__always)
  func hash(change: Int64) -> Int64 {
    var hash = RowHash()
    hash.add(zone.id)
    hash.add(type.id)
    hash.add(hash: hashes.name)
    hash.add(change)
    hash.add(modified)
    hash.add(hash: hashes.payload)
    return hash.column
  }
}

/// The row of a record that is stored already.
struct StoredRow {
  var id: Int64
  var type: Int64
  var bytes: Int64
}
