import CloudWebServices
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import TestSupport
import Testing

/// Records of real responses, which a container took in, are served in the shape that they came in.
@Suite(
  .enabled(if: Place.corpus("web-services") != nil, "the corpus is not beside the package"))
struct CorpusShapeTests {
  static var files: [String] {
    guard let folder = Place.corpus("web-services") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains("query") }.sorted()
  }

  @Test(arguments: files)
  func `records have the members and types of real ones`(file: String) async throws {
    let folder = try #require(Place.corpus("web-services"))
    let data = try Data(contentsOf: folder.appending(path: file))
    let real = try Self.records(in: JSON(data.withUnsafeBytes { try JSONParser.parse($0) }))
    let contents = try ResponseContents(data, dialect: .webServices)
    let client = try WebClient()
    _ = try client.container.store.importTransaction { writer in
      for zoneID in Set(contents.records.map(\.recordID.zoneID)) {
        try writer.add(RecordZone(zoneID: zoneID), to: .private)
      }
      for record in contents.records { try writer.add(record, to: .private) }
    }
    for (record, expected) in zip(contents.records, real) {
      let zoneID = try #require(expected["zoneID"].value)
      let answer = try await client.post(
        "records/lookup",
        #"{"zoneID":\#(zoneID.compactText),"records":[{"recordName":\#(expected["recordName"])}]}"#)
      let served = answer.json["records"][0]
      #expect(served["recordName"] == record.recordID.recordName)
      let difference = Self.shape(of: served).symmetricDifference(Self.shape(of: expected))
      #expect(difference.sorted() == [])
    }
  }

  private static func records(in json: JSON) -> [JSON] {
    json["batch"].elements.flatMap { records(in: $0) } + json["records"].elements
  }

  /// The paths of all members, with the kinds of their values; the types of fields as they are.
  ///
  /// Left out are the zones of references, which a response may leave out, and the type of a zone,
  /// which real records do not have.
  private static func shape(of json: JSON, at path: String = "") -> Set<String> {
    guard let value = json.value else { return [] }
    if path.hasSuffix(".type") { return ["\(path) \(value.string ?? "")"] }
    if path.hasSuffix("zoneID.zoneType") { return [] }
    if path.hasSuffix("value.zoneID") || path.hasSuffix("value[].zoneID") { return [] }
    if let members = value.members {
      return Set(members.flatMap { shape(of: JSON($0.value), at: "\(path).\($0.name)") })
        .union(["\(path) object"])
    }
    if let elements = value.elements {
      return Set(elements.flatMap { shape(of: JSON($0), at: path + "[]") })
    }
    return ["\(path) \(value.kind)"]
  }
}
