import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema

extension Archiver.WebServicesSource {
  /// Counts what kinds of values the records of responses hold, and their subscriptions.
  ///
  /// - Parameters:
  ///   - sources: The responses.
  ///   - database: The database they come from, which responses do not say.
  ///   - name: The name under which reports show them.
  ///   - filter: Which records and subscriptions are counted.
  /// - Throws: `BundleError` names the file of what is no response.
  public static func census(
    of sources: [Self], database: DatabaseScope, named name: String, _ filter: RecordFilter = .all
  ) throws -> RecordCensus {
    var census = RecordCensus(source: name)
    for source in sources {
      let response = try source.response().response
      for record in response.records where filter.contains(record, database: database) {
        try census.add(record, in: database)
      }
      for subscription in response.subscriptions
      where filter.contains(subscription, database: database) {
        census.add(subscription, in: database)
      }
    }
    return census
  }
}
