#if os(Linux)
  import Foundation

  extension UserDefaults {
    // Linux has no key-value coding, and apps store their change tokens by this method.
    /// https://developer.apple.com/documentation/foundation/nsuserdefaults/setvalue(_:forkey:)
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }
  }
#endif
