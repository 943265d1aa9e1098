import Foundation
import RecordModel

@testable import RecordCoding

/// Records through Foundation's encoders and decoders, and what these decode out of any JSON.
struct CodableTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    _ = try? JSONDecoder().decode(ResultRecord.self, from: Data(input))
    let record = try input.withUnsafeBytes { try RecordJSONReader().read($0) }
    // Foundation may take two names for the same.
    guard let data = try? JSONEncoder().encode(record) else { return }
    let back = requireNoError("decoding an encoded record") {
      try JSONDecoder().decode(ResultRecord.self, from: data)
    }
    guard keepsSpelling(record) else { return }
    require(back == record, "a record comes back changed: \(difference(data, input))")
  }

  /// Whether nothing in a record has parts that encoders may spell otherwise: JSON that is not
  /// known, and dates next to the beginning of 2001.
  private func keepsSpelling(_ record: ResultRecord) -> Bool {
    guard let tree = try? record.jsonValue() else { return false }
    return record.systemFields.otherMembers.isEmpty
      && record.fields.allSatisfy { field in
        if case .unknown = field.value { return false }
        return field.otherMembers.isEmpty
      } && !Self.hasLongNumber(tree)
  }

  private static func hasLongNumber(_ json: JSONValue) -> Bool {
    switch json.content {
    case .number(let text): text.utf8.count > 30 || text.contains("e-")
    case .array(let elements): elements.contains(where: hasLongNumber)
    case .object(let members):
      members.contains { !knownNames.contains($0.name) && !isField($0) || hasLongNumber($0.value) }
    default: false
    }
  }

  private static func isField(_ member: JSONValue.Member) -> Bool { member.value["type"] != nil }

  /// What the model knows; anything else is a member that is kept as it came.
  private static let knownNames: Set = [
    "recordName", "recordType", "recordChangeTag", "created", "modified", "parent", "share",
    "fields", "zoneID", "zoneName", "ownerRecordName", "timestamp", "userRecordName", "deviceID",
    "action", "type", "value", "isEncrypted", "latitude", "longitude", "altitude",
    "horizontalAccuracy", "verticalAccuracy", "course", "speed", "sha256", "size", "fileChecksum",
    "referenceChecksum", "wrappingKey", "receipt", "downloadURL",
  ]
}
