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

  @Test("Completing a to-do saves it")
  func completing() async throws {
    let database = container.privateCloudDatabase
    let bicycle = RecordID(recordName: "bicycle", zoneID: ZoneID(zoneName: "Todos"))
    let before = try await database.record(for: bicycle)

    var list = try await TodoList(MockTodoDatabase(database: database))
    try await list.complete(at: 0)

    let after = try await database.record(for: bicycle)
    #expect(after["isDone"] == 1)
    #expect(after["title"] == "Repair the bicycle")
    #expect(after.recordChangeTag != before.recordChangeTag)
  }
}

/// The database of a mock container.
struct MockTodoDatabase: TodoDatabase {
  let database: MockDatabase

  func todoRecords() async throws -> [ResultRecord] {
    try await database.records(ofType: "Todo")
  }

  func saveTodo(_ draft: DraftRecord) async throws -> ResultRecord {
    try await database.save(draft)
  }
}
