import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoListTests {
  let container: MockContainer

  init() throws {
    container = try MockContainer.fixture("Fixtures/Todos.recordpack", in: .module)
  }

  @Test("The list has the user's order")
  func order() async throws {
    let database = MockTodoDatabase(database: container.privateCloudDatabase)
    let list = try await TodoList(database)
    #expect(
      list.todos.map(\.title) == ["Repair the bicycle", "Buy groceries", "Book the tickets"])
    #expect(list.todos.map(\.isDone) == [false, false, true])
  }
}

/// The database of a mock container.
struct MockTodoDatabase: TodoDatabase {
  let database: MockDatabase

  func todoRecords() async throws -> [ResultRecord] {
    try await database.records(ofType: "Todo")
  }
}
