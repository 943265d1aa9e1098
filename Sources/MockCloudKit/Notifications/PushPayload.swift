import Foundation

/// A push of CloudKit, as the system gives it to an app.
///
/// Source: the payloads that apps have published; `CloudNotification.remoteNotificationDictionary` makes
/// the same.
struct PushPayload: @unchecked Sendable {
  let type: CKNotification.NotificationType
  /// The members about what has changed.
  let subject: [String: Any]
  private let cloudKit: [String: Any]
  private let aps: [String: Any]

  /// - Returns: Nil for a push that is not one of CloudKit.
  init?(_ dictionary: [AnyHashable: Any]) {
    guard let cloudKit = dictionary["ck"] as? [String: Any] else { return nil }
    let kinds: [(String, CKNotification.NotificationType)] = [
      ("qry", .query), ("fet", .recordZone), ("met", .database),
    ]
    for (name, type) in kinds {
      guard let subject = cloudKit[name] as? [String: Any] else { continue }
      self.type = type
      self.subject = subject
      self.cloudKit = cloudKit
      aps = dictionary["aps"] as? [String: Any] ?? [:]
      return
    }
    return nil
  }

  func integer(_ name: String) -> Int? {
    (subject[name] as? NSNumber)?.intValue ?? subject[name] as? Int
  }

  var id: String? { cloudKit["nid"] as? String }
  var containerIdentifier: String? { cloudKit["cid"] as? String }
  var userRecordName: String? { cloudKit["ckuserid"] as? String }
  var isPruned: Bool { (cloudKit["p"] as? Int ?? 0) != 0 }
  var subscriptionID: String? { subject["sid"] as? String }

  var zoneID: CKRecordZone.ID? {
    guard let name = subject["zid"] as? String else { return nil }
    let owner = subject["zoid"] as? String ?? CKCurrentUserDefaultName
    return CKRecordZone.ID(zoneName: name, ownerName: owner)
  }

  var scope: CKDatabase.Scope {
    integer("dbs").flatMap { CKDatabase.Scope(rawValue: $0) } ?? .private
  }

  // MARK: The alert

  private var alert: [String: Any] {
    (aps["alert"] as? [String: Any]) ?? (aps["alert"] as? String).map { ["body": $0] } ?? [:]
  }

  func alertText(_ name: String) -> String? { alert[name] as? String }
  func alertTexts(_ name: String) -> [String]? { alert[name] as? [String] }
  func aps(_ name: String) -> Any? { aps[name] }
}

// Deprecated in iOS 17: apps get the parts of the alert from UserNotifications.

extension CKNotification {
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertBody: String? { payload.alertText("body") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLocalizationKey: String? { payload.alertText("loc-key") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLocalizationArgs: [String]? { payload.alertTexts("loc-args") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var title: String? { payload.alertText("title") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var titleLocalizationKey: String? { payload.alertText("title-loc-key") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var titleLocalizationArgs: [String]? { payload.alertTexts("title-loc-args") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitle: String? { payload.alertText("subtitle") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitleLocalizationKey: String? { payload.alertText("subtitle-loc-key") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitleLocalizationArgs: [String]? { payload.alertTexts("subtitle-loc-args") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertActionLocalizationKey: String? { payload.alertText("action-loc-key") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLaunchImage: String? { payload.alertText("launch-image") }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var badge: NSNumber? {
    payload.aps("badge").flatMap { $0 as? NSNumber ?? ($0 as? Int).map { NSNumber(value: $0) } }
  }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var soundName: String? { payload.aps("sound") as? String }
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var category: String? { payload.aps("category") as? String }
}
