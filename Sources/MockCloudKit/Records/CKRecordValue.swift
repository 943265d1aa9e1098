import Foundation

// On Apple's platforms only classes conform, and the compiler bridges `"a" as CKRecordValue`. On Linux
// Swift's own values conform, because `value as? CKRecordValue` does not bridge there.
#if os(Linux)
  public protocol __CKRecordObjCValue {}
#else
  public protocol __CKRecordObjCValue: NSObjectProtocol {}
#endif

public typealias CKRecordValue = __CKRecordObjCValue

extension NSString: __CKRecordObjCValue {}
extension NSNumber: __CKRecordObjCValue {}
extension NSArray: __CKRecordObjCValue {}
extension NSDate: __CKRecordObjCValue {}
extension NSData: __CKRecordObjCValue {}
extension CKRecord.Reference: __CKRecordObjCValue {}
extension CKAsset: __CKRecordObjCValue {}
extension CLLocation: __CKRecordObjCValue {}

#if os(Linux)
  extension String: __CKRecordObjCValue {}
  extension Date: __CKRecordObjCValue {}
  extension Data: __CKRecordObjCValue {}
  extension Bool: __CKRecordObjCValue {}
  extension Double: __CKRecordObjCValue {}
  extension Float: __CKRecordObjCValue {}
  extension Int: __CKRecordObjCValue {}
  extension UInt: __CKRecordObjCValue {}
  extension Int8: __CKRecordObjCValue {}
  extension UInt8: __CKRecordObjCValue {}
  extension Int16: __CKRecordObjCValue {}
  extension UInt16: __CKRecordObjCValue {}
  extension Int32: __CKRecordObjCValue {}
  extension UInt32: __CKRecordObjCValue {}
  extension Int64: __CKRecordObjCValue {}
  extension UInt64: __CKRecordObjCValue {}
  extension Array: __CKRecordObjCValue {}
#endif

public protocol CKRecordValueProtocol {}

extension String: CKRecordValueProtocol {}
extension Date: CKRecordValueProtocol {}
extension Data: CKRecordValueProtocol {}
extension Bool: CKRecordValueProtocol {}
extension Double: CKRecordValueProtocol {}
extension Int: CKRecordValueProtocol {}
extension UInt: CKRecordValueProtocol {}
extension Int8: CKRecordValueProtocol {}
extension UInt8: CKRecordValueProtocol {}
extension Int16: CKRecordValueProtocol {}
extension UInt16: CKRecordValueProtocol {}
extension Int32: CKRecordValueProtocol {}
extension UInt32: CKRecordValueProtocol {}
extension Int64: CKRecordValueProtocol {}
extension UInt64: CKRecordValueProtocol {}
extension Float: CKRecordValueProtocol {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension NSString: CKRecordValueProtocol {}
extension NSDate: CKRecordValueProtocol {}
extension NSData: CKRecordValueProtocol {}
extension NSNumber: CKRecordValueProtocol {}
extension NSArray: CKRecordValueProtocol {}
extension CKRecord.Reference: CKRecordValueProtocol {}
extension CKAsset: CKRecordValueProtocol {}
extension CLLocation: CKRecordValueProtocol {}

/// Returns a value as the object that a record stores; nil for a value of another type.
///
/// A record stores a copy of a mutable object: a change of the object would not be a change of the
/// record.
func recordObject(_ value: Any) -> (any CKRecordValue)? {
  switch value {
  // The order matters: Foundation converts between Swift's values and its own.
  case let text as NSMutableString: NSString(string: String(text))
  case let bytes as NSMutableData: NSData(data: bytes as Data)
  case let list as NSArray: recordList(list.map { $0 })
  case let object as NSObject & CKRecordValue: object
  case let value as String: value as NSString
  case let value as Date: value as NSDate
  case let value as Data: value as NSData
  case let value as Bool: NSNumber(value: value)
  case let value as Double: NSNumber(value: value)
  case let value as Float: NSNumber(value: value)
  case let value as any BinaryInteger: number(value)
  case let values as [Any]: recordList(values)
  default: nil
  }
}

private func recordList(_ values: [Any]) -> NSArray? {
  let objects = values.compactMap(recordObject)
  return objects.count == values.count ? NSArray(array: objects) : nil
}

/// Calls `body` with the object that a record stores, or nil for nil.
///
/// Apple's framework raises an exception for a value of another type (Apple's documentation of
/// `CKRecord`, "Supported Data Types").
func withRecordObject(_ value: Any?, _ body: ((any CKRecordValue)?) -> Void) {
  guard let value else { return body(nil) }
  guard let object = recordObject(value) else {
    return ClientException.raise("\(type(of: value)) is not a type that a record stores")
  }
  body(object)
}

private func number(_ value: some BinaryInteger) -> NSNumber {
  Int64(exactly: value).map { NSNumber(value: $0) }
    ?? NSNumber(value: UInt64(truncatingIfNeeded: value))
}
