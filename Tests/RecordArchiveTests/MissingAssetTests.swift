import RecordStore
import RecordBundle
import RecordModel
import Testing

@testable import RecordArchive

@Suite("Assets whose bytes are missing")
struct MissingAssetTests {
  private static let zone = ZoneID(zoneName: "Chats")

  /// A record that refers to an asset without bytes, and one that refers to none.
  private func makeContainer() throws -> ContainerStore {
    let container = try ContainerStore.inMemory()
    try container.importTransaction { writer in
      try writer.add(RecordZone(zoneID: Self.zone), to: .private)
      let asset = Asset(sha256: String(repeating: "0a", count: 32), size: 3)
      for (name, type, fields) in [
        ("a", "Photo", [Field(name: "file", value: .asset(asset))]), ("b", "Chat", []),
      ] {
        let system = SystemFields(
          recordID: RecordID(recordName: name, zoneID: Self.zone), recordType: type)
        try writer.add(ResultRecord(systemFields: system, fields: fields), to: .private)
      }
    }
    return container
  }

  @Test("are counted by export and by import, and found by both checks")
  func counted() throws {
    try withFolder { folder in
      let container = try makeContainer()
      let path = "\(folder)/a.recordpack"
      let summary = try Archiver().export(container, to: path)
      #expect(summary.missingAssets == 1)
      let bundle = try BundleReader(path: path)
      #expect(try bundle.verify().findingCount == 1)
      let copy = try ContainerStore.inMemory()
      #expect(try Archiver().importBundle(bundle, into: copy).missingAssets == 1)
      var problems: [String] = []
      _ = try copy.verify { problems.append($0.problem) }
      #expect(problems == ["a record refers to it, but its bytes are missing"])
    }
  }

  @Test("do not count where the records that name them are left out")
  func filtered() throws {
    try withFolder { folder in
      var archiver = Archiver()
      archiver.filter = RecordFilter(recordTypes: ["Chat"])
      let path = "\(folder)/a.recordpack"
      let summary = try archiver.export(makeContainer(), to: path)
      #expect(summary.missingAssets == 0)
      #expect(try BundleReader(path: path).verify().isIntact)
    }
  }
}
