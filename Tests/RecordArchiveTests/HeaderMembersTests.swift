import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import Testing

@Suite("Unknown members of a header")
struct HeaderMembersTests {
  @Test("are kept through import and export, in a container in memory and in a file")
  func kept() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var info = ContainerInfo(identifier: "iCloud.com.example.tact")
    info.otherMembers = try OtherMembers(
      json: JSONParser.parse(#"{"zeta":[1, 2.50],"éclair":{"b":null,"a":"\u0041"}}"#))
    let path = folder.appending(path: "a.recordpack").path
    let writer = try BundleWriter(path: path, container: info)
    try writer.write(RecordZone(zoneID: .default), database: .private)
    let first = try writer.finish()

    for container in [
      try MockContainer.inMemory(),
      try MockContainer.open(path: folder.appending(path: "c.sqlite").path, mode: .create),
    ] {
      let archiver = Archiver()
      try archiver.importBundle(BundleReader(path: path), into: container)
      #expect(try container.info().otherMembers == info.otherMembers)
      let again = folder.appending(path: "b.recordpack").path
      try archiver.export(container, to: again)
      #expect(try BundleReader(path: again).container == info)
      try container.close()
    }
    #expect(try BundleReader(path: path).header.container == info)
    #expect(first.files.count == 1)
  }
}
