import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("One import")
struct OneImportTests {
  @Test("A container is filled, exported, read and imported with nothing but RecordPack imported")
  func circle() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let container = try ContainerStore.inMemory()
    let zone = RecordZone(zoneName: "Notes")
    try container.transaction { try $0.save(zone, in: .private) }
    var note = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "n1", zoneID: zone.zoneID))
    note["title"] = "One import"
    try container.transaction { try $0.save([note], in: .private) }

    let path = folder.path("notes.recordpack")
    try Archiver().export(container, to: path)
    let bundle = try BundleReader(path: path)
    #expect(bundle.recordCount == 1)
    #expect(try bundle.verify().isIntact)

    let copy = try ContainerStore.inMemory()
    #expect(try Archiver().importBundle(bundle, into: copy).added == 1)
    let title: String? = try ArchiveSource.container(copy).records(named: "n1").first?
      .record["title"]
    #expect(title == "One import")
    #expect(throws: RecordCodingError.self) { try ResponseContents(Data("[".utf8)) }
  }
}
