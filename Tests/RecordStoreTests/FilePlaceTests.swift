import Foundation
import RecordModel
import Testing

@testable import RecordStore

#if canImport(Glibc)
  import Glibc
#endif

@Suite("A container file that another program moves, replaces or writes over")
struct FilePlaceTests {
  let directory: TestFolder

  init() throws { directory = try TestFolder() }

  private func save(_ name: String, in container: ContainerStore) throws {
    try container.database(.private).save([note(name, in: .default)])
  }

  private func names(_ path: String) throws -> [String] {
    let container = try ContainerStore.open(path: path)
    defer { _ = try? container.close() }
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
    return try recordNames(container.database(.private))
  }

  /// Creates a closed container with one record.
  private func make(_ name: String, _ record: String) throws {
    let container = try ContainerStore.create(directory.path(name))
    try save(record, in: container)
    try container.close()
  }

  private func copy(_ name: String, to other: String) throws {
    try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
      .write(to: URL(fileURLWithPath: directory.path(other)))
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
  }

  @Test(
    "is not read through a new connection after it was replaced, and the new file stays as it is")
  func newReaders() throws {
    let path = directory.path("a")
    try make("new", "new")
    let new = try bytes("new")
    let container = try ContainerStore.create(path)
    for number in 0..<5 { try save("old\(number)", in: container) }
    rename(directory.path("new"), path)
    // No connection for reading is open yet.
    #expect(try recordNames(container.database(.private)).count == 5)
    #expect(throws: ContainerStoreError.self) { try container.close() }
    #expect(try bytes("a") == new)
    #expect(try names(path) == ["new"])
  }

