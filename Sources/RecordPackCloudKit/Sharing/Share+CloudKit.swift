#if canImport(CloudKit)
  import CloudKit
  import RecordModel

  extension Share {
    /// Creates the properties of a share from one of CloudKit.
    public init(_ share: CKShare) {
      self.init(
        publicPermission: ShareParticipant.Permission(share.publicPermission),
        participants: share.participants.map { ShareParticipant($0) },
        owner: ShareParticipant(share.owner),
        currentUserParticipant: share.currentUserParticipant.map { ShareParticipant($0) },
        url: share.url?.absoluteString)
    }
  }
#endif
