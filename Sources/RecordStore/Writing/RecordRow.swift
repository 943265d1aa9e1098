import RecordCoding
import RecordModel
import RecordPlatform

/// A record to be stored: its keys, and its canonical JSON.
package struct RecordRow {
  /// The zone of the record.
  package var zone: ZoneState
  /// The type of the record.
  package var type: TypeState
  /// The record name in UTF-8, without JSON escapes.
  package var name: UnsafeRawBufferPointer
  /// The modification date in seconds since 2001.
  package var modified: Double?
  /// The record dictionary as canonical JSON, with the same zone, type and name.
  package var payload: UnsafeRawBufferPointer
  /// Whether to search the payload for assets; false if the caller knows that there are none.
  package var mayContainAssets: Bool
  /// The hashes of name and payload.
  let hashes: Hashes

  /// The hashes of a name and a payload for the checksum of the row. They may be computed on
  /// another thread than the one that writes the row.
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
    payload: UnsafeRawBufferPointer, mayContainAssets: Bool = true, hashes: Hashes? = nil
  ) {
    self.zone = zone
    self.type = type
    self.name = name
    self.modified = modified
    self.payload = payload
    self.mayContainAssets = mayContainAssets
    self.hashes = hashes ?? Hashes(name: name, payload: payload)
  }

  /// Returns the checksum of the record's row.
  @inline(__always)
  func hash(change: Int64) -> Int64 {
    var hash = RowHash()
    hash.add(zone.id)
    hash.add(type.id)
    hash.add(hashes.name)
    hash.add(change)
    hash.add(modified)
    hash.add(hashes.payload)
    return hash.column
  }
}

/// A record with its row: valid until the transaction that has read it changes it.
package struct StoredRecord {
  /// The record.
  package let record: ResultRecord
  let row: StoredRow
  /// The number of its last change.
  let change: Int64

  /// Whether the record may refer to assets.
  var mayContainAssets: Bool {
    record.storage.withCanonicalBytes { bytes in
      var isFound = false
      AssetReferences.forEach(in: bytes) { _ in isFound = true }
      return isFound
    } ?? true
  }
}

/// The row of a stored record.
struct StoredRow {
  var id: Int64
  var type: Int64
  var bytes: Int64

  init(id: Int64, type: Int64, bytes: Int64) {
    (self.id, self.type, self.bytes) = (id, type, bytes)
  }

  /// Creates it from the columns `id`, `type` and `length(json)`.
  init(_ row: SQLiteStatement) {
    self.init(id: row.int64(0), type: row.int64(1), bytes: row.int64(2))
  }
}
