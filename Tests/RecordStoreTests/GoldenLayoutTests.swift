import Foundation
import RecordModel
import RecordPlatform
import Testing

@testable import RecordStore

/// A file of each published layout, created with `recordpack import`. They are never created again:
/// what can be read today must stay readable.
@Suite("A container file of an earlier version")
struct GoldenLayoutTests {
  @Test("is opened, read, checked and changed", arguments: [1])
  func layout(version: Int) throws {
    let directory = try TestFolder()
    let path = directory.path("a")
    let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden/layout-\(version).sqlite")
    try FileManager.default.copyItem(at: golden, to: URL(fileURLWithPath: path))

    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    try checkContents(of: reader)
    let check = try reader.verify { Issue.record("\($0)") }
    #expect(check.records > 0 && check.assets > 0)
    try reader.close()
    #expect(
      try Data(contentsOf: golden) == Data(contentsOf: URL(fileURLWithPath: path)),
      "reading changes nothing")

    let container = try ContainerStore.open(path: path)
    var draft = note("new", in: .default)
    draft["file"] = Asset(data: Data([1, 2, 3]))
    try container.database(.private).save([draft])
    #expect(try container.verify { Issue.record("\($0)") }.records == check.records + 1)
    try container.close()
    #expect(directory.names == ["a"])
  }

  private func checkContents(of container: ContainerStore) throws {
    let info = try container.info()
    #expect(info.identifier == "iCloud.com.example.tact")
    #expect(info.environment == .development)
    #expect(info.schemaVersion == "v4")
    #expect(info.currentUserRecordName == "_6d697261000000000000000000000001")
    #expect(info.schema?.contains("RECORD TYPE Message") == true)
    try container.snapshot { snapshot in
      var hash = SHA256()
      for scope in DatabaseScope.allCases {
        try snapshot.forEachRecordBytes(in: scope) { bytes, _ in hash.update(bytes) }
      }
      #expect(
        hash.finalize().description
          == "fbaddfce5feb4368d7ed3abc74f22f0b4d04f6661cef5c01f46182f15ee479d1")
      let types = try snapshot.recordTypes(in: .private)
      #expect(
        types.map(\.recordType) == ["Chat", "Message", "PrivateName", "Reaction", "ReadMarker"])
      #expect(types.map(\.recordCount) == [6, 72, 2, 2, 6])
      #expect(try snapshot.zones(in: .private).map(\.zoneID.zoneName) == ["Chats", "_defaultZone"])
      #expect(try snapshot.subscriptions(in: .private).count == 1)
      var deleted: [String] = []
      try snapshot.forEachTombstone(in: .private) { deleted.append($0.recordID.recordName) }
      #expect(deleted == ["chat-gone"])
      var sizes: [Int64] = []
      try snapshot.forEachAsset { sizes.append($0.size ?? 0) }
      #expect(sizes.reduce(0, +) == 255)
    }
  }
}
