#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  /// A database of CloudKit (`CKDatabase`), for code that takes a `CloudDatabase`.
  ///
  /// ```swift
  /// let database = CloudKitContainer(CKContainer.default()).privateCloudDatabase
  /// let note = try await database.record(for: RecordID(recordName: "N1"))
  /// ```
  ///
  /// CloudKit accepts at most 400 items in a request. Fetches, saves and deletions of more are sent
  /// in several requests, one after the other; a request that CloudKit rejects with `limitExceeded`
  /// is sent again in halves. Items of one zone that are saved atomically are always in one
  /// request.
  public struct CloudKitDatabase: CloudDatabase {
    /// The database of CloudKit.
    public let database: CKDatabase
    /// The scope of the database.
    public let databaseScope: DatabaseScope
    let container: CloudKitContainer

    init(_ database: CKDatabase, scope: DatabaseScope, of container: CloudKitContainer) {
      self.database = database
      databaseScope = scope
      self.container = container
    }

    /// Returns the record that CloudKit has fetched or saved, or its error.
    ///
    /// - Parameter clientRecord: The draft that was saved.
    func result(
      _ result: Result<CKRecord, any Error>, clientRecord: DraftRecord? = nil
    ) -> Result<ResultRecord, any Error> {
      container.result(result, clientRecord: clientRecord)
    }

    /// Fetches the zones that have changed.
    public func databaseChanges(
      since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
    ) async throws -> (
      modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
      changeToken: ServerChangeToken, moreComing: Bool
    ) {
      let token = try serverChangeToken?.ckToken()
      let changes = try await callingCloudKit {
        try await database.databaseChanges(since: token, resultsLimit: resultsLimit)
      }
      return (
        changes.modifications.map { DatabaseChange.Modification(zoneID: ZoneID($0.zoneID)) },
        changes.deletions.map { DeletedZone($0) },
        try ServerChangeToken(changes.changeToken), changes.moreComing
      )
    }

    /// Fetches the records of a zone that have changed.
    public func recordZoneChanges(
      inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
      desiredKeys: [String]?, resultsLimit: Int?
    ) async throws -> (
      modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
      deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
    ) {
      let ckZoneID = try CKRecordZone.ID(checking: zoneID)
      let token = try serverChangeToken?.ckToken()
      let changes = try await callingCloudKit {
        try await database.recordZoneChanges(
          inZoneWith: ckZoneID, since: token, desiredKeys: desiredKeys,
          resultsLimit: resultsLimit)
      }
      var modifications: [RecordID: Result<RecordZoneChange.Modification, any Error>] = [:]
      for (id, modification) in changes.modificationResultsByID {
        modifications[RecordID(id)] = result(modification.map(\.record))
          .map { RecordZoneChange.Modification(record: $0) }
      }
      let deletions = changes.deletions.map {
        RecordZoneChange.Deletion(recordID: RecordID($0.recordID), recordType: $0.recordType)
      }
      return (
        modifications, deletions, try ServerChangeToken(changes.changeToken), changes.moreComing
      )
    }

    /// Finds the first records that match a query.
    ///
    /// - Throws: `CloudError`: `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express.
    public func records(
      matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
      resultsLimit: Int
    ) async throws -> (
      matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
    ) {
      let ckQuery = try CKQuery(query)
      let zone = try zoneID.map { try CKRecordZone.ID(checking: $0) }
      return try await callingCloudKit {
        try page(
          try await database.records(
            matching: ckQuery, inZoneWith: zone,
            desiredKeys: desiredKeys, resultsLimit: resultsLimit))
      }
    }

    /// Finds the next records of a query.
    public func records(
      continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
    ) async throws -> (
      matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
    ) {
      let cursor = try queryCursor.ckCursor()
      return try await callingCloudKit {
        try page(
          try await database.records(
            continuingMatchFrom: cursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit))
      }
    }

    private func page(
      _ answer: (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
      )
    ) throws -> (
      matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
    ) {
      (
        answer.matchResults.map { (RecordID($0), result($1)) },
        try answer.queryCursor.map { try QueryCursor($0) }
      )
    }

    /// Fetches all zones of the database.
    public func allRecordZones() async throws -> [RecordZone] {
      try await callingCloudKit { try await database.allRecordZones() }.map { RecordZone($0) }
    }

    /// Fetches zones.
    public func recordZones(
      for ids: [ZoneID]
    ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
      var results: [ZoneID: Result<RecordZone, any Error>] = [:]
      var batches = RequestBatches(try Set(ids).sorted().map(CKRecordZone.ID.init(checking:))) {
        $0
      }
      try await batches.send { ids in
        let found = try await database.recordZones(for: ids)
        for (id, zone) in found { results[ZoneID(id)] = result(zone) }
      } orFail: { _, error in
        throw error
      }
      return results
    }

    /// Saves and deletes zones.
    public func modifyRecordZones(
      saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
    ) async throws -> (
      saveResults: [ZoneID: Result<RecordZone, any Error>],
      deleteResults: [ZoneID: Result<Void, any Error>]
    ) {
      let zones = try recordZonesToSave.map {
        CKRecordZone(zoneID: try CKRecordZone.ID(checking: $0.zoneID))
      }
      let zoneIDs = try recordZoneIDsToDelete.map { try CKRecordZone.ID(checking: $0) }
      let results = try await callingCloudKit {
        try await database.modifyRecordZones(saving: zones, deleting: zoneIDs)
      }
      return (
        Dictionary(
          results.saveResults.map { (ZoneID($0), result($1)) },
          uniquingKeysWith: { first, _ in first }),
        Dictionary(
          results.deleteResults.map { id, deleted in
            (ZoneID(id), deleted.mapError { CloudError.converting($0) })
          }, uniquingKeysWith: { first, _ in first })
      )
    }

    private func result(
      _ result: Result<CKRecordZone, any Error>
    ) -> Result<RecordZone, any Error> {
      result.map { RecordZone($0) }.mapError { CloudError.converting($0) }
    }

    /// Fetches all subscriptions of the user to the database. One that RecordPack does not know, such
    /// as of a later version of CloudKit, is left out; ``allSubscriptionResults()`` has its error.
    public func allSubscriptions() async throws -> [CloudSubscription] {
      try await allSubscriptionResults().compactMap { try? $0.result.get() }
    }

    /// Fetches all subscriptions of the user to the database, with an error for each one that
    /// RecordPack does not know.
    public func allSubscriptionResults() async throws
      -> [(subscriptionID: String, result: Result<CloudSubscription, any Error>)]
    {
      try await callingCloudKit { try await database.allSubscriptions() }.map { subscription in
        (subscription.subscriptionID, Result { try CloudSubscription(subscription) })
      }
    }

    /// Fetches subscriptions by their identifiers.
    public func subscriptions(
      for ids: [String]
    ) async throws -> [String: Result<CloudSubscription, any Error>] {
      try await callingCloudKit { try await database.subscriptions(for: ids) }
        .mapValues { result($0) }
    }

    /// Saves and deletes subscriptions.
    ///
    /// - Throws: `CloudError`: `invalidArguments` for a filter that no predicate of CloudKit can
    ///   express; nothing is saved then.
    public func modifySubscriptions(
      saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
    ) async throws -> (
      saveResults: [String: Result<CloudSubscription, any Error>],
      deleteResults: [String: Result<Void, any Error>]
    ) {
      let subscriptions = try subscriptionsToSave.map { try $0.ckSubscription() }
      let results = try await callingCloudKit {
        try await database.modifySubscriptions(
          saving: subscriptions, deleting: subscriptionIDsToDelete)
      }
      return (
        results.saveResults.mapValues { result($0) },
        results.deleteResults.mapValues { $0.mapError { CloudError.converting($0) } }
      )
    }

    private func result(
      _ result: Result<CKSubscription, any Error>
    ) -> Result<CloudSubscription, any Error> {
      result.mapError { CloudError.converting($0) }
        .flatMap { subscription in Result { try CloudSubscription(subscription) } }
    }
  }
#endif
