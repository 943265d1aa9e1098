import Foundation
import RecordCoding
import RecordModel

extension DraftRecord {
  /// Translates a record to be saved.
  ///
  /// - Parameter sendingAllKeys: Whether unchanged values are sent, too.
  /// - Throws: `CKError`: `invalidArguments` for a value that CloudKit does not store.
  init(_ record: CKRecord, sendingAllKeys: Bool = false) throws {
    let state = record.state.current
    if let base = state.base {
      self.init(base)
    } else {
      self.init(systemFields: SystemFields(state))
    }
    // A parent that came with the system fields is not sent; for a record of which only these are
    // known, a draft cannot say so.
    if state.hasChangedParent || state.base == nil { parent = state.parent.map(Reference.init) }
    share = state.share.map(Reference.init)
    // A record out of an archive has no base; its unchanged values are known all the same.
    let all = sendingAllKeys && state.base == nil
    try setFields(state.plain, isEncrypted: false, all: all)
    try setFields(state.encrypted, isEncrypted: true, all: all)
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
      let value = try fields.values[key].map { try RecordValue($0) }
      // A key that is no encrypted value any more may be a plain one now.
      if value == nil, let field = field(named: key), field.isEncrypted != isEncrypted { continue }
      setField(key, to: value, isEncrypted: isEncrypted)
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
