import Foundation

extension NSCoder {
  /// Decodes an object that may be missing.
  ///
  /// In swift-corelibs-foundation a missing key ends the process, under the default failure policy.
  func optionalObject<T: NSObject & NSCoding>(of type: T.Type, forKey key: String) -> T? {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  /// Decodes an object of one of several classes that may be missing.
  func optionalObject(of types: [AnyClass], forKey key: String) -> Any? {
    containsValue(forKey: key) ? decodeObject(of: types, forKey: key) : nil
  }
}
