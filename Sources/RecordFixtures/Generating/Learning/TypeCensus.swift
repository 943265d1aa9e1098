import RecordModel
import RecordSchema

/// What the records of a type have in common.
struct TypeCensus {
  private(set) var records = 0
  private(set) var fields: [String: FieldCensus] = [:]
  /// The number of records in each zone.
  private(set) var zones: [Zone: Int] = [:]
  private(set) var uuids = 0
  private(set) var shared = 0
  private(set) var modified = 0
  /// The number of records by the hash of their parent.
  private(set) var parents: [UInt64: Int] = [:]

  struct Zone: Hashable {
    let database: DatabaseScope
    let zoneID: ZoneID
  }

  var isPublic: Bool { zones.keys.allSatisfy { $0.database == .public } }

  /// - Parameters:
  ///   - parentField: The field that refers to the parent, where the record has none.
  ///   - guesses: The rules that suit the names of the fields.
  mutating func add(
    _ record: ResultRecord, _ database: DatabaseScope, parentField: String?,
    guesses: [String: FieldRule]
  ) {
    records += 1
    zones[Zone(database: database, zoneID: record.recordID.zoneID), default: 0] += 1
    switch record.recordID.packedName {
    case .upperUUID, .lowerUUID: uuids += 1
    case .user, .text: break
    }
    if record.share != nil, record.parent == nil { shared += 1 }
    if let changed = record.modificationDate, changed != record.creationDate { modified += 1 }
    let all = record.fields
    var parent = record.parent?.recordID
    if parent == nil, let field = all.first(where: { $0.name == parentField }),
      case .reference(let reference) = field.value
    {
      parent = reference.recordID
    }
    for field in all {
      fields[field.name, default: FieldCensus(guess: guesses[field.name]?.value ?? .guess)]
        .add(field.value, parent: parent)
    }
    if let parent { parents[RecipeLearner.hash(parent), default: 0] += 1 }
  }
}
