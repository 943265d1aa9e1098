#if canImport(CloudKit)
  import CloudKit
  import RecordCoding
  import RecordModel

  /// The participants that shares are to get, by share: CloudKit does not take one for two shares.
  typealias InvitedParticipants =
    [RecordID: [UserIdentity.LookupInfo: Result<CKShare.Participant, any Error>]]

  /// Makes the CloudKit records of a request's drafts.
  struct DraftConverter {
    private let drafts: [DraftRecord]
    private let includesAllFields: Bool
    private let files: AssetFiles
    private let participants: InvitedParticipants

    init(
      _ drafts: [DraftRecord], includesAllFields: Bool, files: AssetFiles,
      participants: InvitedParticipants
    ) {
      self.drafts = drafts
      self.includesAllFields = includesAllFields
      self.files = files
      self.participants = participants
    }

    /// Returns the records, parents before their children.
    func records() throws -> [CKRecord] {
      var roots: [RecordID: CKRecord] = [:]
      var records: [CKRecord] = []
      // New shares come last, because they are made of their root records.
      let order = drafts.parentsFirst()
      for draft in order where !draft.isNewShare {
        let record = try draft.ckRecord(includingAllFields: includesAllFields, files: files)
        if let share = record as? CKShare { try edit(share, as: draft) }
        if let share = draft.share { roots[share.recordID] = record }
        records.append(record)
      }
      for draft in order where draft.isNewShare {
        let share = try newShare(draft, root: roots[draft.recordID])
        try draft.setValues(of: share, includesAllFields: includesAllFields, files)
        try edit(share, as: draft)
        records.append(share)
      }
      return records
    }

    private func newShare(_ draft: DraftRecord, root: CKRecord?) throws -> CKShare {
      if draft.recordID.recordName == Share.zoneWideRecordName {
        return CKShare(recordZoneID: try CKRecordZone.ID(checking: draft.recordID.zoneID))
      }
      guard let root else {
        throw CloudError(
          .invalidArguments,
          "the share \(draft.recordID) is new; save it in one request with the record it shares")
      }
      return CKShare(rootRecord: root, shareID: try CKRecord.ID(checking: draft.recordID))
    }

    /// Makes the participants and permissions of a share those of a draft.
    private func edit(_ share: CKShare, as draft: DraftRecord) throws {
      guard let wanted = draft.shareInfo else { return }
      let known = share.participants.map { ShareParticipant($0) }
      if draft.otherMembers["publicPermission"] != nil,
        let publicPermission = wanted.publicPermission.differing(from: share.publicPermission)
      {
        share.publicPermission = publicPermission
      }
      // A new share may have no participants; of others, they are known.
      guard draft.otherMembers["participants"] != nil else { return }
      var removed = share.participants.filter { $0.role != .owner }
      for participant in wanted.participants where participant.role != .owner {
        if let place = removed.firstIndex(where: { participant.isSame(as: ShareParticipant($0)) }) {
          participant.edit(removed.remove(at: place))
        } else if !known.contains(where: { participant.isSame(as: $0) }) {
          // One that was known is gone because the share has become public or private.
          try add(participant, to: share, of: draft)
        }
      }
      for participant in removed { share.removeParticipant(participant) }
    }

    private func add(
      _ participant: ShareParticipant, to share: CKShare, of draft: DraftRecord
    ) throws {
      // CloudKit raises an exception.
      guard share.publicPermission == .none else {
        throw CloudError(
          .invalidArguments,
          "the share \(draft.recordID) is public; participants can only be added to one whose "
            + "publicPermission is none")
      }
      let invited = try invite(participant, to: draft)
      participant.edit(invited)
      share.addParticipant(invited)
    }

    private func invite(
      _ participant: ShareParticipant, to draft: DraftRecord
    ) throws -> CKShare.Participant {
      guard let criteria = participant.lookupCriteria,
        let found = participants[draft.recordID]?[criteria]
      else {
        throw CloudKitConversionError(
          "a participant without a record name, an e-mail address or a telephone number",
          expected: "a user that can be looked up", recordID: draft.recordID)
      }
      return try found.get()
    }
  }

  extension ShareParticipant.Permission {
    /// The permission for CloudKit, if it differs. An unknown one may be one that only CloudKit knows,
    /// which stays as it is.
    fileprivate func differing(
      from known: CKShare.ParticipantPermission
    ) -> CKShare.ParticipantPermission? {
      guard self != .unknown, self != ShareParticipant.Permission(known) else { return nil }
      return CKShare.ParticipantPermission(self)
    }
  }

  extension ShareParticipant {
    /// Sets the permission and the role, where they differ.
    fileprivate func edit(_ participant: CKShare.Participant) {
      if let permission = permission.differing(from: participant.permission) {
        participant.permission = permission
      }
      if let role = CKShare.ParticipantRole(role), participant.role != role {
        participant.role = role
      }
    }

    /// Whether both are the same participant of a share. One that was looked up again has another
    /// identifier.
    ///
    /// - Source: the header of `CKShareParticipant`: the identifier, the user record or the lookup
    ///   info is the same.
    fileprivate func isSame(as other: ShareParticipant) -> Bool {
      func isSame(_ value: String?, _ other: String?) -> Bool {
        value?.isEmpty == false && value == other
      }
      let (own, others) = (userIdentity.lookupInfo, other.userIdentity.lookupInfo)
      return isSame(participantID, other.participantID)
        || isSame(userIdentity.userRecordName, other.userIdentity.userRecordName)
        || isSame(own?.emailAddress, others?.emailAddress)
        || isSame(own?.phoneNumber, others?.phoneNumber)
        || isSame(own?.userRecordName, others?.userRecordName)
    }

    /// What the user can be looked up by; nil if nothing is known.
    fileprivate var lookupCriteria: UserIdentity.LookupInfo? {
      let name = UserIdentity.LookupInfo(userRecordName: userIdentity.userRecordName)
      return [userIdentity.lookupInfo, name].compactMap(\.self)
        .first { LookupCriterion($0) != nil }
    }
  }

  extension DraftRecord {
    fileprivate var isNewShare: Bool {
      recordType == Share.recordType && base == nil && recordChangeTag == nil
        && systemFields.archive == nil
    }

    /// The users that the draft adds to a share.
    var invitedUsers: [UserIdentity.LookupInfo] {
      guard let share = shareInfo else { return [] }
      let known = base?.shareInfo?.participants ?? []
      return share.participants.filter { participant in
        participant.role != .owner && !known.contains { participant.isSame(as: $0) }
      }.compactMap(\.lookupCriteria)
    }
  }
#endif
