import RecordPack

/// A to-do, as the app shows it.
struct Todo {
  let title: String
  let order: Int
  let isDone: Bool

  init(_ record: ResultRecord) {
    title = record["title"] ?? ""
    order = record["order"] ?? 0
    isDone = record["isDone"] ?? false
  }
}

/// The part of a database that the app uses.
protocol TodoDatabase {
  func todoRecords() async throws -> [ResultRecord]
}

/// The to-dos of a database, in the order that the user gave them.
struct TodoList {
  let database: any TodoDatabase
  private(set) var todos: [Todo]

  init(_ database: any TodoDatabase) async throws {
    self.database = database
    todos = try await database.todoRecords().map(Todo.init).sorted { $0.order < $1.order }
  }
}
