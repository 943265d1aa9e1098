import Foundation

public class CKNotification: NSObject, @unchecked Sendable {
  public final class ID: NSObject, NSCopying, @unchecked Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    public override func isEqual(_ object: Any?) -> Bool { (object as? ID)?.name == name }

    public override var hash: Int { name.hashValue }

    public func copy(with zone: NSZone? = nil) -> Any { self }
  }

  public enum NotificationType: Int, Sendable {
    /// A record that meets the query of a subscription was changed.
    case query = 1
    /// A zone with a subscription was changed.
    case recordZone = 2
    /// The app marked a notification as read.
    case readNotification = 3
    /// A database with a subscription was changed.
    case database = 4
  }

  let payload: PushPayload

  init(_ payload: PushPayload) {
    self.payload = payload
    super.init()
  }

  public override var description: String {
    described(["notificationType": notificationType, "subscriptionID": subscriptionID])
  }

  public var notificationType: CKNotification.NotificationType { payload.type }
  public var notificationID: CKNotification.ID? { payload.id.map { ID($0) } }
  public var containerIdentifier: String? { payload.containerIdentifier }
  public var subscriptionOwnerUserRecordID: CKRecord.ID? {
    payload.userRecordName.map { CKRecord.ID(recordName: $0) }
  }
  // The mock leaves nothing out.
  public var isPruned: Bool { payload.isPruned }
  public var subscriptionID: CKSubscription.ID? { payload.subscriptionID }
}

/// Has the initializer of `CKNotification`, whose objects belong to subclasses, as in Objective-C: only the
/// extension of a protocol can assign `self`.
public protocol __CKNotificationMaking {}

extension CKNotification: __CKNotificationMaking {}

extension __CKNotificationMaking {
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

public class CKQueryNotification: CKNotification, @unchecked Sendable {
  public enum Reason: Int, Sendable {
    /// A record was created.
    case recordCreated = 1
    /// A record was updated.
    case recordUpdated = 2
    /// A record was deleted.
    case recordDeleted = 3
  }

  public var queryNotificationReason: CKQueryNotification.Reason {
    payload.integer("fo").flatMap { Reason(rawValue: $0) } ?? .recordUpdated
  }
  public var recordFields: [String: Any]? { payload.subject["af"] as? [String: Any] }
  public var recordID: CKRecord.ID? {
    guard let name = payload.subject["rid"] as? String else { return nil }
    return CKRecord.ID(recordName: name, zoneID: payload.zoneID ?? .default)
  }
  public var databaseScope: CKDatabase.Scope { payload.scope }
}

public class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
  public var recordZoneID: CKRecordZone.ID? { payload.zoneID }
  public var databaseScope: CKDatabase.Scope { payload.scope }
}

public class CKDatabaseNotification: CKNotification, @unchecked Sendable {
  public var databaseScope: CKDatabase.Scope { payload.scope }
}
