import Foundation
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordArchive

@Suite("What an archiver keeps beside its work")
struct TemporaryFolderTests {
  @Test("a folder that a killed process has left is removed, and one in use is not")
  func sweep() throws {
    // Its own, because every other test sweeps that of the system.
    let parent = try TestFolder()
    // What a process that was killed leaves: the folder, and no lock on it.
    let left = parent.path("recordpack.working.aB12cD")
    let other = parent.path("recordpack-backup")
    for path in [left, other] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try parent.write(Array("records".utf8), as: "recordpack.working.aB12cD/before.recordpack")

    let used = try TemporaryFolder(in: parent.path)
    #expect(!FileManager.default.fileExists(atPath: left))
    let next = try TemporaryFolder(in: parent.path)
    for path in [used.path, next.path, other] {
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(used.path != next.path)
    withExtendedLifetime((used, next)) {}
  }

  @Test("an open container that is read as a bundle or a response keeps its locks")
  func locks() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("c.sqlite")
    let container = try ContainerStore.open(path: path, mode: .create)
    let database = container.database(.private)
    try database.save([DraftRecord(recordType: "T", recordID: RecordID(recordName: "one"))])
    #expect(throws: (any Error).self) { try ArchiveSource.bundle(.init(path: path)) }
    let response = try #require(ResponseSource.sources(at: path).first)
    #expect(throws: (any Error).self) { try response.response() }

    // Whoever finds a database unlocked takes its log away on leaving.
    let code = try await Command("sqlite3", path, "SELECT count(*) FROM record").code
    try #require(code == 0 || code == 127)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try database.save([DraftRecord(recordType: "T", recordID: RecordID(recordName: "two"))])
    try container.close()
  }
}
