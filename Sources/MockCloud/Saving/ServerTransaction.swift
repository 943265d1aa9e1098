import RecordModel
import RecordStore

/// Saves in a transaction of a container, under the rules for requests of the signed-in user's app.
///
/// Unlike a request to ``MockDatabase``, it has any number of records and sends no notifications.
package struct ServerTransaction {
  private let transaction: ContainerTransaction
  private let rules: ServerRules
  private let schemas = ContainerSchemas()

  package init(_ transaction: ContainerTransaction, rules: ServerRules = .native) {
    self.transaction = transaction
    self.rules = rules
  }

  /// Saves a zone.
  ///
  /// - Throws: `CloudError` for a zone that the user cannot save.
  package func save(_ zone: RecordZone, in scope: DatabaseScope) throws {
    let database = try AccountTransaction(transaction, of: DatabaseKey(scope: scope))
    try ZoneRule.check(saving: zone, in: database.view, rules)
    try database.save(zone)
  }

  /// Saves records, and what they add to a development schema. A draft replaces a damaged record,
  /// except a share. A draft without a change tag changes the stored record, which may have none
  /// after an import.
  ///
  /// - Parameter drafts: the records, each once.
  /// - Returns: the saved records.
  /// - Throws: ``Rejection``; the transaction must be rolled back then.
  package func save(
    _ drafts: [DraftRecord], in scope: DatabaseScope
  ) throws -> [RecordID: ResultRecord] {
    let database = try AccountTransaction(transaction, of: DatabaseKey(scope: scope))
    let info = database.info
    let notifier = try Notifier(in: scope, of: info.identifier, transaction) {
      $0.scope == .public ? GrantRule(try schemas.schema(of: info, rules), for: $0) : nil
    }
    let request = ModifyRequest(database, rules: rules, schemas: schemas)
    try request.judge(
      saving: drafts.map {
        SaveRequest(
          $0, $0.recordChangeTag == nil ? .changedKeys : .ifServerRecordUnchanged,
          replacesDamage: true)
      },
      deleting: [], atomically: true)
    // The other records of a zone fail only because of the first one.
    let errors = drafts.enumerated().compactMap { index, draft in
      request.errors[draft.recordID].map { Rejection(index: index, error: $0) }
    }
    let own = errors.first { $0.error.code != .batchRequestFailed }
    if let rejection = own ?? errors.first { throw rejection }
    let answer = try request.apply(notifier)
    // Subscriptions that fire once end with the change.
    _ = try notifier.finish()
    return try answer.saveResults.mapValues { try $0.get() }
  }

  /// A record that the server rejects.
  package struct Rejection: Error {
    /// The position of the record among the drafts.
    package let index: Int
    /// The error of the server.
    package let error: CloudError
  }
}
