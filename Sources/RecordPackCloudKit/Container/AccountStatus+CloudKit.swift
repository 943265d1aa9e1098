#if canImport(CloudKit)
  import CloudInterface
  import CloudKit

  extension AccountStatus {
    /// Creates a status from one of CloudKit.
    public init(_ status: CKAccountStatus) {
      self = AccountStatus(rawValue: status.rawValue) ?? .couldNotDetermine
    }
  }
#endif
