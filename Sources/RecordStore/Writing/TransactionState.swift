import RecordCoding
import RecordModel
import RecordPlatform

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

/// The records of one type in one zone during a transaction.
final class SectionState {
  let zone: ZoneState
  let type: TypeState
  @exclusivity(unchecked) private(set) var extent = SectionExtent()
  /// The number of records that is stored in the table `section`.
  var storedRecords: Int64 = 0
  /// Whether the extent differs from the row of the table `section`.
  @exclusivity(unchecked) var isDirty = false

  init(zone: ZoneState, type: TypeState) {
    self.zone = zone
    self.type = type
  }

  /// Sets the extent that the row of the section has.
  func setStored(_ extent: SectionExtent) {
    self.extent = extent
    storedRecords = extent.records
  }

  @inline(__always)
  func change(_ body: (inout SectionExtent) -> Void) {
    body(&extent)
    isDirty = true
  }
}

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
    var hash = RowChecksum()
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
