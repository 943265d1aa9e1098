import Foundation
import RecordPack
import Testing

/// The code of the articles of RecordBundle, run.
struct BundleSnippetTests {
  private func write(_ path: String) throws -> BundleSummary {
    let zoneID = ZoneID(zoneName: "Chats")
    var draft = DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "hiking", zoneID: zoneID))
    draft["title"] = "Hiking club"

    let writer = try BundleWriter(
      path: path, container: ContainerInfo(identifier: "iCloud.com.example.tact"))
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    try writer.write(draft.resultRecord(), database: .private)
    let summary = try writer.finish()
    return summary
  }

  @Test("writing a bundle")
  func writing() throws {
    let folder = try TestFolder()
    #expect(try write(folder.path("chats.recordpack")).records == 1)
  }

  @Test("reading a bundle")
  func reading() throws {
    let folder = try TestFolder()
    let path = folder.path("chats.recordpack")
    _ = try write(path)
    let bundle = try BundleReader(path: path)
    print(bundle.container.identifier ?? "unnamed", bundle.recordCount)
    for section in bundle.sections where section.kind == .record {
      print(section.zoneID?.zoneName ?? "", section.recordType ?? "", section.lines)
    }
    #expect(bundle.recordCount == 1)

    var titles: [String] = []
    try bundle.forEachRecord(RecordFilter(recordTypes: ["Chat"])) { record, database in
      if let title: String = record["title"] { titles.append(title) }
    }
    #expect(titles == ["Hiking club"])
  }

  @Test("assets of a bundle")
  func assets() throws {
    let folder = try TestFolder()
    let path = folder.path("photos.recordpack")
    let container = try ContainerStore.inMemory()
    var draft = DraftRecord(recordType: "Photo", recordID: RecordID(recordName: "beach"))
    draft["photo"] = Asset(data: Data([1, 2, 3]))
    try container.transaction { try $0.save([draft], in: .private) }
    try Archiver().export(container, to: path)
    let bundle = try BundleReader(path: path)
    try bundle.forEachItem(of: [.tombstone, .zoneTombstone]) { item in print(item) }
    for (_, record) in try bundle.records(named: "beach") {
      guard let photo: Asset = record["photo"], let sha256 = photo.sha256 else { continue }
      var bytes = Data()
      try bundle.forEachChunk(ofAsset: sha256) { bytes.append(contentsOf: $0) }
      print(record.recordID, bytes.count)
    }
    let asset: Asset? = try bundle.records(named: "beach").first?.record["photo"]
    var bytes = Data()
    try bundle.forEachChunk(ofAsset: try #require(asset?.sha256)) { bytes.append(contentsOf: $0) }
    #expect(bytes == Data([1, 2, 3]))
  }

  @Test("trusting a bundle")
  func trusting() throws {
    let folder = try TestFolder()
    let (path, recoveredPath) = (folder.path("a.recordpack"), folder.path("b.recordpack"))
    _ = try write(path)
    let bundle = try BundleReader(path: path)
    let report = try bundle.verify()
    for finding in report.findings { print(finding) }
    #expect(report.isIntact)

    let recovery = try BundleRecovery.recover([path], to: recoveredPath)
    print(recovery.isComplete, recovery.saved[.record] ?? 0)
    #expect(recovery.isComplete && recovery.saved[.record] == 1)
  }
}
