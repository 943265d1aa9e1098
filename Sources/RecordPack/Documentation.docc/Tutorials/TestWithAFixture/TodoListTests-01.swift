import Foundation
import RecordPack
import Testing

@testable import TodoApp

struct TodoListTests {
  let container: MockContainer

  init() throws {
    let fixture = try #require(
      Bundle.module.url(forResource: "Fixtures/Todos", withExtension: "recordpack"))
    container = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(url: fixture), into: container)
  }
}
