import Foundation
import RecordModel
import RecordPlatform
import Testing

@testable import RecordCoding

@Suite("What the fuzz targets have found")
struct FuzzFindTests {
  @Test("An empty change tag is the same to every reader of a line")
  func emptyChangeTag() throws {
    let zone = #""zoneID":{"zoneName":"Z","ownerRecordName":"_o"}"#
    let line =
      Array(
        #"{"kind":"record","database":"shared",\#(zone),"recordType":"T","recordName":"b","#.utf8
      ) + Array(#""recordChangeTag":"","fields":{}}"#.utf8)
    try line.withUnsafeBytes { line in
      let reader = RecordJSONReader()
      let record = try #require(reader.readCanonicalLine(line)).record
      let scan = try #require(reader.scanLine(line))
      let editable = EditableRecord()
      let isLoaded = reader.load(editable, from: line)
      #expect(isLoaded && record.recordChangeTag == "")
      #expect(scan.changeTag == "" && editable.recordChangeTag == "")
    }
  }

  @Test("A zone's identity has no member that would make another item of the zone")
  func zoneIdentity() throws {
    for member in [#""serverErrorCode":"ZONE_NOT_FOUND""#, #""deleted":true"#, #""records":[]"#] {
      let text = #"{"zones":[{"zoneID":{"zoneName":"A",\#(member)}}]}"#
      let response = try ResponseContents(Data(text.utf8))
      #expect(response.items.count == 1 && response.unread.count == 1, "\(member)")
      #expect(response.unread.first?.description.contains("expected another name") == true)
    }
  }
}
