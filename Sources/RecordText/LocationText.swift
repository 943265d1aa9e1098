import RecordCoding
import RecordModel

extension ZoneLocation {
  /// A JSON object, with the names of a bundle's lines.
  package var json: JSONValue { ["database": database.rawValue, "zoneID": zoneID.jsonValue()] }

  package func text(separator: String = " ") -> String {
    [database.rawValue, zoneID.description].map(\.visible).joined(separator: separator)
  }
}

extension RecordLocation {
  package init(_ database: DatabaseScope, _ record: ResultRecord) {
    self.init(database, record.recordID)
  }

  /// A JSON object, with the names of a bundle's lines.
  ///
  /// - Parameter recordType: The type of the record; nil if it is unknown.
  package func json(_ recordType: String?) -> JSONValue {
    zone.json.adding(["recordType": recordType, "recordName": recordID.recordName])
  }

  /// - Parameter recordType: The type of the record; nil if it is unknown.
  package func text(_ recordType: String?, separator: String = " ") -> String {
    [zone.text(separator: separator), recordType?.visible, recordID.recordName.visible]
      .compactMap { $0 }.joined(separator: separator)
  }
}
