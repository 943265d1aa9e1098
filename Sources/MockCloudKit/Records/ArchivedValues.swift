import Foundation

/// The values of a record in its archive.
class ArchivedValues: NSObject, NSSecureCoding {
  let fields: FieldStore

  init(_ fields: FieldStore) { self.fields = fields }

  class var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordValueStore") }

  func encode(with coder: NSCoder) {
    coder.encode(
      NSDictionary(dictionary: fields.values), forKey: "RecordValues")
    coder.encode(NSSet(array: fields.changed.sorted()), forKey: "ChangedKeys")
  }

  required init?(coder: NSCoder) {
    let values = coder.optionalObject(of: Self.classes, forKey: "RecordValues")
    let changed = coder.optionalObject(of: [NSSet.self, NSString.self], forKey: "ChangedKeys")
    guard let values = values as? [String: Any] else { return nil }
    fields = FieldStore(
      values: values.compactMapValues(Self.objectValue),
      changed: Set((changed as? NSSet)?.compactMap { $0 as? String } ?? []))
  }

  private static let classes: [AnyClass] = [
    NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    CLLocation.self, CKRecord.Reference.self, CKAsset.self,
  ]

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
final class ArchivedEncryptedValues: ArchivedValues {
  override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKEncryptedRecordValueStore")
  }
}
