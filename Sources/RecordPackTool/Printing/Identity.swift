import RecordCoding
import RecordModel

/// A database and zone, with an optional type and record name.
struct Identity: Hashable {
  let database: DatabaseScope
  let zoneID: ZoneID
  let type: String?
  let name: String?

  init(_ database: DatabaseScope, _ zoneID: ZoneID, type: String? = nil, name: String? = nil) {
    self.database = database
    self.zoneID = zoneID
    self.type = type
    self.name = name
  }

  init(_ database: DatabaseScope, _ recordID: RecordID, type: String? = nil) {
    self.init(database, recordID.zoneID, type: type, name: recordID.recordName)
  }

  init(_ database: DatabaseScope, _ record: ResultRecord) {
    self.init(database, record.recordID, type: record.recordType)
  }

  /// The members of a JSON object, with the names of a bundle's lines.
  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("database", .string(database.rawValue)), .init("zoneID", zoneID.jsonValue()),
    ]
    if let type { members.append(.init("recordType", .string(type))) }
    if let name { members.append(.init("recordName", .string(name))) }
    return members
  }

  var json: JSONValue { .object(members) }

  func text(separator: String) -> String {
    [database.rawValue, zoneID.description, type, name].compactMap { $0?.visible }
      .joined(separator: separator)
  }
}
