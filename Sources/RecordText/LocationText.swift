import RecordCoding
import RecordModel

extension ZoneLocation {
  /// The members of a JSON object, with the names of a bundle's lines.
  package var members: [JSONValue.Member] {
    [.init("database", .string(database.rawValue)), .init("zoneID", zoneID.jsonValue())]
  }

  package var json: JSONValue { .object(members) }

  package func text(separator: String = " ") -> String {
    [database.rawValue, zoneID.description].map(\.visible).joined(separator: separator)
  }
}

extension RecordLocation {
  package init(_ database: DatabaseScope, _ record: ResultRecord) {
    self.init(database, record.recordID)
  }

  /// The members of a JSON object, with the names of a bundle's lines.
  ///
  /// - Parameter recordType: The type of the record; nil if it is unknown.
  package func members(_ recordType: String?) -> [JSONValue.Member] {
    zone.members + (recordType.map { [.init("recordType", .string($0))] } ?? [])
      + [.init("recordName", .string(recordID.recordName))]
  }

  /// - Parameter recordType: The type of the record; nil if it is unknown.
  package func text(_ recordType: String?, separator: String = " ") -> String {
    [zone.text(separator: separator), recordType?.visible, recordID.recordName.visible]
      .compactMap { $0 }.joined(separator: separator)
  }
}
