import Foundation

/// https://developer.apple.com/documentation/cloudkit/cksubscription
public class CKSubscription: NSObject, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/cksubscription/id
  public typealias ID = String

  /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum
  public enum SubscriptionType: Int, Sendable {
    /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum/query
    case query = 1
    /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum/recordzone
    case recordZone = 2
    /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum/database
    case database = 3
  }

  /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptionid
  public let subscriptionID: CKSubscription.ID
  /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.property
  public let subscriptionType: CKSubscription.SubscriptionType
  private let info = Locked<CKSubscription.NotificationInfo?>(nil)

  init(_ subscriptionID: CKSubscription.ID, _ type: SubscriptionType) {
    self.subscriptionID = subscriptionID
    subscriptionType = type
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/cksubscription/notificationinfo-swift.property
  public var notificationInfo: CKSubscription.NotificationInfo? {
    get { info.current }
    set { info.with { $0 = newValue.map { NotificationInfo($0.model) } } }
  }
}
