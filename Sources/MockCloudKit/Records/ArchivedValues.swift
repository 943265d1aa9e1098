import Foundation

/// The values of a record in its archive.
class ArchivedValues: NSObject, NSSecureCoding {
  let fields: FieldStore

  init(_ fields: FieldStore) { self.fields = fields }

  class var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordValueStore") }

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
