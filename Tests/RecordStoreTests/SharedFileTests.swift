import Foundation
import RecordModel
import Testing

@testable import RecordStore

#if canImport(Glibc)
  import Glibc
#endif

@Suite("A container file that is open more than once")
struct SharedFileTests {
  let directory: TestFolder

  init() throws { directory = try TestFolder() }

  private func save(_ name: String, in container: ContainerStore) throws {
    try container.database(.private).save([note(name, in: .default)])
  }

  @Test("under two names is opened for reading only, and again for writing when one is gone")
  func hardLinks() throws {
    let (path, link) = (directory.path("a"), directory.path("b"))
    let container = try ContainerStore.create(path)
    try save("one", in: container)
    try container.close()
    try FileManager.default.linkItem(atPath: path, toPath: link)
    for name in [path, link] {
      for mode in [ContainerStore.OpenMode.open, .openOrCreate] {
        let error = #expect(throws: ContainerStoreError.self) {
          try ContainerStore.open(path: name, mode: mode)
        }
        #expect(error?.code == .readOnly)
        #expect(error?.description.contains("2 names (hard links)") == true)
      }
      let reader = try ContainerStore.open(path: name, mode: .readOnly)
      #expect(try recordNames(reader.database(.private)) == ["one"])
      try reader.close()
    }
    try FileManager.default.removeItem(atPath: path)
    let moved = try ContainerStore.open(path: link)
    try save("two", in: moved)
    #expect(try recordNames(moved.database(.private)) == ["one", "two"])
    try moved.close()
    #expect(directory.names == ["b"])
  }

  @Test("stays locked against other processes when it is opened again, or looked at")
  func locks() async throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("one", in: container)
    // A process that finds a database unlocked removes its log on closing.
    func othersKeepTheLog() async throws -> Bool {
      guard try await sqlite3(path, "SELECT count(*) FROM record") != nil else { return true }
      return directory.names.contains("a-wal")
    }
    try ContainerStore.open(path: path).close()
    #expect(try await othersKeepTheLog(), "after a second opening")
    try ContainerStore.open(path: path, mode: .readOnly).close()
    #expect(try await othersKeepTheLog(), "after an opening for reading")
    #expect(ContainerStore.isDatabase(path: path))
    #expect(try await othersKeepTheLog(), "after a look at its header")
    #expect(throws: ContainerStoreError.alreadyExists(path: path)) {
      try ContainerStore.open(path: path, mode: .create)
    }
    try? ContainerStore.build(path: path) { _ in }
    #expect(try await othersKeepTheLog(), "after an attempt to make it anew")
    var draft = note("two", in: .default)
    draft["file"] = Asset(fileURL: URL(fileURLWithPath: path))
    let error = #expect(throws: CloudError.self) {
      try container.database(.private).save([draft])
    }
    #expect(error?.code == .assetFileNotFound)
    #expect(try await othersKeepTheLog(), "after an attempt to store it as an asset")
    try save("three", in: container)
    #expect(try await sqlite3(path, "SELECT count(*) FROM record") ?? "2" == "2")
  }

  @Test("is settled by the last that closes it, though it only reads")
  func lastReader() throws {
    let path = directory.path("a")
    let writer = try ContainerStore.create(path)
    try save("one", in: writer)
    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    try reader.snapshot { snapshot in
      try save("two", in: writer)
      let state = try writer.close()
      guard case .pending(let log, let bytes) = state else {
        Issue.record("the reader needs the file as it was, and the log was \(state)")
        return
      }
      #expect(log == path + "-wal")
      #expect(bytes > 0)
    }
    #expect(try reader.close() == .merged)
    #expect(directory.names == ["a"])
    #expect(try recordNames(ContainerStore.open(path: path).database(.private)) == ["one", "two"])
  }

  @Test("is settled when nobody closes it, but lets go of it")
  func released() throws {
    let path = directory.path("a")
    try save("one", in: try ContainerStore.create(path))
    #expect(directory.names == ["a"])
    _ = try ContainerStore.open(path: path, mode: .readOnly).info()
    #expect(directory.names == ["a"])
  }

  @Test("can be written while somebody reads it who began when it was closed")
  func slowReader() throws {
    let path = directory.path("a")
    let made = try ContainerStore.create(path)
    try save("one", in: made)
    try made.close()
    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    try reader.database(.private).forEachRecord { _ in
      let writer = try ContainerStore.open(path: path)
      try save("two", in: writer)
      try writer.close()
    }
    try reader.close()
    #expect(directory.names == ["a"])
  }

  @Test(
    "is not replayed from the log of a container that was removed", arguments: ["-wal", "-journal"])
  func leftLog(suffix: String) throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("old", in: container)
    try FileManager.default.copyItem(atPath: path + "-wal", toPath: directory.path("b" + suffix))
    let target = directory.path("b")
    let expected = ContainerStoreError.leftLog(path: target, log: target + suffix)
    #expect(throws: expected) { try ContainerStore.build(path: target) { _ in } }
    #expect(throws: expected) { try ContainerStore.open(path: target, mode: .openOrCreate) }
    try FileManager.default.removeItem(atPath: target + suffix)
    #expect(throws: expected) {
      try ContainerStore.build(path: target) { _ in
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: target + suffix)
      }
    }
    #expect(directory.names == ["a", "a-shm", "a-wal", "b" + suffix])
  }

  @Test("is made anew where a killed reader has left an empty log, but not while it is open")
  func emptyLog() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("old", in: container)
    unlink(path)
    unlink(path + "-wal")
    #expect(throws: ContainerStoreError.leftLog(path: path, log: path + "-shm")) {
      try ContainerStore.create(path)
    }
    #expect(throws: ContainerStoreError.moved(path: path, log: nil)) { try container.close() }
    try Data().write(to: URL(fileURLWithPath: path + "-wal"))
    try Data(count: 32_768).write(to: URL(fileURLWithPath: path + "-shm"))
    let new = try ContainerStore.create(path)
    #expect(try recordNames(new.database(.private)) == [])
    try save("new", in: new)
    try new.close()
    #expect(directory.names == ["a"])
  }

  @Test("that was removed is not made again when it is closed")
  func removed() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("one", in: container)
    for name in directory.names { unlink(directory.path(name)) }
    #expect(throws: ContainerStoreError.moved(path: path, log: nil)) { try container.close() }
    #expect(directory.names == [])
  }

  @Test("that was replaced leaves the new one alone when it is closed")
  func replaced() async throws {
    let path = directory.path("a")
    let old = try ContainerStore.create(path)
    try save("old", in: old)
    for name in directory.names { unlink(directory.path(name)) }
    let new = try ContainerStore.create(path)
    try save("new", in: new)
    #expect(throws: ContainerStoreError.moved(path: path, log: nil)) { try old.close() }
    #expect(directory.names == ["a", "a-shm", "a-wal"])
    #expect(try await sqlite3(path, "SELECT name FROM record") ?? "new" == "new")
    try new.close()
    #expect(directory.names == ["a"])
  }

  @Test("cannot be closed while it is read or written, and says so", arguments: [true, false])
  func closedWithin(isFile: Bool) throws {
    let container =
      try isFile ? ContainerStore.create(directory.path("a")) : ContainerStore.inMemory()
    try save("one", in: container)
    try container.database(.private).forEachRecord { _ in
      #expect(throws: ContainerStoreError.inUse) { try container.close() }
    }
    try container.importTransaction { writer in
      #expect(throws: ContainerStoreError.inUse) { try container.close() }
      try writer.add(serverRecord("two", in: .default), to: .private)
    }
    _ = try container.transaction { _ in
      #expect(throws: ContainerStoreError.inUse) { try container.close() }
    }
    try container.close()
    try container.close()
    #expect(throws: ContainerStoreError.closed) { try container.info() }
  }

  @Test("is read as it was when the call began, though nothing was read before a save")
  func snapshotBegins() throws {
    let container = try ContainerStore.create(directory.path("a"))
    try save("one", in: container)
    try container.snapshot { snapshot in
      try save("two", in: container)
      var names: [String] = []
      try snapshot.forEachRecord(in: .private) { names.append($0.recordID.recordName) }
      #expect(names == ["one"])
    }
  }

  @Test(
    "can be read where nothing can be written", .enabled(if: geteuid() != 0, "root writes anywhere")
  )
  func readOnlyFolder() throws {
    let path = directory.path("50% of #1?")
    let container = try ContainerStore.create(path)
    try save("one", in: container)
    try container.close()
    chmod(directory.path, 0o500)
    defer { chmod(directory.path, 0o700) }
    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    #expect(try recordNames(reader.database(.private)) == ["one"])
    try reader.close()
    #expect(throws: ContainerStoreError.folderReadOnly(path: path)) {
      try ContainerStore.open(path: path)
    }
  }

  @Test("is told from pipes, directories and what is missing, without waiting")
  func otherKinds() throws {
    let pipe = directory.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, directory.path, directory.path("nowhere"), "", "a\0b"] {
      #expect(!ContainerStore.isDatabase(path: path))
    }
    #expect(throws: ContainerStoreError.invalidPath("a\0b")) {
      try ContainerStore.open(path: "a\0b", mode: .openOrCreate)
    }
  }
}
