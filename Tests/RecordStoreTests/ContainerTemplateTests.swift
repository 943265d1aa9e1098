import Foundation
import RecordModel
import RecordStore
import Testing

@Suite("A template of a container in memory")
struct ContainerTemplateTests {
  private let original: ContainerStore
  private let template: ContainerTemplate

  init() throws {
    original = try ContainerStore.inMemory()
    try original.database(.private).save([Self.note("a")])
    template = ContainerTemplate(of: original)
  }

  private static func note(_ name: String) -> DraftRecord {
    DraftRecord(recordType: "Note", recordID: RecordID(recordName: name))
  }

  private func names(_ store: ContainerStore) throws -> [String] {
    try store.snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: .private) { names.append($0.recordID.recordName) }
      return names
    }
  }

  private func copy() throws -> ContainerStore {
    try #require(try template.copy(limits: .cloudKit, now: { Date() }))
  }

  @Test("keeps the contents when the container or a copy changes")
  func changes() throws {
    let before = try copy()
    try original.database(.private).save([Self.note("b")])
    try before.database(.private).save([Self.note("c")])
    let after = try copy()
    try original.database(.private).save([Self.note("d")])
    #expect(try names(original) == ["a", "b", "d"])
    #expect(try names(before) == ["a", "c"])
    #expect(try names(after) == ["a"])
    #expect(try names(copy()) == ["a"])
  }

  @Test("keeps the contents when an import fails, and when the container is closed")
  func endings() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try original.importTransaction { _ in throw Failure() }
    }
    #expect(try names(original) == ["a"])
    #expect(try names(copy()) == ["a"])
    let closed = try ContainerStore.inMemory()
    try closed.database(.private).save([Self.note("x")])
    let template = ContainerTemplate(of: closed)
    try closed.close()
    #expect(throws: ContainerStoreError.closed) { try names(closed) }
    let copy = try #require(try template.copy(limits: .cloudKit, now: { Date() }))
    #expect(try names(copy) == ["x"])
  }

  @Test("does not wait for a read of the container, which can be closed while copies are made")
  func busy() async throws {
    let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (original, template) = (original, template)
    Thread.detachNewThread {
      try? original.snapshot { _ in
        ready.signal()
        done.wait()
      }
      ready.signal()
    }
    await Task.detached { ready.wait() }.value
    #expect(try template.copy(limits: .cloudKit, now: { Date() }).map { _ in true } == nil)
    done.signal()
    await Task.detached { ready.wait() }.value
    let copies = Task.detached {
      for _ in 0..<50 { _ = try template.copy(limits: .cloudKit, now: { Date() }) }
    }
    try original.close()
    try await copies.value
    #expect(try names(copy()) == ["a"])
  }

  @Test("does not keep the clock of a container")
  func clock() throws {
    final class Clock: Sendable { let now = Date() }
    weak var released: Clock?
    let template: ContainerTemplate
    do {
      let clock = Clock()
      released = clock
      let store = try ContainerStore.inMemory(now: { clock.now })
      try store.database(.private).save([Self.note("x")])
      template = ContainerTemplate(of: store)
    }
    #expect(released == nil)
    let copy = try #require(try template.copy(limits: .cloudKit, now: { Date() }))
    #expect(try names(copy) == ["x"])
  }

  @Test("does not keep a container that nothing else uses")
  func release() throws {
    weak var released: ContainerStore?
    do {
      let store = try ContainerStore.inMemory()
      released = store
      _ = ContainerTemplate(of: store)
      try store.database(.private).save([Self.note("x")])
    }
    #expect(released == nil)
  }

  @Test("is copied within a read of the container, and a save in it")
  func nested() throws {
    try original.snapshot { _ in
      #expect(try names(copy()) == ["a"])
      try original.database(.private).save([Self.note("b")])
      #expect(try names(copy()) == ["a"])
    }
    #expect(try names(original) == ["a", "b"])
  }

  @Test("is copied on many threads while the container changes")
  func atOnce() async throws {
    for round in 0..<20 {
      let original = try ContainerStore.inMemory()
      try original.database(.private).save([Self.note("a")])
      let template = ContainerTemplate(of: original)
      try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            if number == round % 8 {
              try original.snapshot { _ in
                _ = try original.database(.private).save([Self.note("b")])
              }
              return ["a"]
            }
            while true {
              if let copy = try template.copy(limits: .cloudKit, now: { Date() }) {
                return try names(copy)
              }
              await Task.yield()
            }
          }
        }
        for try await names in group { #expect(names == ["a"]) }
      }
    }
  }
}
