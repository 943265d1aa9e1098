#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension ShareMetadata {
    /// Creates metadata from that of CloudKit, such as the system gives an app when the user opens a
    /// link.
    ///
    /// - Throws: ``CloudKitConversionError`` for a value of the share that has no counterpart.
    public init(_ metadata: CKShare.Metadata) throws {
      self.init(
        containerIdentifier: metadata.containerIdentifier,
        share: try ResultRecord(metadata.share),
        hierarchicalRootRecordID: metadata.hierarchicalRootRecordID.map { RecordID($0) },
        ownerIdentity: UserIdentity(metadata.ownerIdentity),
        participantRole: .init(metadata.participantRole),
        participantStatus: .init(metadata.participantStatus),
        participantPermission: .init(metadata.participantPermission))
    }
  }
#endif
