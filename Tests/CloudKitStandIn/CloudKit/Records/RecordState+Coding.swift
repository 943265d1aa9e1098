import CoreLocation
import Foundation

extension RecordState {
  /// The keys lie at the top of the archive, as CloudKit writes them.
  func encodeSystemFields(to coder: NSCoder) {
    coder.encode(recordType as NSString, forKey: "RecordType")
    coder.encode(recordID, forKey: "RecordID")
    coder.encode(recordChangeTag.map { $0 as NSString }, forKey: "ETag")
    coder.encode(created.date.map { $0 as NSDate }, forKey: "RecordCtime")
    coder.encode(modified.date.map { $0 as NSDate }, forKey: "RecordMtime")
    coder.encode(created.userRecordID, forKey: "CreatorUserRecordID")
    coder.encode(modified.userRecordID, forKey: "LastModifiedUserRecordID")
    coder.encode(modified.device.map { $0 as NSString }, forKey: "ModifiedByDevice")
    coder.encode(parent, forKey: "ParentReference")
    coder.encode(share, forKey: "ShareReference")
    coder.encode(recordChangeTag != nil, forKey: "KnownToServer")
  }

  init?(coder: NSCoder) {
    guard let type = coder.optionalObject(of: NSString.self, forKey: "RecordType"),
      let id = coder.optionalObject(of: CKRecord.ID.self, forKey: "RecordID")
    else { return nil }
    func string(_ key: String) -> String? {
      coder.optionalObject(of: NSString.self, forKey: key).map { String($0) }
    }
    func date(_ key: String) -> Date? {
      coder.optionalObject(of: NSDate.self, forKey: key).map { $0 as Date }
    }
    self.init(recordType: String(type), recordID: id)
    recordChangeTag = string("ETag")
    created.date = date("RecordCtime")
    created.userRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "CreatorUserRecordID")
    modified.date = date("RecordMtime")
    modified.userRecordID = coder.optionalObject(
      of: CKRecord.ID.self, forKey: "LastModifiedUserRecordID")
    modified.device = string("ModifiedByDevice")
    parent = coder.optionalObject(of: CKRecord.Reference.self, forKey: "ParentReference")
    share = coder.optionalObject(of: CKRecord.Reference.self, forKey: "ShareReference")
  }

  func encodeValues(to coder: NSCoder) {
    coder.encode(ArchivedValues(plain), forKey: "ValueStore")
    coder.encode(ArchivedEncryptedValues(encrypted), forKey: "EncryptedValueStore")
  }

  mutating func decodeValues(from coder: NSCoder) {
    if let values = coder.optionalObject(of: ArchivedValues.self, forKey: "ValueStore") {
      plain = values.fields
    }
    let key = "EncryptedValueStore"
    if let values = coder.optionalObject(of: ArchivedEncryptedValues.self, forKey: key) {
      encrypted = values.fields
    }
  }
}

/// The values of a record in its archive.
class ArchivedValues: NSObject, NSSecureCoding {
  let fields: FieldStore

  init(_ fields: FieldStore) { self.fields = fields }

  class var supportsSecureCoding: Bool { true }

  func encode(with coder: NSCoder) {
    coder.encode(
      NSDictionary(dictionary: fields.values.mapValues(Self.archived)), forKey: "RecordValues")
    coder.encode(NSSet(array: fields.changed.sorted()), forKey: "ChangedKeys")
  }

  required init?(coder: NSCoder) {
    let values = coder.optionalObject(of: Self.classes, forKey: "RecordValues")
    let changed = coder.optionalObject(of: [NSSet.self, NSString.self], forKey: "ChangedKeys")
    guard let values = values as? [String: Any] else { return nil }
    fields = FieldStore(
      values: values.compactMapValues(Self.unarchived),
      changed: Set((changed as? NSSet)?.compactMap { $0 as? String } ?? []))
  }

  private static let classes: [AnyClass] = [
    NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    CLLocation.self, CKRecord.Reference.self, ArchivedAsset.self,
  ]

  private static func archived(_ value: any CKRecordValue) -> Any {
    switch value {
    case let asset as CKAsset: ArchivedAsset(asset)
    case let array as NSArray:
      NSArray(array: array.map { ($0 as? CKAsset).map(ArchivedAsset.init) ?? $0 })
    default: value
    }
  }

  private static func unarchived(_ value: Any) -> (any CKRecordValue)? {
    switch value {
    case let asset as ArchivedAsset: asset.asset
    case let array as [Any]: NSArray(array: array.map { ($0 as? ArchivedAsset)?.asset ?? $0 })
    default: objectValue(value)
    }
  }

  /// Foundation unarchives strings, numbers and dates as Swift values.
  private static func objectValue(_ value: Any) -> (any CKRecordValue)? {
    switch value {
    case let object as any CKRecordValue: object
    case let value as String: value as NSString
    case let value as Date: value as NSDate
    case let value as Data: value as NSData
    case let value as NSNumber: value
    default: nil
    }
  }
}

/// The encrypted values of a record in its archive.
final class ArchivedEncryptedValues: ArchivedValues {}
