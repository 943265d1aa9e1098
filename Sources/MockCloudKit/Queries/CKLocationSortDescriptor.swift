import Foundation

/// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor
public class CKLocationSortDescriptor: NSSortDescriptor {
  /// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor/relativelocation
  public let relativeLocation: CLLocation

  /// https://developer.apple.com/documentation/cloudkit/cklocationsortdescriptor/init(key:relativelocation:)
  public init(key: String, relativeLocation: CLLocation) {
    self.relativeLocation = relativeLocation
    super.init(key: key, ascending: true)
  }
}
