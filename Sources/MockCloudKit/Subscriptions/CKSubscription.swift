import Foundation
import RecordModel

public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public typealias ID = String

  public enum SubscriptionType: Int, Sendable {
    /// Notifies of changes to records that match a query.
    case query = 1
    /// Notifies of changes in a zone.
    case recordZone = 2
    /// Notifies of changes in the zones of a database.
    case database = 3
  }

  public let subscriptionID: CKSubscription.ID
  public let subscriptionType: CKSubscription.SubscriptionType
  private let info = Locked<CKSubscription.NotificationInfo?>(nil)

  init(_ subscriptionID: CKSubscription.ID, _ type: SubscriptionType) {
    self.subscriptionID = subscriptionID
    subscriptionType = type
    super.init()
  }

  public var notificationInfo: CKSubscription.NotificationInfo? {
    get { info.current }
    set { info.with { $0 = newValue.map { NotificationInfo($0.model) } } }
  }

  // MARK: Comparing, copying and coding

  // CloudKit compares subscriptions by value: one that is fetched equals the one that was saved.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKSubscription else { return false }
    if other === self { return true }
    guard let kind = try? CloudSubscription.Kind(self),
      let otherKind = try? CloudSubscription.Kind(other)
    else { return false }
    return subscriptionID == other.subscriptionID && kind == otherKind
      && notificationInfo?.model == other.notificationInfo?.model
  }

  public override var hash: Int { subscriptionID.hashValue }

  public override var description: String {
    described(["subscriptionID": subscriptionID, "subscriptionType": subscriptionType])
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = emptyCopy()
    copy.notificationInfo = notificationInfo
    return copy
  }

  /// A copy without the notification info.
  func emptyCopy() -> CKSubscription { CKSubscription(subscriptionID, subscriptionType) }

  public class var supportsSecureCoding: Bool { true }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "\(type(of: self))")
  }

  public func encode(with coder: NSCoder) {
    coder.encode(subscriptionID as NSString, forKey: "SubscriptionID")
    coder.encode(Int64(subscriptionType.rawValue), forKey: "SubscriptionType")
    coder.encode(notificationInfo, forKey: "NotificationInfo")
  }

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
