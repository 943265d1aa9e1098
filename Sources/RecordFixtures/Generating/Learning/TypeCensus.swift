import RecordModel
import RecordSchema

/// What the records of a type have in common.
struct TypeCensus {
  var records = 0
  var fields: [String: FieldCensus] = [:]
  /// The number of records in each zone.
  var zones: [Zone: Int] = [:]
  var uuids = 0
  var shared = 0
  var modified = 0
  /// The number of records by the hash of their parent.
  var parents: [UInt64: Int] = [:]

  struct Zone: Hashable {
    let database: DatabaseScope
    let zoneID: ZoneID
  }

  var isPublic: Bool { zones.keys.allSatisfy { $0.database == .public } }
}
