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
    // swift-corelibs-foundation archives equal objects once: 2 and 2.0 have one type in the archive,
    // and a large integer the value of a double that is near to it.
    let doubles = fields.values.filter { Self.isDouble($0.value) }
    coder.encode(NSSet(array: doubles.keys.sorted()), forKey: "RecordPackDoubles")
    let integers = fields.values.compactMapValues(Self.texts(ofIntegersIn:))
    coder.encode(NSDictionary(dictionary: integers), forKey: "RecordPackIntegers")
  }

  required init?(coder: NSCoder) {
    let values = coder.optionalObject(of: Self.classes, forKey: "RecordValues")
    func names(_ key: String) -> Set<String>? {
      (coder.optionalObject(of: [NSSet.self, NSString.self], forKey: key) as? NSSet)
        .map { Set($0.compactMap { $0 as? String }) }
    }
    guard let values = values as? [String: Any] else { return nil }
    let doubles = names("RecordPackDoubles")
    let integers =
      coder.optionalObject(
        of: [NSDictionary.self, NSArray.self, NSString.self], forKey: "RecordPackIntegers")
      as? [String: [String]] ?? [:]
    // Foundation unarchives strings, dates and lists as Swift values.
    var objects: [String: any CKRecordValue] = [:]
    for (key, value) in values {
      guard let object = recordObject(value) else { continue }
      objects[key] = doubles.map { Self.number(object, asDouble: $0.contains(key)) } ?? object
      let numbers = (integers[key] ?? []).compactMap { Int64($0) }.map { NSNumber(value: $0) }
      guard let first = numbers.first else { continue }
      objects[key] = object is NSArray ? NSArray(array: numbers) : first
    }
    fields = FieldStore(values: objects, changed: names("ChangedKeys") ?? [])
  }

  /// The decimal digits of an integer, or of a list of integers, that a double does not have exactly.
  private static func texts(ofIntegersIn value: any CKRecordValue) -> NSArray? {
    let elements = (value as? NSArray)?.map { $0 } ?? [value]
    let numbers = elements.compactMap { $0 as? NSNumber }
    guard numbers.count == elements.count, !isDouble(value),
      numbers.contains(where: { $0.int64Value.magnitude > 1 << 53 })
    else { return nil }
    return NSArray(array: numbers.map { $0.stringValue as NSString })
  }

  /// Whether a value is a double, or a list with one.
  private static func isDouble(_ value: Any) -> Bool {
    if let list = value as? NSArray { return list.contains { isDouble($0) } }
    guard let number = value as? NSNumber else { return false }
    return ["d", "f"].contains(String(cString: number.objCType))
  }

  /// Returns a number, or a list of numbers, in its type; other values as they are.
  private static func number(
    _ value: any CKRecordValue, asDouble: Bool
  ) -> any CKRecordValue {
    if let list = value as? NSArray {
      return NSArray(
        array: list.map { element in
          (element as? NSNumber).map { number($0, asDouble: asDouble) } ?? element
        })
    }
    guard let original = value as? NSNumber, isDouble(original) != asDouble else { return value }
    if asDouble { return NSNumber(value: original.doubleValue) }
    return Int64(exactly: original.doubleValue).map { NSNumber(value: $0) } ?? original
  }

  private static let classes: [AnyClass] = [
    NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    CLLocation.self, CKRecord.Reference.self, CKAsset.self,
  ]
}

/// The encrypted values of a record in its archive.
final class ArchivedEncryptedValues: ArchivedValues {
  override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKEncryptedRecordValueStore")
  }
}
