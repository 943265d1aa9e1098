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

  @Test("Completing a to-do saves it")
  func completing() throws {
    let database = container.database(.private)
    let bicycle = RecordID(recordName: "bicycle", zoneID: ZoneID(zoneName: "Todos"))
    let before = try database.record(for: bicycle)

    var list = try TodoList(MockTodoDatabase(database: database))
    try list.complete(at: 0)

    let after = try database.record(for: bicycle)
    #expect(after["isDone"] == 1)
    #expect(after["title"] == "Repair the bicycle")
    #expect(after.recordChangeTag != before.recordChangeTag)
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

  func saveTodo(_ draft: DraftRecord) throws -> ResultRecord {
    try database.save([draft])[0]
  }
}
