import Foundation
import RecordCoding
import RecordModel

extension DraftRecord {
  /// Translates a record to be saved.
  ///
  /// - Parameter sendingAllKeys: Whether unchanged values are sent, too: those of the object, not those
  ///   that the server has under its keys.
  /// - Throws: `CKError`: `invalidArguments` for a value that CloudKit does not store.
  init(_ record: CKRecord, sendingAllKeys: Bool = false) throws {
    let state = record.state.current
    if let base = state.base {
      self.init(sendingAllKeys ? base.keepingFields(of: state) : base)
    } else {
      self.init(systemFields: SystemFields(state))
    }
    // A parent or share that came with the system fields is not sent.
    if state.hasChangedParent { parent = state.parent.map(Reference.init) }
    if state.hasChangedShare { share = state.share.map(Reference.init) }
    try setFields(state.plain, isEncrypted: false, all: sendingAllKeys)
    try setFields(state.encrypted, isEncrypted: true, all: sendingAllKeys)
    if let share = record as? CKShare {
      shareInfo = Share(share.shareState.current)
      // A draft without a base keeps the members that it does not have.
      for (name, value) in [
        ("allowsAccessRequests", JSONValue.bool(false)), ("requesters", .array([])),
        ("blockedIdentities", .array([])),
      ] where otherMembers[name] == nil {
        otherMembers.set(name, to: value.raw)
      }
    }
  }

  private mutating func setFields(
    _ fields: FieldStore, isEncrypted: Bool, all: Bool
  ) throws {
    for key in (all ? fields.changed.union(fields.values.keys) : fields.changed).sorted() {
      let object = fields.values[key]
      if !fields.changed.contains(key), let known = fields.known[key], !object.hasFiles {
        if field(named: key) != known { setField(known) }
        continue
      }
      guard let value = try object.map({ try RecordValue($0) }) else {
        // A key that is no encrypted value any more may be a plain one now.
        if field(named: key)?.isEncrypted ?? isEncrypted == isEncrypted { markRemoved(key) }
        continue
      }
      setField(key, to: value, isEncrypted: isEncrypted)
    }
  }
}

extension ResultRecord {
  /// Returns the record without the fields that the object does not have.
  fileprivate func keepingFields(of state: RecordState) -> ResultRecord {
    ResultRecord(
      systemFields: systemFields,
      fields: fields.filter { field in
        (field.isEncrypted ? state.encrypted : state.plain).values[field.name] != nil
      })
  }
}

extension CKRecordValue? {
  /// Whether a value has assets, all with a file. Their content is sent again with all keys: the
  /// server may not have it any more.
  fileprivate var hasFiles: Bool {
    let assets = (self as? NSArray)?.map { $0 } ?? [self as Any]
    return !assets.isEmpty
      && assets.allSatisfy {
        guard let file = ($0 as? CKAsset)?.fileURL else { return false }
        return FileManager.default.fileExists(atPath: file.path)
      }
  }
}

extension SystemFields {
  fileprivate init(_ state: RecordState) {
    self.init(
      recordID: RecordID(state.recordID), recordType: state.recordType,
      recordChangeTag: state.recordChangeTag, created: RecordStamp(state.created),
      modified: RecordStamp(state.modified))
  }
}

extension RecordStamp {
  fileprivate init?(_ stamp: RecordState.Stamp) {
    guard stamp.date != nil || stamp.userRecordID != nil || stamp.device != nil else { return nil }
    self.init(
      date: stamp.date, userRecordName: stamp.userRecordID?.recordName, deviceID: stamp.device)
  }
}
