import Foundation
import RecordModel
import RecordPlatform
import Testing

@testable import RecordStore

/// `kill -9` leaves the files as they are at that moment. So the files are copied during a
/// transaction, and the copy is opened.
@Suite("A container whose process was killed")
struct CrashSafetyTests {
  let directory: TestFolder

  init() throws { directory = try TestFolder() }

  private func copy(_ name: String, to target: String) throws -> String {
    for suffix in ["", "-wal", "-journal"] {
      let source = directory.path(name + suffix)
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: directory.path(target + suffix))
    }
    return directory.path(target)
  }

  @Test("in the middle of an import is as before the import", arguments: [true, false])
  func duringImport(isEmpty: Bool) async throws {
    let container = try ContainerStore.create(directory.path("a"))
    if !isEmpty { try container.database(.private).save([note("old", in: .default)]) }
    let before = try contents(of: container)
    let filler = String(repeating: "x", count: 2000)
    var copies: [String] = []
    try container.importTransaction { writer in
      for index in 0..<2400 {
        try writer.add(serverRecord("n\(index)", in: .default, text: filler), to: .private)
        if index % 600 == 599 { copies.append(try copy("a", to: "copy\(index)")) }
      }
    }
    let log = try FileManager.default.attributesOfItem(atPath: directory.path("copy2399-wal"))
    #expect(log[.size] as? Int ?? 0 > 2_000_000, "the import had been written to the disk in part")
    #expect(copies.count == 4)
    for path in copies {
      let copy = try ContainerStore.open(path: path)
      #expect(try contents(of: copy) == before)
      #expect(try await sqlite3(path, "PRAGMA integrity_check") ?? "ok" == "ok")
      try copy.database(.private).save([note("new", in: .default)])
    }
    let after = try ContainerStore.open(path: try copy("a", to: "after"))
    #expect(try recordNames(after.database(.private)).count == (isEmpty ? 2400 : 2401))
  }

  @Test("between two saves has all that was saved")
  func betweenSaves() throws {
    let container = try ContainerStore.create(directory.path("a"))
    let database = container.database(.private)
    for index in 0..<12 {
      try database.save([note("n\(index)", in: .default)])
      if index % 3 == 0 { try database.deleteRecords([note("n0", in: .default).recordID]) }
      let copied = try ContainerStore.open(path: try copy("a", to: "copy\(index)"))
      #expect(try contents(of: copied) == contents(of: container))
    }
  }

  @Test("is as before after a change that fills the disk, and its log gives the room back")
  func diskFull() throws {
    let container = try ContainerStore.create(directory.path("a"))
    try container.database(.private).save([note("old", in: .default)])
    try container.connections.write { db in
      _ = try db.integer("PRAGMA max_page_count = 100")
    }
    let text = String(repeating: "x", count: 2000)
    func importMany() throws {
      try container.importTransaction { writer in
        for index in 0..<20_000 {
          try writer.add(serverRecord("n\(index)", in: .default, text: text), to: .private)
        }
      }
    }
    func saveMany() throws {
      try container.transaction(isLarge: true) { transaction in
        for index in 0..<20_000 {
          _ = try transaction.save([note("n\(index)", in: .default, text)], in: .private)
        }
      }
    }
    func size() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: directory.path("a"))[.size] as? Int
    }
    // Otherwise the log would have to stay, because it contains this save.
    let small = try size() ?? 0
    let large = String(repeating: text, count: 20)
    try container.database(.private).save([note("old", in: .default, large)])
    #expect(try size() == small)
    let merged = try container.transaction(isLarge: true) { _ in try size() ?? 0 }
    #expect(merged > small)
    let before = try contents(of: container)
    for fill in [importMany, saveMany] {
      #expect(throws: ContainerStoreError.diskFull) { try fill() }
      let log = try FileManager.default.attributesOfItem(atPath: directory.path("a-wal"))
      #expect(log[.size] as? Int == 0)
      #expect(try contents(of: container) == before)
    }
    try container.close()
    #expect(directory.names == ["a"])
  }

  @Test("is read, with its log, where the disk has no space for the index of the log")
  func withoutIndexOfLog() throws {
    let container = try ContainerStore.create(directory.path("a"))
    try container.database(.private).save([note("old", in: .default)])
    let path = try copy("a", to: "b")
    #expect(StoreFile.auxiliaryFileSize("-wal", of: path) ?? 0 > 0)
    var location = StoreLocation(text: path)
    location.isExclusive = true
    let reader = ContainerStore(
      try StoreConnection.pool(
        location, of: #require(FileIdentity(path: path)), at: path, isReadOnly: true),
      path: path, isReadOnly: true, limits: .cloudKit, now: { testDate })
    #expect(try contents(of: reader) == contents(of: container))
    #expect(!directory.names.contains("b-shm"))
    // The code with which SQLite reports that the index could not grow.
    let full = SQLiteError(code: 4874, message: "disk I/O error")
    #expect(StoreConnection.translated(full) == .diskFull)
    let noSpace = SQLiteError(code: 778, systemError: ENOSPC, message: "disk I/O error")
    #expect(StoreConnection.translated(noSpace) == .diskFull)
    let other = SQLiteError(code: 778, systemError: EIO, message: "disk I/O error")
    #expect(StoreConnection.translated(other).code == .system)
  }

  @Test("is not changed by changes of its temporary copy")
  func temporaryCopy() throws {
    let container = try ContainerStore.create(directory.path("a"))
    try container.database(.private).save([note("old", in: .default)])
    let before = try contents(of: container)
    let names = directory.names
    let copy = try container.temporaryCopy()
    #expect(try contents(of: copy) == before)
    try copy.database(.private).save([note("new", in: .default)])
    #expect(try recordNames(copy.database(.private)) == ["new", "old"])
    #expect(try contents(of: container) == before)
    #expect(directory.names == names)
  }

  @Test("while it was built has left nothing under its name")
  func duringBuild() throws {
    try ContainerStore.build(path: directory.path("a")) { writer in
      for index in 0..<2000 {
        try writer.add(serverRecord("n\(index)", in: .default), to: .private)
      }
      #expect(directory.names.allSatisfy { $0.hasPrefix(".a.") && $0.hasSuffix(".partial") })
      let building = directory.names
      // A copy is like the file of a killed process: no one has it locked.
      try FileManager.default.copyItem(
        atPath: directory.path(building[0]), toPath: directory.path(".b.0123456789abcdef.partial"))
      try ContainerStore.build(path: directory.path("b")) { _ in
        #expect(!directory.names.contains(".b.0123456789abcdef.partial"), "it is cleared away")
      }
      // A file that is still being built is not a leftover.
      #expect(throws: CancellationError.self) {
        try ContainerStore.build(path: directory.path("a")) { _ in
          #expect(directory.names.count == 3)
          throw CancellationError()
        }
      }
    }
    #expect(directory.names == ["a", "b"])
  }
}
