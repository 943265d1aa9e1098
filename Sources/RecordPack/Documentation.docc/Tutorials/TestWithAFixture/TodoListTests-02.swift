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

/// The database of a mock container.
struct MockTodoDatabase: TodoDatabase {
  let database: MockDatabase

  func todoRecords() async throws -> [ResultRecord] {
    try await database.records(ofType: "Todo")
  }
}
