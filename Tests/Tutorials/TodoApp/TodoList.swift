import CloudInterface
import RecordModel

/// A to-do, as the app shows it.
struct Todo {
  let title: String
  let order: Int
  let isDone: Bool
  let record: ResultRecord

  init(_ record: ResultRecord) {
    title = record["title"] ?? ""
    order = record["order"] ?? 0
    isDone = record["isDone"] ?? false
    self.record = record
  }
}

/// The to-dos of a database, in the order that the user gave them.
struct TodoList {
  let database: any CloudDatabase
  private(set) var todos: [Todo]

  init(_ database: any CloudDatabase) async throws {
    self.database = database
    let query = try RecordQuery(
      recordType: "Todo", predicate: "order > 0", sort: [QuerySort("order")])
    let (results, _) = try await database.records(
      matching: query, inZoneWith: ZoneID(zoneName: "Todos"))
    todos = try results.map { Todo(try $0.1.get()) }
  }

  /// Marks a to-do as done, and saves it.
  mutating func complete(at index: Int) async throws {
    var draft = DraftRecord(todos[index].record)
    draft["isDone"] = true
    todos[index] = Todo(try await database.save(draft))
  }
}
