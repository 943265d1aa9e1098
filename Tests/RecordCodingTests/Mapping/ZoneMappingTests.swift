import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct ZoneMappingTests {
  @Test func `zones come back as they were written`() throws {
    let text =
      #"{"zoneID":{"zoneName":"Z","ownerRecordName":"_o"},"capabilities":["ATOMIC","SHARING"],"#
      + #""share":{"recordName":"cloudkit.zoneshare","action":"NONE"},"syncToken":"t"}"#
    let zone = try RecordZone(json: JSONParser.parse(text))
    #expect(zone.capabilities == [.atomic, .sharing])
    #expect(zone.share?.recordID.zoneID == zone.zoneID)
    #expect(try zone.jsonValue().compactText == text)
  }

  @Test func `a zone of Web Services has what its name and atomic say`() throws {
    func capabilities(_ members: String) throws -> Set<RecordZone.Capability> {
      try RecordZone(
        json: JSONParser.parse(#"{"zoneID":{"zoneName":"Z","ownerName":"o"}\#(members)}"#)
      ).capabilities
    }
    #expect(try capabilities("") == Set(RecordZone.Capability.allCases))
    #expect(try !capabilities(#","atomic":false"#).contains(.atomic))
    #expect(try capabilities(#","capabilities":[],"atomic":true"#) == [])
    let other = #expect(throws: RecordCodingError.self) {
      try capabilities(#","capabilities":["FLYING"]"#)
    }
    #expect(other?.path == "capabilities[0]")
    #expect(other?.found == "the string \"FLYING\"")
  }

  @Test func `ownerName is another spelling, and the zone's type is the zone's`() throws {
    let zone = try RecordZone(
      json: JSONParser.parse(
        #"{"zoneID":{"zoneType":"DEFAULT_ZONE","zoneName":"_defaultZone","ownerName":"_o"}}"#))
    #expect(zone.zoneID == ZoneID(zoneName: "_defaultZone", ownerName: "_o"))
    #expect(zone.otherMembers["zoneType"]?.text == "\"DEFAULT_ZONE\"")
    #expect(zone.capabilities == [])
  }

  @Test func `deletions are told with and without their date`() throws {
    let zone = #"{"zoneName":"Z","ownerRecordName":"_o"}"#
    for text in [
      #"{"zoneID":\#(zone),"recordName":"a","recordType":"T","deleted":1533040623320,"x":[]}"#,
      #"{"zoneID":\#(zone),"recordName":"a"}"#,
    ] {
      #expect(try DeletedRecord(json: JSONParser.parse(text)).jsonValue().compactText == text)
    }
    let server = try DeletedRecord(
      json: JSONParser.parse(#"{"recordName":"a","deleted":true,"zoneID":\#(zone)}"#))
    #expect(server.deletionDate == nil && server.recordID.zoneID.ownerName == "_o")
  }

  @Test func `errors of the server become CloudKit's`() throws {
    func error(_ text: String) throws -> CloudError { try CloudError(json: JSONParser.parse(text)) }
    for code in CloudError.Code.allCases {
      let original = CloudError(code, "reason", retryAfter: 1.5)
      let again = try CloudError(json: original.jsonValue())
      #expect(again.code == code && again.message == "reason" && again.retryAfterSeconds == 1.5)
    }
    #expect(try error(#"{"serverErrorCode":"AUTHENTICATION_FAILED"}"#).code == .notAuthenticated)
    let unknown = try error(#"{"serverErrorCode":"NEW_ERROR","reason":"why"}"#)
    #expect(unknown.code == .serverRejectedRequest && unknown.message == "NEW_ERROR: why")
    #expect(throws: RecordCodingError.self) { try error("{}") }
  }
}
