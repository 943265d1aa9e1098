#if os(Linux)
  import Foundation

  extension UserDefaults {
    // Linux has no key-value coding, and apps store their change tokens by this method.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  }
#endif
