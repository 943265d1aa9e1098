import AppleFoundation
import Foundation

/// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor
public class CKLocationSortDescriptor: NSSortDescriptor {
  /// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor/relativelocation
  public let relativeLocation: CLLocation

  #if os(Linux)
    package let fieldKey: String?

    /// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor/init(key:relativelocation:)
    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      fieldKey = key
      super.init(keyPath: \String.self, ascending: true)
    }
  #else
    /// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor/init(key:relativelocation:)
    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      super.init(key: key, ascending: true, selector: nil)
    }

    /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
    public required init?(coder: NSCoder) {
      guard
        let location = coder.decodeObject(of: CLLocation.self, forKey: "relativeLocation")
      else { return nil }
      relativeLocation = location
      super.init(coder: coder)
    }

    /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
    public override func encode(with coder: NSCoder) {
      super.encode(with: coder)
      coder.encode(relativeLocation, forKey: "relativeLocation")
    }
  #endif
}

#if os(Linux)
  extension CKLocationSortDescriptor: KeyedSorting {}
#endif
