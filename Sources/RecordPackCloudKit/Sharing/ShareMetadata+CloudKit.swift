#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import RecordModel

  extension ShareMetadata {
    /// Creates metadata from that of CloudKit, such as the system gives an app when the user opens a
    /// link.
    ///
    /// - Parameters:
    ///   - metadata: The metadata.
    ///   - files: The folder that the files of the share's assets are copied to.
    /// - Throws: ``CloudKitConversionError`` for a value of the share that has no counterpart.
    public init(
      _ metadata: CKShare.Metadata, keepingFilesIn files: AssetFiles = AssetFiles()
    ) throws {
      self.init(
        containerIdentifier: metadata.containerIdentifier,
        share: try ResultRecord(metadata.share, keepingFilesIn: files),
        hierarchicalRootRecordID: metadata.hierarchicalRootRecordID.map { RecordID($0) },
        ownerIdentity: UserIdentity(metadata.ownerIdentity),
        participantRole: .init(metadata.participantRole),
        participantStatus: .init(metadata.participantStatus),
        participantPermission: .init(metadata.participantPermission))
    }
  }
#endif
