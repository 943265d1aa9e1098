import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct WebServicesWriterTests {
  @Test func `a record looks as servers send it`() throws {
    let zone = ZoneID(zoneName: "Notes", ownerName: "_o")
    let known = RecordZone(
      zoneID: zone,
      otherMembers: [
        OtherMember(name: "zoneType", value: RawJSON(compact: "\"REGULAR_CUSTOM_ZONE\""))
      ])
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "n", zoneID: zone), recordType: "Note",
        recordChangeTag: "1", created: RecordStamp(userRecordName: "_u")),
      fields: [
        Field(name: "secret", value: .int64(5), isEncrypted: true),
        Field(name: "file", value: .asset(Asset(size: 3))),
        Field(name: "files", value: .assetList([])),
        Field(
          name: "list",
          value: .reference(Reference(recordID: RecordID(recordName: "l", zoneID: zone)))),
      ])
    let written = try WebServicesWriter(zones: [known]).element(for: record).compactText
    let zoneText =
      #"{"zoneName":"Notes","ownerRecordName":"_o","zoneType":"REGULAR_CUSTOM_ZONE"}"#
    #expect(
      written == #"{"recordName":"n","recordType":"Note","fields":{"#
        + #""file":{"value":{"size":3},"type":"ASSETID"},"#
        + #""files":{"value":[],"type":"ASSETID_LIST"},"#
        + #""list":{"value":{"recordName":"l","action":"NONE","zoneID":\#(zoneText)},"#
        + #""type":"REFERENCE"},"secret":{"value":5,"type":"ENCRYPTED_INT64"}},"#
        + #""recordChangeTag":"1","created":{"userRecordName":"_u"},"deleted":false,"#
        + #""zoneID":\#(zoneText)}"#)
  }

  /// The whole list: what is not in it comes back as it was.
  @Test func `what is not written back as it came`() throws {
    let text = """
      {"recordName":"r","recordType":"T","parent":null,"expirationTime":5,"pluginFields":{"a":1.50},
       "zoneID":{"zoneName":"Z","ownerName":"o"},
       "created":{"timestamp":1.0e12,"userRecordName":null,"place":"x"},
       "fields":{"nil":{},"secret":{"type":"STRING","isEncrypted":true,"value":"s"},
        "old":{"type":"NUMBER_INT64","value":1},"untyped":{"value":2.50},
        "ref":{"type":"REFERENCE","value":{"recordName":"x","action":"NONE","extra":[ ]}}}}
      """
    let response = try ResponseContents(Data(text.utf8))
    let written = try WebServicesWriter().element(for: try #require(response.records.first))
    let zone = #"{"zoneName":"Z","ownerRecordName":"o"}"#
    #expect(
      written.compactText == #"{"recordName":"r","recordType":"T","fields":{"#
        + #""old":{"value":1,"type":"INT64"},"ref":{"value":{"recordName":"x","action":"NONE","#
        + #""zoneID":\#(zone),"extra":[]},"type":"REFERENCE"},"#
        + #""secret":{"value":"s","type":"ENCRYPTED_STRING"},"untyped":{"value":2.5,"#
        + #""type":"DOUBLE"}},"expirationTime":5,"pluginFields":{"a":1.50},"#
        + #""created":{"timestamp":1000000000000,"place":"x"},"deleted":false,"zoneID":\#(zone)}"#)
  }

  @Test func `random records come back equal, and the same bytes are written again`() throws {
    var model = RandomModel(seed: 31)
    let records = (0..<100).map { _ in model.record() }
    let writer = WebServicesWriter()
    let page = try writer.page(records: records)
    let again = try ResponseContents(page)
    #expect(again.records == records)
    #expect(try writer.page(records: again.records) == page)
  }

  @Test func `a stream of any length is one response`() throws {
    var model = RandomModel(seed: 32)
    let records = (0..<20).map { _ in model.record() }
    var pieces: [Data] = []
    let stream = try ResponseStream { pieces.append($0) }
    for round in 0..<50 {
      for record in records { try stream.append(record) }
      try stream.append(DeletedRecord(recordID: RecordID(recordName: "gone\(round)")))
    }
    try stream.finish(syncToken: "t", continuationMarker: "m")
    #expect(pieces.count > 1)
    let response = try ResponseContents(pieces.reduce(Data(), +))
    #expect(response.records == Array(repeating: records, count: 50).flatMap { $0 })
    #expect(response.tombstones.count == 50)
    #expect(response.summary.pages.map(\.syncToken) == ["t"])
    #expect(response.isIncomplete)
  }

  @Test func `zones come back as they were`() throws {
    let type = OtherMember(name: "zoneType", value: RawJSON(compact: "\"X\""))
    let zones = [
      RecordZone(zoneName: "A"),
      RecordZone(zoneID: ZoneID(zoneName: "B"), otherMembers: [type]),
      RecordZone(zoneID: ZoneID(zoneName: "C"), capabilities: [.sharing]),
      RecordZone(
        zoneID: ZoneID(zoneName: "D"),
        share: Reference(
          recordID: RecordID(
            recordName: Share.zoneWideRecordName, zoneID: ZoneID(zoneName: "D")))),
      RecordZone(zoneID: .default),
    ]
    let page = try WebServicesWriter().page(zones: zones)
    #expect(try ResponseContents(page).zones == zones)
  }

  @Test func `a double that is not finite is refused by name`() throws {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: "T"),
      fields: [Field(name: "f", value: .double(.nan))])
    let error = #expect(throws: RecordCodingError.self) {
      try WebServicesWriter().page(records: [record])
    }
    #expect(error?.path == "fields.f")
  }
}
