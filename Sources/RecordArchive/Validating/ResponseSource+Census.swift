import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

extension Archiver.ResponseSource {
  /// Counts what kinds of values the records of responses hold, and their subscriptions.
  ///
  /// - Parameters:
  ///   - sources: The responses.
  ///   - database: The database they come from, which responses do not say.
  ///   - name: The name under which reports show them.
  ///   - filter: Which records and subscriptions are counted.
  ///   - requiresSelected: Whether it is an error where no response has a zone or record type of the
  ///     filter.
  ///   - noteError: Gets each error among the results, with the name of its response.
  /// - Throws: `BundleError` names the file of what is no response; ``ImportError/onlyErrors(_:)``
  ///   where the server answered with nothing else; ``ImportError/notSelected(_:known:)``.
  public static func census(
    of sources: [Self], database: DatabaseScope, named name: String, _ filter: RecordFilter = .all,
    requiresSelected: Bool = false, noteError: (String) -> Void = { _ in }
  ) throws -> RecordCensus {
    var census = RecordCensus(source: name)
    var firstError: String?
    var hasContent = false
    var selection = SelectionCheck(filter)
    for source in sources {
      let response = try source.response().response
      if requiresSelected { selection.note(response) }
      for item in response.items {
        guard let error = item.error else {
          hasContent = true
          continue
        }
        firstError = firstError ?? "\(source.name): \(error)"
        noteError("\(source.name): \(error)")
      }
      for record in response.records where filter.contains(record, database: database) {
        try census.add(record, in: database)
      }
      for subscription in response.subscriptions
      where filter.contains(subscription, database: database) {
        census.add(subscription, in: database)
      }
    }
    if let firstError, !hasContent { throw ImportError.onlyErrors(firstError) }
    if requiresSelected { try selection.finish() }
    return census
  }
}
