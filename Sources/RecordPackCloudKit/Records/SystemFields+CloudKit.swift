#if canImport(CloudKit)
  import CloudKit
  import Foundation
  import RecordCoding
  import RecordModel

  extension SystemFields {
    /// Creates system fields from those of a CloudKit record.
    ///
    /// ``RecordModel/SystemFields/archive`` contains what `encodeSystemFields(with:)` writes, from
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
    /// What `encodeSystemFields(with:)` writes.
    var systemFieldsArchive: Data {
      let archiver = NSKeyedArchiver(requiringSecureCoding: true)
      encodeSystemFields(with: archiver)
      archiver.finishEncoding()
      return archiver.encodedData
    }
  }
#endif