  @Test("is saved to no more after its log was emptied, and stays intact")
  func emptiedLog() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("own", in: container)
    #expect(truncate(path + "-wal", 0) == 0)
    #expect(throws: ContainerStoreError.self) { try save("late", in: container) }
    #expect(throws: ContainerStoreError.self) { try container.close() }
    #expect(try names(path) == [])
  }

  @Test("is known to be written over, even if another process has moved the log into it before")
  func writtenOverAfterMerge() throws {
    let path = directory.path("a")
    try make("new", "new")
    try make("a", "first")
    try copy("a", to: "backup")
    for other in ["new", "backup"] {
      let container = try ContainerStore.open(path: path)
      try save("own", in: container)
      let second = try ContainerStore.open(path: path)
      try save("other", in: second)
      _ = try second.close()
      #expect(container.isInPlace)
      let copied = try bytes(other)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: copied)
      try handle.close()
      #expect(!container.isInPlace, "\(other)")
      #expect(throws: ContainerStoreError.self) { try save("late", in: container) }
      #expect(throws: ContainerStoreError.self) { try container.close() }
      for end in ["", "-wal", "-shm", "-wal.1"] { unlink(path + end) }
      try copy("backup", to: "a")
    }
  }

  /// Changes by other programs: `mv a b`, `mv b a`, `rm a`, `git checkout`, `cp b a`,
  /// `rsync --inplace`, and the same with the log.
  enum Event: CaseIterable {
    case moved, movedWithLog, replaced, removed, writtenOver, logRemoved, indexRemoved
  }

  @Test("is saved to no more, and nothing that was saved before is lost", arguments: Event.allCases)
  func events(event: Event) throws {
    let path = directory.path("a")
    try make("new", "new")
    let new = try bytes("new")
    let container = try ContainerStore.create(path)
    for number in 0..<5 { try save("old\(number)", in: container) }
    let saved = (0..<5).map { "old\($0)" }
    switch event {
    case .moved: rename(path, directory.path("b"))
    case .movedWithLog: for end in ["", "-wal"] { rename(path + end, directory.path("b" + end)) }
    case .replaced: rename(directory.path("new"), path)
    case .removed: unlink(path)
    case .writtenOver:
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: new)
      try file.close()
    case .logRemoved: unlink(path + "-wal")
    case .indexRemoved: unlink(path + "-shm")
    }
    for _ in 0..<2 {
      let error = #expect(throws: ContainerStoreError.self) { try save("more", in: container) }
      #expect(error?.code == .moved)
    }
    let end = try #require(throws: ContainerStoreError.self) { try container.close() }
    #expect(end.code == .moved)
    #expect(throws: end) { try container.info() }
    switch event {
    case .moved, .movedWithLog:
      #expect(try names(directory.path("b")) == saved)
      #expect(directory.names == ["b", "new"])
    case .replaced:
      #expect(try bytes("a") == new)
      #expect(try names(path) == ["new"])
      #expect(directory.names == ["a"])
    case .removed: #expect(directory.names == ["new"])
    case .writtenOver:
      #expect(try bytes("a") == new)
      let error = #expect(throws: ContainerStoreError.self) { try ContainerStore.open(path: path) }
      #expect(error?.code == .log)
      #expect(try bytes("a") == new)
      #expect(try names(path) == ["new"])
      #expect(directory.names == ["a", "a-wal.1", "new"])
    case .logRemoved, .indexRemoved: #expect(try names(path) == saved)
    }
  }

  @Test("is not merged with the log of another container, which is kept", arguments: [true, false])
  func foreignLog(isReadOnly: Bool) throws {
    let (a, b) = (directory.path("a"), directory.path("b"))
    try make("a", "one")
    try make("b", "other")
    let container = try ContainerStore.open(path: a)
    try save("two", in: container)
    try copy("a", to: "c")
    try copy("a-wal", to: "b-wal")
    let before = try bytes("b")
    let mode: ContainerStore.OpenMode = isReadOnly ? .readOnly : .open
    let error = #expect(throws: ContainerStoreError.self) {
      try ContainerStore.open(path: b, mode: mode)
    }
    #expect(error == .foreignLog(path: b, log: b + "-wal", aside: b + "-wal.1"))
    #expect(try bytes("b") == before)
    #expect(try names(b) == ["other"])
    // The advice of the error.
    rename(b + "-wal.1", directory.path("c-wal"))
    #expect(try names(directory.path("c")) == ["one", "two"])
    try container.close()
    #expect(directory.names == ["a", "b", "c"])
  }

  @Test("that is older than the log of the same container is not merged with it")
  func olderState() throws {
    let path = directory.path("a")
    try make("a", "one")
    try copy("a", to: "backup")
    let first = try ContainerStore.open(path: path)
    try save("two", in: first)
    try first.close()
    let second = try ContainerStore.open(path: path)
    try save("three", in: second)
    try copy("a-wal", to: "backup-wal")
    #expect(throws: ContainerStoreError.self) {
      try ContainerStore.open(path: directory.path("backup"))
    }
    #expect(try names(directory.path("backup")) == ["one"])
    try second.close()
  }

  @Test("that was copied and changed apart is not merged with the log of the other")
  func branches() throws {
    try make("a", "one")
    try copy("a", to: "b")
    let (a, b) = (
      try ContainerStore.open(path: directory.path("a")),
      try ContainerStore.open(path: directory.path("b"))
    )
    // The same changes give the same counts and sizes.
    try save("two", in: a)
    try save("two", in: b)
    try b.close()
    try copy("a-wal", to: "b-wal")
    #expect(throws: ContainerStoreError.self) {
      try ContainerStore.open(path: directory.path("b"))
    }
    #expect(try names(directory.path("b")) == ["one", "two"])
    try a.close()
  }

  @Test("has its own log at each moment, however much of it is merged")
  func ownLog() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    var generator = SeededGenerator(7)
    var saved: [String] = []
    for number in 0..<60 {
      try save("n\(number)", in: container)
      saved.append("n\(number)")
      switch Int.random(in: 0..<6, using: &generator) {
      case 0:
        // Readers of an older state keep a part of the log from being merged.
        try container.snapshot { snapshot in
          _ = try snapshot.zones(in: .private)
          try save("m\(number)", in: container)
          try container.connections.write { try? $0.checkpoint(0) }
        }
        saved.append("m\(number)")
      case 1: try container.connections.write { try? $0.checkpoint(0) }
      default: break
      }
      try copy("a", to: "b")
      try copy("a-wal", to: "b-wal")
      #expect(try names(directory.path("b")) == saved.sorted())
    }
    try container.close()
  }

  @Test("of an earlier version gets a stamp with its first change")
  func firstStamp() throws {
    let path = directory.path("a")
    try make("a", "one")
    let old = try SQLiteConnection(path)
    try old.execute("DELETE FROM database WHERE scope = 3")
    try old.close()
    try copy("a", to: "b")
    let container = try ContainerStore.open(path: path)
    #expect(try container.snapshot { try FileStamp.read(from: $0.db) } == nil)
    try save("two", in: container)
    #expect(try container.snapshot { try FileStamp.read(from: $0.db) }?.previous == 0)
    try copy("a-wal", to: "b-wal")
    #expect(try names(directory.path("b")) == ["one", "two"])
    try container.close()
    // A file without a stamp is not the one that this log begins with.
    try make("c", "other")
    let other = try ContainerStore.open(path: directory.path("c"))
    try save("more", in: other)
    try copy("c-wal", to: "b-wal")
    #expect(throws: ContainerStoreError.self) {
      try ContainerStore.open(path: directory.path("b"))
    }
    try other.close()
  }

  @Test("does not crash the reader of stamps and logs, whatever bytes they have")
  func hostileBytes() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try save("one", in: container)
    let log = Array(try bytes("a-wal"))
    let page = try container.connections.write { db in
      try SQLiteFile(db).bytes(16_384, at: (FileStamp.page(in: db)! - 1) * 16_384)
    }
    guard case .stamp = FileStamp.read(page: page) else {
      Issue.record("the page has no stamp")
      return
    }
    var generator = SeededGenerator(1)
    for _ in 0..<2_000 {
      var (damagedPage, damagedLog) = (page, log)
      for _ in 0..<Int.random(in: 1..<20, using: &generator) {
        let place = Bool.random(using: &generator) ? 0..<64 : 16_000..<16_384
        damagedPage[Int.random(in: place, using: &generator)] = .random(
          in: 0...255, using: &generator)
        damagedLog[Int.random(in: 0..<60, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let reading = FileStamp.read(page: damagedPage)
      try Data(damagedLog.prefix(.random(in: 0...log.count, using: &generator)))
        .write(to: URL(fileURLWithPath: directory.path("log")))
      _ = WriteAheadLog(directory.path("log"))?.belongs(to: reading, onPage: 3, ofSize: 16_384)
    }
    try container.close()
  }
}
