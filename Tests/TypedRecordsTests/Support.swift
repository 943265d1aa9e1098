import Foundation
import RecordModel
import Testing
import TypedRecords

let chats = ZoneID(zoneName: "Chats")

/// Returns a record of type "Message" named "m1", with a change tag.
func record(_ fields: [Field]) -> ResultRecord {
  ResultRecord(
    systemFields: SystemFields(
      recordID: RecordID(recordName: "m1", zoneID: chats), recordType: "Message",
      recordChangeTag: "a"),
    fields: fields)
}

func record(_ key: String, _ value: RecordValue, isEncrypted: Bool = false) -> ResultRecord {
  record([Field(name: key, value: value, isEncrypted: isEncrypted)])
}

/// A type with one property, the field "value".
struct Box<Value> {
  var value: Value
}

extension Box: Decodable where Value: Decodable {}
extension Box: Encodable where Value: Encodable {}

/// A type with one optional property.
struct Maybe<Value: Codable>: Codable {
  var value: Value?
}

/// Returns the value that a field gets of a Swift value.
func encoded<T: Encodable>(_ value: T, using encoder: RecordEncoder = RecordEncoder()) throws
  -> RecordValue?
{
  let draft = try DraftRecord(encoding: Box(value: value), recordType: "Message", using: encoder)
  return draft.field(named: "value")?.value
}

func decoded<T: Decodable>(
  _ value: RecordValue, as type: T.Type = T.self, using decoder: RecordDecoder = RecordDecoder()
) throws -> T {
  try record("value", value).decode(Box<T>.self, using: decoder).value
}

/// Returns the error of a body, which must be a `TypedRecordError`.
func failure<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> R
) throws -> TypedRecordError {
  let error = #expect(throws: TypedRecordError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  return try #require(error, sourceLocation: sourceLocation)
}

/// Returns the fields of a record after decoding a type, and encoding what `change` made of it.
func recoded<T: Codable>(
  _ record: ResultRecord, as type: T.Type, using encoder: RecordEncoder = RecordEncoder(),
  decoder: RecordDecoder = RecordDecoder(), _ change: (inout T) -> Void = { _ in }
) throws -> DraftRecord {
  var value = try record.decode(type, using: decoder)
  change(&value)
  var draft = DraftRecord(record)
  try draft.encode(value, using: encoder)
  return draft
}
