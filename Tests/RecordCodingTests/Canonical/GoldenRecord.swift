import Foundation
import RecordModel

@testable import RecordCoding

extension CanonicalRecordTests {
  /// A record with every kind of value.
  static let goldenRecord: ResultRecord = {
    let zone = ZoneID(zoneName: "Chats", ownerName: "_a1")
    let elsewhere = RecordID(recordName: "m 1", zoneID: ZoneID(zoneName: "Other"))
    let here = RecordID(recordName: "FB304340-09F0-5C03-22BC-C6B4B06910D1", zoneID: zone)
    let date = Date(timeIntervalSinceReferenceDate: 554_733_423.32)
    var place = Location(latitude: 48.5, longitude: -0.125)
    place.speed = 1e-7
    place.timestamp = date
    var system = SystemFields(
      recordID: RecordID(recordName: "fb304340-09f0-5c03-22bc-c6b4b06910d2", zoneID: zone),
      recordType: "Message")
    system.recordChangeTag = "4k"
    system.created = RecordStamp(date: date, userRecordName: "_u", deviceID: "phone")
    system.modified = RecordStamp(date: date)
    system.parent = Reference(recordID: here)
    system.share = Reference(recordID: elsewhere, action: .deleteSelf)
    system.otherMembers.set("pluginFields", to: RawJSON(compact: "{}"))
    system.otherMembers.set("expirationTime", to: RawJSON(compact: "[1,null,\"x\"]"))
    return ResultRecord(
      systemFields: system,
      fields: [
        Field(
          name: "assets",
          value: .assetList([Asset(sha256: String(repeating: "ab", count: 32), size: 3)])),
        Field(name: "bytes", value: .bytes(Data([0, 255, 16]))),
        Field(name: "date", value: .timestamp(date)),
        Field(name: "double", value: .double(-0.0)),
        Field(name: "empty", value: .stringList([])),
        Field(
          name: "future", value: .unknown(type: "HYPERCUBE", json: RawJSON(compact: "{\"d\":4}"))),
        Field(name: "int", value: .int64(.min)),
        Field(name: "nothing", value: .emptyList),
        Field(name: "place", value: .location(place)),
        Field(
          name: "related", value: .referenceList([Reference(recordID: here, action: .validate)])),
        Field(name: "secret", value: .string("\"\\\n\u{1}é👍/"), isEncrypted: true),
      ])
  }()

  static let goldenText = [
    #"{"zoneID":{"zoneName":"Chats","ownerRecordName":"_a1"},"recordType":"Message","#,
    #""recordName":"fb304340-09f0-5c03-22bc-c6b4b06910d2","recordChangeTag":"4k","#,
    #""created":{"timestamp":1533040623320,"userRecordName":"_u","deviceID":"phone"},"#,
    #""modified":{"timestamp":1533040623320},"#,
    #""parent":{"recordName":"FB304340-09F0-5C03-22BC-C6B4B06910D1","action":"NONE"},"#,
    #""share":{"recordName":"m 1","zoneID":{"zoneName":"Other","ownerRecordName":"#,
    #""__defaultOwner__"},"action":"DELETE_SELF"},"fields":{"#,
    #""assets":{"type":"ASSET_LIST","value":[{"sha256":"abababababababababababababababababababababababababababababababab","size":3}]},"#,
    #""bytes":{"type":"BYTES","value":"AP8Q"},"#,
    #""date":{"type":"TIMESTAMP","value":1533040623320},"#,
    #""double":{"type":"DOUBLE","value":-0},"#,
    #""empty":{"type":"STRING_LIST","value":[]},"#,
    #""future":{"type":"HYPERCUBE","value":{"d":4}},"#,
    #""int":{"type":"INT64","value":-9223372036854775808},"#,
    #""nothing":{"type":"UNKNOWN_LIST","value":[]},"#,
    #""place":{"type":"LOCATION","value":{"latitude":48.5,"longitude":-0.125,"speed":1e-7,"#,
    #""timestamp":1533040623320}},"#,
    #""related":{"type":"REFERENCE_LIST","value":[{"recordName":"#,
    #""FB304340-09F0-5C03-22BC-C6B4B06910D1","action":"VALIDATE"}]},"#,
    #""secret":{"type":"STRING","isEncrypted":true,"value":"\"\\\n\u0001é👍/"}},"#,
    #""expirationTime":[1,null,"x"],"pluginFields":{}}"#,
  ].joined()
}
