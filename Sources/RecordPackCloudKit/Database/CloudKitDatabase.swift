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
  /// CloudKit takes at most 400 items in a request. Fetches, saves and deletions of more are sent in
  /// several requests, one after the other; a request that CloudKit answers with `limitExceeded` is
  /// sent again in halves. Items of one zone that are saved atomically are always in one request.
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
  }
#endif
