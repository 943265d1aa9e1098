import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// What the targets in `Fuzz` have found.
@Suite("Inputs that broke something once")
struct FuzzFindTests {
  @Test("A type that is called encrypted twice is encrypted once, also when it is read again")
  func encryptedTwice() throws {
    let text = """
      {"recordName":"a","recordType":"T",
       "fields":{"f":{"value":"AA==","type":"ENCRYPTED_ENCRYPTED_BYTES"}}}
      """
    let record = try #require(try ResponseContents(Data(text.utf8)).records.first)
    #expect(record.encryptedValues["f"] == Data([0]))
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    #expect(try RecordJSONReader().read(buffer.bytes) == record)
  }

  @Test(
    "A member of a zone's identity that the zone's line has for itself is refused",
    arguments: ["kind", "database", "zoneID", "capabilities", "share"])
  func zoneIdentity(name: String) throws {
    let zone = "{\"zoneName\":\"Z\",\"\(name)\":\"private\"}"
    for text in [
      "{\"zones\":[{\"zoneID\":\(zone)}]}",
      "{\"records\":[{\"recordName\":\"a\",\"recordType\":\"T\",\"zoneID\":\(zone)}]}",
    ] {
      let error = #expect(throws: RecordCodingError.self) {
        try ResponseContents(Data(text.utf8))
      }
      #expect(error?.description.contains("'\(name)'") == true)
    }
  }
}
