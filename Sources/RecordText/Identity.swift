import RecordCoding
import RecordModel

/// A database and zone, with an optional type and record name.
package struct Identity: Hashable {
  package let database: DatabaseScope
  package let zoneID: ZoneID
  package let type: String?
  package let name: String?

  package init(
    _ database: DatabaseScope, _ zoneID: ZoneID, type: String? = nil, name: String? = nil
  ) {
    self.database = database
    self.zoneID = zoneID
    self.type = type
    self.name = name
  }

  package init(_ database: DatabaseScope, _ recordID: RecordID, type: String? = nil) {
    self.init(database, recordID.zoneID, type: type, name: recordID.recordName)
  }

  package init(_ database: DatabaseScope, _ record: ResultRecord) {
    self.init(database, record.recordID, type: record.recordType)
  }

  /// The members of a JSON object, with the names of a bundle's lines.
  package var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("database", .string(database.rawValue)), .init("zoneID", zoneID.jsonValue()),
    ]
    if let type { members.append(.init("recordType", .string(type))) }
    if let name { members.append(.init("recordName", .string(name))) }
    return members
  }

  package var json: JSONValue { .object(members) }

  package func text(separator: String) -> String {
    [database.rawValue, zoneID.description, type, name].compactMap { $0?.visible }
      .joined(separator: separator)
  }
}
