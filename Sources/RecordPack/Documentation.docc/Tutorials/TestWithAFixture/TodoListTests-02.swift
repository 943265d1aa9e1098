import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoListTests {
  let container: MockContainer

  init() throws {
    container = try MockContainer.fixture("Fixtures/Todos.recordpack", in: .module)
  }
}

/// The database of a mock container.
struct MockTodoDatabase: TodoDatabase {
  let database: MockDatabase

  func todoRecords() async throws -> [ResultRecord] {
    try await database.records(ofType: "Todo")
  }
}
