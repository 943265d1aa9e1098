import Foundation

// The calls with a completion handler. Each one makes the request of its async form.

extension CKDatabase {
  // MARK: One item

  @preconcurrency
  public func fetch(
    withRecordID recordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.record(for: recordID) }
  }

  @preconcurrency
  public func save(
    _ record: CKRecord, completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.save(record) }
  }

  @preconcurrency
  public func delete(
    withRecordID recordID: CKRecord.ID,
    completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.deleteRecord(withID: recordID) }
  }

  // Of the first results: the header says that it does not follow the cursor.
  @available(
    *, deprecated,
    message: "renamed to fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)"
  )
  @preconcurrency
  public func perform(
    _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
    completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
  ) {
    reply(completionHandler) {
      let answer = try await self.records(
        matching: query, inZoneWith: zoneID, desiredKeys: nil,
        resultsLimit: CKQueryOperation.maximumResults)
      return try answer.matchResults.map { try $0.1.get() }
    }
  }

  @preconcurrency
  public func fetchAllRecordZones(
    completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.allRecordZones() }
  }

  @preconcurrency
  public func fetch(
    withRecordZoneID zoneID: CKRecordZone.ID,
    completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.recordZone(for: zoneID) }
  }

  @preconcurrency
  public func save(
    _ zone: CKRecordZone,
    completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.save(zone) }
  }

  @preconcurrency
  public func delete(
    withRecordZoneID zoneID: CKRecordZone.ID,
    completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.deleteRecordZone(withID: zoneID) }
  }

  @preconcurrency
  public func fetch(
    withSubscriptionID subscriptionID: CKSubscription.ID,
    completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.subscription(for: subscriptionID) }
  }

  @preconcurrency
  public func fetchAllSubscriptions(
    completionHandler: @escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.allSubscriptions() }
  }

  @preconcurrency
  public func save(
    _ subscription: CKSubscription,
    completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.save(subscription) }
  }

  @preconcurrency
  public func delete(
    withSubscriptionID subscriptionID: CKSubscription.ID,
    completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.deleteSubscription(withID: subscriptionID) }
  }
}

// MARK: Results of several items

extension CKDatabase {
  @preconcurrency
  public func fetch(
    withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
    completionHandler:
      @escaping @Sendable (
        Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.records(for: recordIDs, desiredKeys: desiredKeys)
    }
  }

  @preconcurrency
  public func modifyRecords(
    saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
    savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
    atomically: Bool = true,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
            deleteResults: [CKRecord.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.modifyRecords(
        saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy,
        atomically: atomically)
    }
  }

  @preconcurrency
  public func fetch(
    withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int = CKQueryOperation.maximumResults,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
            queryCursor: CKQueryOperation.Cursor?
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.records(
        matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    }
  }

  @preconcurrency
  public func fetch(
    withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
    resultsLimit: Int = CKQueryOperation.maximumResults,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
            queryCursor: CKQueryOperation.Cursor?
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.records(
        continuingMatchFrom: queryCursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    }
  }

  @preconcurrency
  public func fetch(
    withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
    completionHandler:
      @escaping @Sendable (
        Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.recordZones(for: zoneIDs) }
  }

  @preconcurrency
  public func modifyRecordZones(
    saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
            deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.modifyRecordZones(saving: recordZonesToSave, deleting: recordZoneIDsToDelete)
    }
  }

  @preconcurrency
  public func fetch(
    withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
    completionHandler:
      @escaping @Sendable (
        Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
      ) -> Void
  ) {
    reply(completionHandler) { try await self.subscriptions(for: subscriptionIDs) }
  }

  @preconcurrency
  public func modifySubscriptions(
    saving subscriptionsToSave: [CKSubscription],
    deleting subscriptionIDsToDelete: [CKSubscription.ID],
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
            deleteResults: [CKSubscription.ID: Result<Void, any Error>]
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.modifySubscriptions(
        saving: subscriptionsToSave, deleting: subscriptionIDsToDelete)
    }
  }

  @preconcurrency
  public func fetchDatabaseChanges(
    since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            modifications: [CKDatabase.DatabaseChange.Modification],
            deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
            moreComing: Bool
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.databaseChanges(since: changeToken, resultsLimit: resultsLimit)
    }
  }

  @preconcurrency
  public func fetchRecordZoneChanges(
    inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
    completionHandler:
      @escaping @Sendable (
        Result<
          (
            modificationResultsByID: [CKRecord.ID: Result<
              CKDatabase.RecordZoneChange.Modification, any Error
            >],
            deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
            moreComing: Bool
          ), any Error
        >
      ) -> Void
  ) {
    reply(completionHandler) {
      try await self.recordZoneChanges(
        inZoneWith: zoneID, since: changeToken, desiredKeys: desiredKeys,
        resultsLimit: resultsLimit)
    }
  }
}
