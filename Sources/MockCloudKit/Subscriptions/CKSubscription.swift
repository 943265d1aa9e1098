import Foundation
import RecordModel

/// https://developer.apple.com/documentation/cloudkit/cksubscription
public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/cksubscription/id
  public typealias ID = String

  /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum
  public enum SubscriptionType: Int, Sendable {
    /// Notifies of changes to records that match a query.
    /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum/query
    case query = 1
    /// Notifies of changes in a zone.
    /// https://developer.apple.com/documentation/cloudkit/cksubscription/subscriptiontype-swift.enum/recordzone
    case recordZone = 2
    /// Notifies of changes in the zones of a database.
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

  // MARK: Comparing, copying and coding

  // CloudKit compares subscriptions by value: one that is fetched equals the one that was saved.
  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKSubscription else { return false }
    if other === self { return true }
    guard let kind = try? CloudSubscription.Kind(self),
      let otherKind = try? CloudSubscription.Kind(other)
    else { return false }
    return subscriptionID == other.subscriptionID && kind == otherKind
      && notificationInfo?.model == other.notificationInfo?.model
  }

  /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
  public override var hash: Int { subscriptionID.hashValue }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = emptyCopy()
    copy.notificationInfo = notificationInfo
    return copy
  }

  /// A copy without the notification info.
  func emptyCopy() -> CKSubscription { CKSubscription(subscriptionID, subscriptionType) }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public class var supportsSecureCoding: Bool { true }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "\(type(of: self))")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(subscriptionID as NSString, forKey: "SubscriptionID")
    coder.encode(Int64(subscriptionType.rawValue), forKey: "SubscriptionType")
    coder.encode(notificationInfo, forKey: "NotificationInfo")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init(coder: NSCoder) {
    // The header says that it returns an object, whatever the archive.
    let id = coder.optionalObject(of: NSString.self, forKey: "SubscriptionID")
    if id == nil { coder.failWithError(CocoaError(.coderReadCorrupt)) }
    subscriptionID = id.map { String($0) } ?? ""
    subscriptionType =
      SubscriptionType(rawValue: Int(coder.decodeInt64(forKey: "SubscriptionType"))) ?? .database
    super.init()
    notificationInfo = coder.optionalObject(
      of: CKSubscription.NotificationInfo.self, forKey: "NotificationInfo")
  }
}
