import Foundation
import RecordModel

/// A cursor is used with the database that made it, and not too late.
///
/// Sources: Apple's documentation of `CKQueryOperation.Cursor`; the messages are not the server's,
/// which are not known.
enum CursorRule {
  static func check(
    _ cursor: CursorContent, in database: DatabaseKey, of info: ContainerInfo, at date: Date,
    _ rules: QueryRules
  ) throws(CloudError) {
    guard cursor.database == database, cursor.container == info.identifier,
      cursor.environment == info.environment?.rawValue
    else {
      let container = cursor.container.map { " of '\($0)'" } ?? " of a container without a name"
      throw CloudError(
        .invalidArguments,
        "the query cursor belongs to the \(cursor.database.scope.rawValue) database\(container)"
          + (cursor.environment.map { " (\($0))" } ?? "")
          + (cursor.database.account == database.account ? "" : ", as another user sees it"))
    }
    guard date.timeIntervalSince(cursor.date) <= rules.cursorLifetime else {
      throw CloudError(
        .invalidArguments,
        "the query cursor has expired: it was made more than \(rules.cursorLifetime) seconds ago")
    }
  }
}
