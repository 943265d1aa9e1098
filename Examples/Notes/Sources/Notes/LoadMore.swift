import CloudInterface
import RecordModel

/// Loads what belongs to the next page of a list: the reactions to a hundred messages, say.
///
/// A query by many references can be too much for CloudKit's server, which then answers with
/// `serverRejectedRequest` (HTTP 500), `serviceUnavailable` or `requestRateLimited`. The same query
/// with half as many references works.
public struct LoadMore: Sendable {
  /// The database to query.
  public var database: any CloudDatabase
  /// The zone of the records.
  public var zoneID: ZoneID
  /// The greatest number of references in one query; the server takes 250.
  public var batchSize = 250
  /// Waits so many seconds, as the server asked.
  public var wait: @Sendable (Double) async throws -> Void = {
    try await Task.sleep(for: .seconds($0))
  }

  /// Creates a loader.
  public init(database: any CloudDatabase, zoneID: ZoneID) {
    self.database = database
    self.zoneID = zoneID
  }

  /// Returns the records that refer to any of others.
  ///
  /// - Parameters:
  ///   - recordType: the type of the records.
  ///   - field: the field with the list of references.
  ///   - targets: the records that are referred to, as many as you like.
  /// - Throws: an error that a query with one reference has, too.
  public func records(
    ofType recordType: String, whose field: String, contains targets: [RecordID]
  ) async throws -> [ResultRecord] {
    var found: [RecordID: ResultRecord] = [:]
    var order: [RecordID] = []
    var size = max(1, batchSize)
    var rest = targets[...]
    while !rest.isEmpty {
      let batch = rest.prefix(size)
      do {
        let references = batch.map { Reference(recordID: $0) }
        let query = RecordQuery(
          recordType: recordType, filters: [QueryField(field).containsAny(of: references)])
        for record in try await all(matching: query) {
          // A record can refer to records of two batches.
          if found.updateValue(record, forKey: record.recordID) == nil {
            order.append(record.recordID)
          }
        }
        rest = rest.dropFirst(batch.count)
      } catch let error as CloudError where Self.isTooMuch(error) && batch.count > 1 {
        size = (batch.count + 1) / 2
        if let seconds = error.retryAfterSeconds { try await wait(seconds) }
      }
    }
    return order.compactMap { found[$0] }
  }

  private func all(matching query: RecordQuery) async throws -> [ResultRecord] {
    var page = try await database.records(matching: query, inZoneWith: zoneID)
    var records = try page.matchResults.map { try $0.1.get() }
    while let cursor = page.queryCursor {
      page = try await database.records(continuingMatchFrom: cursor)
      records += try page.matchResults.map { try $0.1.get() }
    }
    return records
  }

  private static func isTooMuch(_ error: CloudError) -> Bool {
    switch error.code {
    case .serverRejectedRequest, .serviceUnavailable, .requestRateLimited, .limitExceeded: true
    default: false
    }
  }
}
