#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  extension ResultRecord {
    /// Creates a record from one of CloudKit, with its fields, encrypted values and, for a share, the
    /// participants.
    ///
    /// ```swift
    /// let record = try ResultRecord(ckRecord)
    /// ```
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - files: The folder that the files of assets are copied to.
    /// - Throws: `CloudError` with `invalidArguments` for a value of a class that has no counterpart;
    ///   the error of the file system for the file of an asset.
    public init(_ record: CKRecord, keepingFilesIn files: AssetFiles = AssetFiles()) throws {
      let encryptedValues = record.encryptedValues
      let encryptedNames = Set(encryptedValues.allKeys())
      var fields: [Field] = []
      // Whether `allKeys()` contains the names of encrypted values is not documented.
      for name in record.allKeys() where !encryptedNames.contains(name) {
        guard let object = record.object(forKey: name) else { continue }
        fields.append(try Field(name, object, of: record, isEncrypted: false))
      }
      for name in encryptedNames {
        guard let object = encryptedValues.object(forKey: name) else { continue }
        fields.append(try Field(name, object, of: record, isEncrypted: true))
      }
      self.init(
        storage: ValueStorage(
          systemFields: SystemFields(record), fields: try files.keepingFiles(of: fields)))
    }

    /// Returns this record, which CloudKit has returned for the save of a draft, with all fields.
    ///
    /// CloudKit's documentation does not say that the record has fields that were not sent. If it has
    /// none of them, they are those of the record that the draft is based on.
    func completed(by draft: DraftRecord) -> ResultRecord {
      guard let base = draft.base, allKeys().allSatisfy(draft.hasChanged) else { return self }
      let others = base.allFields.filter { !draft.hasChanged($0.name) }
      guard !others.isEmpty else { return self }
      return ResultRecord(
        storage: ValueStorage(systemFields: systemFields, fields: allFields + others))
    }
  }

  extension Field {
    fileprivate init(
      _ name: String, _ object: Any, of record: CKRecord, isEncrypted: Bool
    ) throws {
      guard let value = RecordValue(object) else {
        throw CloudError.unconvertible(
          "a value of the class \(type(of: object))", expected: "a type that schemas have",
          recordID: RecordID(record.recordID), fieldName: name)
      }
      self.init(name: name, value: value, isEncrypted: isEncrypted)
    }
  }

  extension SystemFields {
    /// Creates system fields from those of a CloudKit record.
    ///
    /// `SystemFields.archive` contains the archive of `encodeSystemFields(with:)`, from
    /// which CloudKit makes the record again. CloudKit does not tell the devices.
    public init(_ record: CKRecord) {
      self.init(
        recordID: RecordID(record.recordID), recordType: record.recordType,
        recordChangeTag: record.recordChangeTag,
        created: RecordStamp(record.creationDate, record.creatorUserRecordID),
        modified: RecordStamp(record.modificationDate, record.lastModifiedUserRecordID),
        parent: record.parent.map { Reference($0) }, share: record.share.map { Reference($0) },
        archive: record.systemFieldsArchive)
      if let share = record as? CKShare { setShareInfo(Share(share)) }
    }
  }

  extension RecordStamp {
    fileprivate init?(_ date: Date?, _ userRecordID: CKRecord.ID?) {
      guard date != nil || userRecordID != nil else { return nil }
      self.init(date: date, userRecordName: userRecordID?.recordName)
    }
  }

  extension CKRecord {
    /// The archive that `encodeSystemFields(with:)` writes.
    var systemFieldsArchive: Data {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      encodeSystemFields(with: archiver)
      archiver.finishEncoding()
      return archiver.encodedData
    }
  }

  /// Objects of CloudKit whose content only CloudKit reads, as bytes: tokens and cursors.
  enum ArchivedObject {
    /// Returns the keyed archive of an object.
    static func data(of object: some NSObject & NSSecureCoding) throws -> Data {
      try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// Returns the object in a keyed archive.
    ///
    /// - Throws: The error with this code if the archive has no such object.
    static func object<Object: NSObject & NSSecureCoding>(
      _ type: Object.Type, from data: Data, orThrow code: CloudError.Code
    ) throws -> Object {
      guard let object = try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data) else {
        throw CloudError(code, "not an archived \(type): \(data.count) bytes")
      }
      return object
    }
  }
#endif
