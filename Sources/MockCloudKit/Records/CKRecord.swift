import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckrecord
public class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting,
  @unchecked Sendable
{
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/recordtype-swift.typealias
  public typealias RecordType = String
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/fieldkey
  public typealias FieldKey = String

  let state: Locked<RecordState>

  init(_ state: RecordState) {
    ArchiveNames.register()
    self.state = Locked(state)
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/init(recordtype:recordid:)
  public convenience init(
    recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()
  ) {
    if recordType.isEmpty { ClientException.raise("a record type must not be empty") }
    self.init(RecordState(recordType: recordType, recordID: recordID))
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/init(recordtype:zoneid:)
  @available(*, deprecated, renamed: "init(recordType:recordID:)")
  public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
    self.init(recordType: recordType, recordID: CKRecord.ID(zoneID: zoneID))
  }

  // MARK: System fields

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/recordtype-swift.property
  public var recordType: CKRecord.RecordType { state.with { $0.recordType } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/recordid
  public var recordID: CKRecord.ID { state.with { $0.recordID } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/recordchangetag
  public var recordChangeTag: String? { state.with { $0.recordChangeTag } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/creatoruserrecordid
  public var creatorUserRecordID: CKRecord.ID? { state.with { $0.created.userRecordID } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/creationdate
  public var creationDate: Date? { state.with { $0.created.date } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/lastmodifieduserrecordid
  public var lastModifiedUserRecordID: CKRecord.ID? { state.with { $0.modified.userRecordID } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/modificationdate
  public var modificationDate: Date? { state.with { $0.modified.date } }
  /// https://developer.apple.com/documentation/cloudkit/ckrecord/share
  public var share: CKRecord.Reference? { state.with { $0.share } }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/parent
  public var parent: CKRecord.Reference? {
    get { state.with { $0.parent } }
    set {
      guard newValue?.action != .deleteSelf else {
        return ClientException.raise("a parent reference has the action none")
      }
      state.with {
        $0.parent = newValue
        $0.hasChangedParent = true
      }
    }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/setparent(_:)
  public func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/setparent(_:)
  public func setParent(_ parentRecordID: CKRecord.ID?) {
    parent = parentRecordID.map { CKRecord.Reference(recordID: $0, action: .none) }
  }

  // MARK: Values

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/object(forkey:)
  public func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    state.with { $0.plain.values[key] }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/setobject(_:forkey:)
  public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
    withRecordObject(object) { stored in state.with { $0.plain.set(stored, for: key) } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/subscript(_:)
  public subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  // Key-value coding, which objects on Linux do not have.
  #if os(Linux)
    /// https://developer.apple.com/documentation/objectivec/nsobject/value(forkey:)
    public func value(forKey key: String) -> Any? {
      systemValue(forKey: key) ?? object(forKey: key)
    }

    /// https://developer.apple.com/documentation/objectivec/nsobject/setvalue(_:forkey:)
    public func setValue(_ value: Any?, forKey key: String) {
      withRecordObject(value) { setObject($0, forKey: key) }
    }
  #else
    /// https://developer.apple.com/documentation/objectivec/nsobject/value(forkey:)
    public override func value(forKey key: String) -> Any? {
      systemValue(forKey: key) ?? object(forKey: key)
    }

    /// https://developer.apple.com/documentation/objectivec/nsobject/setvalue(_:forkey:)
    public override func setValue(_ value: Any?, forKey key: String) {
      withRecordObject(value) { setObject($0, forKey: key) }
    }
  #endif

  private func systemValue(forKey key: String) -> Any? {
    switch key {
    case SystemFieldKey.recordID: recordID
    case SystemFieldKey.creatorUserRecordID: creatorUserRecordID
    case SystemFieldKey.creationDate: creationDate
    case SystemFieldKey.lastModifiedUserRecordID: lastModifiedUserRecordID
    case SystemFieldKey.modificationDate: modificationDate
    case "recordType": recordType
    case "recordChangeTag": recordChangeTag
    default: nil
    }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/allkeys()
  public func allKeys() -> [CKRecord.FieldKey] { state.with { $0.plain.values.keys.sorted() } }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/changedkeys()
  public func changedKeys() -> [CKRecord.FieldKey] { state.with { $0.plain.changed.sorted() } }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/encryptedvalues
  public var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(state) }

  // MARK: Copying and coding

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { CKRecord(state.current) }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    ArchiveNames.register()
    guard var state = RecordState(coder: coder) else { return nil }
    state.decodeValues(from: coder)
    self.state = Locked(state)
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/encodesystemfields(with:)
  public func encodeSystemFields(with coder: NSCoder) {
    state.current.encodeSystemFields(to: coder)
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecord") }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    encodeSystemFields(with: coder)
    state.current.encodeValues(to: coder)
  }
}
