import Foundation

/// https://developer.apple.com/documentation/foundation/nssortdescriptor
public class NSSortDescriptor: NSObject, NSCopying {
  /// https://developer.apple.com/documentation/foundation/nssortdescriptor/key
  public let key: String?
  /// https://developer.apple.com/documentation/foundation/nssortdescriptor/ascending
  public let ascending: Bool

  /// https://developer.apple.com/documentation/foundation/nssortdescriptor/init(key:ascending:)
  public init(key: String?, ascending: Bool) {
    self.key = key
    self.ascending = ascending
    super.init()
  }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }
}
