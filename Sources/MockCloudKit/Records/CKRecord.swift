import Foundation

public class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting,
  @unchecked Sendable
{
  public typealias RecordType = String
  public typealias FieldKey = String

  let state: Locked<RecordState>

  init(_ state: RecordState) {
    ArchiveNames.register()
    self.state = Locked(state)
    super.init()
  }

  public convenience init(
    recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()
  ) {
    if recordType.isEmpty { ClientException.raise("a record type must not be empty") }
    self.init(RecordState(recordType: recordType, recordID: recordID))
  }

  @available(*, deprecated, renamed: "init(recordType:recordID:)")
  public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
    self.init(recordType: recordType, recordID: CKRecord.ID(zoneID: zoneID))
  }

  // MARK: System fields

  public var recordType: CKRecord.RecordType { state.with { $0.recordType } }
  public var recordID: CKRecord.ID { state.with { $0.recordID } }
  public var recordChangeTag: String? { state.with { $0.recordChangeTag } }
  public var creatorUserRecordID: CKRecord.ID? { state.with { $0.created.userRecordID } }
  public var creationDate: Date? { state.with { $0.created.date } }
  public var lastModifiedUserRecordID: CKRecord.ID? { state.with { $0.modified.userRecordID } }
  public var modificationDate: Date? { state.with { $0.modified.date } }
  public var share: CKRecord.Reference? { state.with { $0.share } }

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

  public func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

  public func setParent(_ parentRecordID: CKRecord.ID?) {
    parent = parentRecordID.map { CKRecord.Reference(recordID: $0, action: .none) }
  }

  // MARK: Values

  public func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    state.with { $0.plain.values[key] }
  }

  public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
    withRecordObject(object) { stored in state.with { $0.plain.set(stored, for: key) } }
  }

  public subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
    get { object(forKey: key) }
    set { setObject(newValue, forKey: key) }
  }

  // Key-value coding, which objects on Linux do not have.
  #if os(Linux)
    public func value(forKey key: String) -> Any? {
      systemValue(forKey: key) ?? object(forKey: key)
    }

    public func setValue(_ value: Any?, forKey key: String) {
      withRecordObject(value) { setObject($0, forKey: key) }
    }
  #else
    public override func value(forKey key: String) -> Any? {
      systemValue(forKey: key) ?? object(forKey: key)
    }

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

  public func allKeys() -> [CKRecord.FieldKey] { state.with { $0.plain.values.keys.sorted() } }

  public func changedKeys() -> [CKRecord.FieldKey] { state.with { $0.plain.changed.sorted() } }

  public var encryptedValues: any CKRecordKeyValueSetting & Sendable { EncryptedValues(state) }

  // Without the encrypted values.
  public override var description: String {
    let state = state.current
    let id = state.recordID.shortText
    let values = ValueText.of(state.plain.values)
    guard let tag = state.recordChangeTag else {
      return described(["recordID": id, "values": values, "recordType": state.recordType])
    }
    return described([
      "recordID": id, "recordChangeTag": tag, "values": values, "recordType": state.recordType,
    ])
  }

  // MARK: Copying and coding

  public func copy(with zone: NSZone? = nil) -> Any { CKRecord(state.current) }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public required init?(coder: NSCoder) {
    ArchiveNames.register()
    guard var state = RecordState(coder: coder) else { return nil }
    state.decodeValues(from: coder)
    self.state = Locked(state)
    super.init()
  }

  public func encodeSystemFields(with coder: NSCoder) {
    state.current.encodeSystemFields(to: coder)
  }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecord") }

  public func encode(with coder: NSCoder) {
    encodeSystemFields(with: coder)
    state.current.encodeValues(to: coder)
  }
}
