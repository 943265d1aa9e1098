#if canImport(CloudKit)
  import CloudInterface
  import CloudKit

  extension ServerChangeToken {
    /// Creates a token whose data is the keyed archive of one of CloudKit, as apps store it.
    public init(_ token: CKServerChangeToken) throws {
      self.init(data: try ArchivedObject.data(of: token))
    }

    /// Returns the token of CloudKit.
    ///
    /// - Throws: `CloudError` with `changeTokenExpired` if the data is of another database, such as a
    ///   mock.
    public func ckToken() throws -> CKServerChangeToken {
      try ArchivedObject.object(
        CKServerChangeToken.self, from: data, orThrow: .changeTokenExpired)
    }
  }

  extension QueryCursor {
    /// Creates a cursor whose data is the keyed archive of one of CloudKit.
    public init(_ cursor: CKQueryOperation.Cursor) throws {
      self.init(data: try ArchivedObject.data(of: cursor))
    }

    /// Returns the cursor of CloudKit.
    ///
    /// - Throws: `CloudError` with `invalidArguments` if the data is of another database.
    public func ckCursor() throws -> CKQueryOperation.Cursor {
      try ArchivedObject.object(
        CKQueryOperation.Cursor.self, from: data, orThrow: .invalidArguments)
    }
  }
#endif
