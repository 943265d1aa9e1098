#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension CloudKitDatabase {
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
  }
#endif
