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

  @Test("The list has the user's order")
  func order() throws {
    let list = try TodoList(MockTodoDatabase(database: container.database(.private)))
    #expect(
      list.todos.map(\.title) == ["Repair the bicycle", "Buy groceries", "Book the tickets"])
    #expect(list.todos.map(\.isDone) == [false, false, true])
  }
}

/// The database of a mock container.
struct MockTodoDatabase: TodoDatabase {
  let database: MockDatabase

  func todoRecords() throws -> [ResultRecord] {
    var records: [ResultRecord] = []
    try database.forEachRecord(RecordFilter(recordTypes: ["Todo"])) { records.append($0) }
    return records
  }
}
