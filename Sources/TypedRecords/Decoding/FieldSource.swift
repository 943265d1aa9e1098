import RecordModel

/// What a type is decoded from: a record or a draft.
protocol FieldSource {
  var systemFields: SystemFields { get }
  var recordID: RecordID { get }
  var recordType: String { get }
  func field(named name: String) -> Field?
  func hasField(named name: String) -> Bool
  func allKeys() -> [String]
}

extension ResultRecord: FieldSource {
  func hasField(named name: String) -> Bool { storage.index(of: name) != nil }
}

extension DraftRecord: FieldSource {
  func hasField(named name: String) -> Bool { field(named: name) != nil }
}
