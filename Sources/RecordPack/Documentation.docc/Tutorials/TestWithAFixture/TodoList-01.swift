import RecordModel

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
