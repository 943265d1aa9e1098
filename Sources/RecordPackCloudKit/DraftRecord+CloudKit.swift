#if canImport(CloudKit)
  import CloudKit
  import Foundation
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
      #if compiler(>=6.2)
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
          share.editRequests(as: wanted, basedOn: draft.base?.shareInfo)
        }
      #endif
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
      if participant.isOneTime {
        if #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) {
          return CKShare.Participant.oneTimeURLParticipant()
        }
        throw CloudError(.incompatibleVersion, "one-time links need iOS 18 or a later system")
      }
      guard let criteria = participant.lookupCriteria,
        let found = participants[draft.recordID]?[criteria]
      else {
        throw CloudError.unconvertible(
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

    /// The criteria by which the user can be looked up; nil if none are known.
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

    /// Returns the CloudKit record that saves this draft.
    ///
    /// The result for a new record has all fields. The result for a fetched record is made from its
    /// system fields, so that CloudKit knows its change tag. It has only the fields that have
    /// changed, unless all are asked for. The result of a draft that was made from a `CKRecord` has
    /// all that `encodeSystemFields(with:)` keeps of that record.
    ///
    /// A share that is new is a `CKShare` of its root record, which `CloudKitDatabase` makes when
    /// both are saved in one request; this returns shares that were fetched, without changes to
    /// their participants.
    ///
    /// - Parameters:
    ///   - includesAllFields: Whether to set fields that have not changed, for a save of all keys.
    ///   - files: The folder with the content of assets that were fetched, to which the bytes of those
    ///     in memory are written.
    /// - Throws: `CloudError` with `invalidArguments` for a value that CloudKit cannot have, such as an
    ///   asset without content, for a new share, and for a name that is not valid;
    ///   `RecordCodingError` if the archive of the system fields is not valid; the error of the file
    ///   system for the file of an asset.
    public func ckRecord(
      includingAllFields includesAllFields: Bool = false, files: AssetFiles = AssetFiles()
    ) throws -> CKRecord {
      let record = try emptyRecord()
      try setValues(of: record, includesAllFields: includesAllFields, files)
      return record
    }

    /// Returns a record with the draft's system fields and without values.
    private func emptyRecord() throws -> CKRecord {
      var known = base?.systemFields ?? systemFields
      // CloudKit takes the parent of an archive for that of the server, and does not send it.
      if base == nil && known.archive == nil { known.parent = nil }
      if known.archive != nil || known.recordChangeTag != nil {
        try known.checkParticipants()
        return try known.storedRecord()
      }
      guard recordType != Share.recordType else {
        throw CloudError.unconvertible(
          "a new share", expected: "a share that was fetched", recordID: recordID)
      }
      // CloudKit raises an exception for names that are not valid.
      try RecordLimits.cloudKit.check(recordID: recordID, recordType: recordType)
      return CKRecord(recordType: recordType, recordID: CKRecord.ID(recordID))
    }

    /// Sets the fields, the parent and the reference to the share.
    func setValues(of record: CKRecord, includesAllFields: Bool, _ files: AssetFiles) throws {
      // A record that was read from a bundle or a store may never have been saved to CloudKit.
      let isNew = recordChangeTag == nil
      for field in fields where isNew || includesAllFields || hasChanged(field.name) {
        try check(field)
        guard let object = try field.value.object(withFilesIn: files) else {
          throw CloudError.unconvertible(
            field.value.withoutCounterpart, expected: "a value that CloudKit can save",
            recordID: recordID, fieldName: field.name)
        }
        record.values(areEncrypted: field.isEncrypted).setObject(object, forKey: field.name)
      }
      for name in removedKeys() {
        try check(fieldName: name)
        // Whether the field is encrypted is not known if only the system fields are.
        let known = baseField(named: name)?.isEncrypted
        if known != true { record.setObject(nil, forKey: name) }
        if known != false { record.encryptedValues.setObject(nil, forKey: name) }
      }
      if record.parent.map({ RecordID($0.recordID) }) != parent?.recordID {
        // CloudKit raises an exception for another action.
        record.parent = try parent.map {
          CKRecord.Reference(recordID: try CKRecord.ID(checking: $0.recordID), action: .none)
        }
      }
    }

    private func check(fieldName name: String) throws {
      // The fields of shares have names that no other field can have.
      guard recordType != Share.recordType else { return }
      try RecordLimits.cloudKit.check(fieldName: name, in: recordID)
    }

    /// Checks what CloudKit raises an exception for: an invalid name, an asset that is not a file, and
    /// an encrypted value of a type that cannot be encrypted.
    private func check(_ field: Field) throws {
      try check(fieldName: field.name)
      guard field.value.assets.allSatisfy(\.isNotElsewhere) else {
        throw CloudError.unconvertible(
          "an asset whose URL is not a file URL", expected: "a file or bytes",
          recordID: recordID, fieldName: field.name)
      }
      guard field.isEncrypted, !field.value.isEncryptable else { return }
      throw CloudError.unconvertible(
        "an encrypted value of the type \(field.value.typeName)",
        expected: "a value that is not encrypted", recordID: recordID, fieldName: field.name)
    }
  }

  extension CKRecord {
    /// The plain or the encrypted values.
    fileprivate func values(areEncrypted: Bool) -> any CKRecordKeyValueSetting {
      if areEncrypted { encryptedValues } else { self }
    }
  }

  extension Asset {
    /// Whether the content is no URL of the web.
    fileprivate var isNotElsewhere: Bool {
      if case .file(let url) = content { url.isFileURL } else { true }
    }
  }

  extension RecordValue {
    /// The words of a message for a value that CloudKit's framework cannot have.
    fileprivate var withoutCounterpart: String {
      isOfAssets ? "an asset without content" : "a value of the type \(typeName)"
    }
  }

  extension SystemFields {
    /// Checks that the participants of a share are known: CloudKit would save it without any.
    fileprivate func checkParticipants() throws {
      guard recordType == Share.recordType, archive == nil, otherMembers["participants"] == nil
      else { return }
      throw CloudError.unconvertible(
        "a share without its participants", expected: "a share that was fetched",
        recordID: recordID)
    }

    /// Returns the record that CloudKit makes of these fields; a `CKShare` for a share.
    fileprivate func storedRecord() throws -> CKRecord {
      let record = try decoded(archive ?? encodeSystemFields())
      guard RecordID(record.recordID) == recordID else {
        throw CloudError.unconvertible(
          "the system fields of the record \(RecordID(record.recordID))",
          expected: "those of this record", recordID: recordID)
      }
      guard record.recordChangeTag != recordChangeTag else { return record }
      // The tag was set after the archive was read.
      var fields = SystemFields(record)
      fields.recordChangeTag = recordChangeTag
      return try decoded(fields.encodeSystemFields())
    }

    private func decoded(_ archive: Data) throws -> CKRecord {
      let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archive)
      defer { unarchiver.finishDecoding() }
      let (isShare, root) = (recordType == Share.recordType, NSKeyedArchiveRootObjectKey)
      // Apps also store whole records, whose values are not those of the draft.
      if unarchiver.containsValue(forKey: root),
        let whole = isShare
          ? unarchiver.decodeObject(of: CKShare.self, forKey: root)
          : unarchiver.decodeObject(of: CKRecord.self, forKey: root)
      {
        return try decoded(whole.systemFieldsArchive)
      }
      guard let record = isShare ? CKShare(coder: unarchiver) : CKRecord(coder: unarchiver) else {
        throw CloudError.unconvertible(
          "system fields that CloudKit does not decode",
          expected: "the result of encodeSystemFields", recordID: recordID)
      }
      return record
    }
  }
#endif
