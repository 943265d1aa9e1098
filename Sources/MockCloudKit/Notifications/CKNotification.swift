import Foundation

/// https://developer.apple.com/documentation/cloudkit/cknotification
public class CKNotification: NSObject, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/cknotification/id
  public final class ID: NSObject, NSCopying, @unchecked Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/isequal(_:)
    public override func isEqual(_ object: Any?) -> Bool { (object as? ID)?.name == name }

    /// https://developer.apple.com/documentation/objectivec/nsobjectprotocol/hash
    public override var hash: Int { name.hashValue }

    /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
    public func copy(with zone: NSZone? = nil) -> Any { self }
  }

  /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.enum
  public enum NotificationType: Int, Sendable {
    /// A record that meets the query of a subscription was changed.
    /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.enum/query
    case query = 1
    /// A zone with a subscription was changed.
    /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.enum/recordzone
    case recordZone = 2
    /// The app marked a notification as read.
    /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.enum/readnotification
    case readNotification = 3
    /// A database with a subscription was changed.
    /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.enum/database
    case database = 4
  }

  let payload: PushPayload

  init(_ payload: PushPayload) {
    self.payload = payload
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationtype-swift.property
  public var notificationType: CKNotification.NotificationType { payload.type }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/notificationid
  public var notificationID: CKNotification.ID? { payload.id.map { ID($0) } }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/containeridentifier
  public var containerIdentifier: String? { payload.containerIdentifier }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/subscriptionowneruserrecordid
  public var subscriptionOwnerUserRecordID: CKRecord.ID? {
    payload.userRecordName.map { CKRecord.ID(recordName: $0) }
  }
  // The mock leaves nothing out.
  /// https://developer.apple.com/documentation/cloudkit/cknotification/ispruned
  public var isPruned: Bool { payload.isPruned }
  /// https://developer.apple.com/documentation/cloudkit/cknotification/subscriptionid
  public var subscriptionID: CKSubscription.ID? { payload.subscriptionID }
}

/// Has the initializer of `CKNotification`, whose objects belong to subclasses, as in Objective-C: only the
/// extension of a protocol can assign `self`.
public protocol __CKNotificationMaking {}

extension CKNotification: __CKNotificationMaking {}

extension __CKNotificationMaking {
  /// https://developer.apple.com/documentation/cloudkit/cknotification/init(fromremotenotificationdictionary:)
  public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
    guard let payload = PushPayload(notificationDictionary) else { return nil }
    let notification: CKNotification =
      switch payload.type {
      case .query: CKQueryNotification(payload)
      case .recordZone: CKRecordZoneNotification(payload)
      case .database: CKDatabaseNotification(payload)
      case .readNotification: CKNotification(payload)
      }
    guard let notification = notification as? Self else { return nil }
    self = notification
  }
}

/// https://developer.apple.com/documentation/cloudkit/ckquerynotification
public class CKQueryNotification: CKNotification, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/reason
  public enum Reason: Int, Sendable {
    /// A record was created.
    /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/reason/recordcreated
    case recordCreated = 1
    /// A record was updated.
    /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/reason/recordupdated
    case recordUpdated = 2
    /// A record was deleted.
    /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/reason/recorddeleted
    case recordDeleted = 3
  }

  /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/querynotificationreason
  public var queryNotificationReason: CKQueryNotification.Reason {
    payload.integer("fo").flatMap { Reason(rawValue: $0) } ?? .recordUpdated
  }
  /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/recordfields
  public var recordFields: [String: Any]? { payload.subject["af"] as? [String: Any] }
  /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/recordid
  public var recordID: CKRecord.ID? {
    guard let name = payload.subject["rid"] as? String else { return nil }
    return CKRecord.ID(recordName: name, zoneID: payload.zoneID ?? .default)
  }
  /// https://developer.apple.com/documentation/cloudkit/ckquerynotification/databasescope
  public var databaseScope: CKDatabase.Scope { payload.scope }
}

/// https://developer.apple.com/documentation/cloudkit/ckrecordzonenotification
public class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzonenotification/recordzoneid
  public var recordZoneID: CKRecordZone.ID? { payload.zoneID }
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzonenotification/databasescope
  public var databaseScope: CKDatabase.Scope { payload.scope }
}

/// https://developer.apple.com/documentation/cloudkit/ckdatabasenotification
public class CKDatabaseNotification: CKNotification, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckdatabasenotification/databasescope
  public var databaseScope: CKDatabase.Scope { payload.scope }
}
