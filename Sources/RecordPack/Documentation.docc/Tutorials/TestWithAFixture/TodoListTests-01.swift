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
}
