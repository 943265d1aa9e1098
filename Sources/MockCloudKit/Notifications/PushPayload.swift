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
  /// https://developer.apple.com/documentation/cloudkit/cknotification/alertbody
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertBody: String? { payload.alertText("body") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/alertlocalizationkey
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLocalizationKey: String? { payload.alertText("loc-key") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/alertlocalizationargs
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLocalizationArgs: [String]? { payload.alertTexts("loc-args") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/title
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var title: String? { payload.alertText("title") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/titlelocalizationkey
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var titleLocalizationKey: String? { payload.alertText("title-loc-key") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/titlelocalizationargs
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var titleLocalizationArgs: [String]? { payload.alertTexts("title-loc-args") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/subtitle
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitle: String? { payload.alertText("subtitle") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/subtitlelocalizationkey
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitleLocalizationKey: String? { payload.alertText("subtitle-loc-key") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/subtitlelocalizationargs
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var subtitleLocalizationArgs: [String]? { payload.alertTexts("subtitle-loc-args") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/alertactionlocalizationkey
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertActionLocalizationKey: String? { payload.alertText("action-loc-key") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/alertlaunchimage
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var alertLaunchImage: String? { payload.alertText("launch-image") }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/badge
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var badge: NSNumber? {
    payload.aps("badge").flatMap { $0 as? NSNumber ?? ($0 as? Int).map { NSNumber(value: $0) } }
  }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/soundname
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var soundName: String? { payload.aps("sound") as? String }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/category
  @available(*, deprecated, message: "Interact with UI elements via UserNotifications.framework")
  public var category: String? { payload.aps("category") as? String }
}
