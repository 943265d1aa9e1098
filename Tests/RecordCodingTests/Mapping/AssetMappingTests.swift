import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite("Assets in JSON")
struct AssetMappingTests {
  private let digest = String(repeating: "0a", count: 32)

  private func record(_ asset: String, type: String = "ASSET") -> String {
    #"{"zoneID":{"zoneName":"_defaultZone","ownerRecordName":"__defaultOwner__"},"#
      + #""recordType":"T","recordName":"r","fields":{"a":{"type":"\#(type)","value":\#(asset)}}}"#
  }

  private func read(_ text: String) throws -> ResultRecord {
    try ResultRecord(json: JSONParser.parse(text))
  }

  @Test("A digest in upper case is read, and written in lower case")
  func upperCase() throws {
    let upper = try read(record(#"{"sha256":"\#(digest.uppercased())","size":1}"#))
    let lower = try read(record(#"{"sha256":"\#(digest)","size":1}"#))
    #expect(upper == lower)
    #expect(upper.assetDigests == [digest])
    #expect(try upper.jsonValue().compactText.contains(digest))
  }

  @Test(
    "What is no digest, and a negative size, are refused with their place",
    arguments: [
      #"{"sha256":"zz"}"#, #"{"sha256":""}"#, #"{"sha256":7}"#, #"{"size":-1}"#,
      #"{"sha256":"\#(String(repeating: "0", count: 63))"}"#,
    ])
  func refused(asset: String) {
    for text in [record(asset), record("[\(asset)]", type: "ASSET_LIST")] {
      let error = #expect(throws: RecordCodingError.self) { try read(text) }
      #expect(error?.path.hasPrefix("fields.a.value") == true)
      #expect(error?.offset != nil)
    }
  }

  @Test("The scanner of canonical lines takes only what the writer writes")
  func scanner() {
    func isCanonical(_ asset: String) -> Bool {
      var asset = "\(asset)}"
      return asset.withUTF8 { bytes in
        var scanner = CanonicalReader(UnsafeRawBufferPointer(bytes))
        return scanner.value(.asset, in: RecordPrefix(zoneID: .default, recordType: "T"))
      }
    }
    #expect(isCanonical(#"{"sha256":"\#(digest)","size":1}"#))
    #expect(isCanonical("{}"))
    #expect(!isCanonical(#"{"sha256":"\#(digest.uppercased())","size":1}"#))
    #expect(!isCanonical(#"{"sha256":"zz"}"#))
    #expect(!isCanonical(#"{"size":-1}"#))
  }

  @Test("What a value of an unknown type refers to is found by a digest in lower case")
  func unknownType() throws {
    for (text, found) in [(digest, [digest]), (digest.uppercased(), [])] {
      let record = try read(record(#"{"file":{"sha256":"\#(text)"}}"#, type: "ASSET_V2"))
      #expect(record.assetDigests == found)
    }
  }

  @Test("A record whose asset still has its content is not written without it")
  func contentIsNotDropped() throws {
    for asset in [
      Asset(data: Data([1])), Asset(fileURL: URL(fileURLWithPath: "/x")), Asset(sha256: "zz"),
      Asset(size: -1),
    ] {
      let record = ResultRecord(
        systemFields: SystemFields(recordID: RecordID(recordName: "r"), recordType: "T"),
        fields: [Field(name: "a", value: .assetList([asset]))])
      let error = #expect(throws: RecordCodingError.self) { try JSONEncoder().encode(record) }
      #expect(error?.path.hasPrefix("fields.a.value[0]") == true)
      let canonical = #expect(throws: RecordCodingError.self) {
        try RecordJSONWriter().write(record, to: ByteBuffer(capacity: 64))
      }
      #expect(canonical?.path.hasPrefix("fields.a.value") == true)
      #expect(throws: RecordCodingError.self) { try JSONEncoder().encode(asset) }
    }
  }

  @Test("A draft keeps the content of its assets on the way through an encoder")
  func draft() throws {
    let bytes = Data((0...255).map { UInt8($0) })
    let file = URL(fileURLWithPath: "/photos/a photo.jpg")
    var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: "r"))
    draft["photo"] = Asset(data: bytes)
    draft["empty"] = Asset(data: Data())
    draft["files"] = [Asset(fileURL: file), Asset(sha256: digest, size: 3), Asset(data: bytes)]
    draft["text"] = "x"
    let read = try JSONDecoder().decode(DraftRecord.self, from: JSONEncoder().encode(draft))
    #expect(read == draft)
    let list = try PropertyListDecoder().decode(
      DraftRecord.self, from: PropertyListEncoder().encode(draft))
    #expect(list == draft)
    #expect((read["photo"] as? Asset)?.content == .data(bytes))
  }

  @Test("Content that fits no asset of the draft, and URLs of the network, are refused")
  func badContents() {
    func draft(_ contents: String) throws -> DraftRecord {
      let start = record(#"{"sha256":"\#(digest)"}"#).dropLast()
      return try DraftRecord(
        json: JSONParser.parse("\(start),\"changedKeys\":[\"a\"],\"assetContents\":\(contents)}"))
    }
    #expect(throws: Never.self) { try draft(#"{"a":[{"data":"AQ=="}]}"#) }
    for contents in [
      #"{"a":[]}"#, #"{"b":[null]}"#, #"{"a":[{"fileURL":"https://x.test/"}]}"#, #"{"a":[{}]}"#,
      #"{"a":[{"data":"?"}]}"#, "[]", #"{"a":[null,null]}"#,
    ] {
      #expect(throws: RecordCodingError.self, "\(contents)") { try draft(contents) }
    }
  }
}
