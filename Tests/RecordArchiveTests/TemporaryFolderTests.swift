import Foundation
import RecordStore
import RecordModel
import Testing

@testable import RecordArchive

@Suite("What an archiver keeps beside its work")
struct TemporaryFolderTests {
  @Test("a folder that a killed process has left is removed, and one in use is not")
  func sweep() throws {
    let parent = FileManager.default.temporaryDirectory
    // What a process that was killed leaves: the folder, and no lock on it.
    let left = parent.appending(path: "recordpack.working.aB12cD")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    try Data("records".utf8).write(to: left.appending(path: "before.recordpack"))
    let other = parent.appending(path: "recordpack-backup")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: other) }

    let used = try TemporaryFolder()
    #expect(!FileManager.default.fileExists(atPath: left.path))
    let next = try TemporaryFolder()
    for path in [used.path, next.path, other.path] {
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(used.path != next.path)
  }

  @Test("an open container that is read as a bundle or a response keeps its locks")
  func locks() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("c.sqlite")
    let container = try ContainerStore.open(path: path, mode: .create)
    let database = container.database(.private)
    try database.save([DraftRecord(recordType: "T", recordID: RecordID(recordName: "one"))])
    #expect(throws: (any Error).self) { try ArchiveSource.bundle(.init(path: path)) }
    let response = try #require(ResponseSource.sources(at: path).first)
    #expect(throws: (any Error).self) { try response.response() }

    // Whoever finds a database unlocked takes its log away on leaving.
    let code = try Command("sqlite3", path, "SELECT count(*) FROM record").code
    try #require(code == 0 || code == 127)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    try database.save([DraftRecord(recordType: "T", recordID: RecordID(recordName: "two"))])
    try container.close()
  }
}
