import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoListTests {
  let container: MockContainer

  init() throws {
    container = try MockContainer.fixture("Fixtures/Todos.recordpack", in: .module)
  }
}
