import RecordPackTesting
import Testing

@testable import TodoApp

@Suite(.container("Fixtures/Todos.recordpack"))
struct TodoListTests {
  @Test("The list has the user's order")
  func order() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let list = try await TodoList(database)
    #expect(
      list.todos.map(\.title) == ["Repair the bicycle", "Buy groceries", "Book the tickets"])
    #expect(list.todos.map(\.isDone) == [false, false, true])
  }

  @Test("Completing a to-do saves it")
  func completing() async throws {
    let database = try MockContainer.current.privateCloudDatabase
    let bicycle = RecordID(recordName: "bicycle", zoneID: ZoneID(zoneName: "Todos"))
    let before = try await database.record(for: bicycle)

    var list = try await TodoList(database)
    try await list.complete(at: 0)

    let after = try await database.record(for: bicycle)
    #expect(after["isDone"] == 1)
    #expect(after["title"] == "Repair the bicycle")
    #expect(after.recordChangeTag != before.recordChangeTag)
  }
}
