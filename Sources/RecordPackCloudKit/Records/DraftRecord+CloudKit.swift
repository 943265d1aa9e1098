#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  extension DraftRecord {
    /// Returns the CloudKit record that saves this draft.
    ///
    /// A record that is new has all fields. One that was fetched is made from its system fields, so
    /// that CloudKit knows its change tag, and has only the fields that have changed, unless all are
    /// asked for. The result of a draft that was made from a `CKRecord` has all that
    /// `encodeSystemFields(with:)` keeps of that record.
    ///
    /// A share that is new is a `CKShare` of its root record, which `CloudKitDatabase` makes when
    /// both are saved in one request; this returns shares that were fetched, without changes to
    /// their participants.
    ///
    /// - Parameters:
    ///   - includesAllFields: Whether to set fields that have not changed, for a save of all keys.
    ///   - files: The folder with the content of assets that were fetched, to which the bytes of those
    ///     in memory are written.
    /// - Throws: ``CloudKitConversionError`` for a value that CloudKit cannot have, such as an asset
    ///   without content, and for a new share; `CloudError` for a name that is not valid;
    ///   `KeyedArchiveError` if the archive of the system fields is not valid; the error of the file
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
        throw CloudKitConversionError(
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
          throw CloudKitConversionError(
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
        throw CloudKitConversionError(
          "an asset whose URL is not a file URL", expected: "a file or bytes",
          recordID: recordID, fieldName: field.name)
      }
      guard field.isEncrypted, !field.value.isEncryptable else { return }
      throw CloudKitConversionError(
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
    /// What a message says about a value that CloudKit's framework cannot have.
    fileprivate var withoutCounterpart: String {
      isOfAssets ? "an asset without content" : "a value of the type \(typeName)"
    }
  }

  extension SystemFields {
    /// Checks that the participants of a share are known: CloudKit would save it without any.
    fileprivate func checkParticipants() throws {
      guard recordType == Share.recordType, archive == nil, otherMembers["participants"] == nil
      else { return }
      throw CloudKitConversionError(
        "a share without its participants", expected: "a share that was fetched",
        recordID: recordID)
    }

    /// Returns the record that CloudKit makes of these fields; a `CKShare` for a share.
    fileprivate func storedRecord() throws -> CKRecord {
      let record = try decoded(archive ?? encodeSystemFields())
      guard RecordID(record.recordID) == recordID else {
        throw CloudKitConversionError(
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
        throw CloudKitConversionError(
          "system fields that CloudKit does not decode",
          expected: "the result of encodeSystemFields", recordID: recordID)
      }
      return record
    }
  }
#endif
