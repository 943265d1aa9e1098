import RecordModel

extension CloudDatabase {
  /// Fetches a record.
  ///
  /// - Throws: `CloudError`: `zoneNotFound` or `unknownItem`.
  public func record(for recordID: RecordID) async throws -> ResultRecord {
    try await records(for: [recordID], desiredKeys: nil).result(for: recordID)
  }

  /// Fetches records with all their fields.
  public func records(
    for ids: [RecordID]
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    try await records(for: ids, desiredKeys: nil)
  }

  /// Saves a record if it has not changed on the server.
  ///
  /// - Returns: the record as the server saved it.
  /// - Throws: `CloudError`, such as `serverRecordChanged` with the records in conflict.
  @discardableResult
  public func save(_ record: DraftRecord) async throws -> ResultRecord {
    try await modifyRecords(saving: [record], deleting: []).saveResults.result(for: record.recordID)
  }

  /// Deletes a record. One that does not exist is no error.
  ///
  /// - Throws: `CloudError`, such as `zoneNotFound`, or `referenceViolation` for a record with
  ///   children.
  @discardableResult
  public func deleteRecord(withID recordID: RecordID) async throws -> RecordID {
    try await modifyRecords(saving: [], deleting: [recordID]).deleteResults.result(for: recordID)
    return recordID
  }

  /// Saves records that have not changed on the server, and deletes records, atomically in each
  /// zone that can do that.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID]
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: .ifServerRecordUnchanged,
      atomically: true)
  }

  /// Saves and deletes records, atomically in each zone that can do that.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy, atomically: true)
  }

  /// Saves records that have not changed on the server, and deletes records.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID], atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    try await modifyRecords(
      saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: .ifServerRecordUnchanged,
      atomically: atomically)
  }
}

extension Dictionary {
  /// The success of one item, or its error.
  ///
  /// - Throws: the item's error; `internalError` if there is no result for it. The message does not
  ///   name the item, which may be a person or a link.
  func result<Success>(for item: Key) throws -> Success where Value == Result<Success, any Error> {
    guard let result = self[item] else {
      throw CloudError(.internalError, "the server returned no result for the item")
    }
    return try result.get()
  }
}
