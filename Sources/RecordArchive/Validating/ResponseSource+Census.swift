import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

extension Archiver.ResponseSource {
  /// Counts the kinds of values in records and subscriptions of responses.
  ///
  /// - Parameters:
  ///   - sources: The responses.
  ///   - database: The database of the responses, which they do not name.
  ///   - name: The name of the source in reports.
  ///   - filter: The records and subscriptions to count.
  ///   - requiresSelected: Whether to throw if no response has a zone or record type of the filter.
  ///   - noteError: Called with each error among the results, and the name of its response.
  /// - Throws: `BundleError` with the name of a file that is not a response;
  ///   ``ImportError/onlyErrors(_:)`` if the server returned only errors;
  ///   ``ImportError/notSelected(_:known:)``.
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
