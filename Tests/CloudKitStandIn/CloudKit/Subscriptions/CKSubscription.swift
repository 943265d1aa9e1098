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

/// https://developer.apple.com/documentation/cloudkit/ckquerysubscription
public class CKQuerySubscription: CKSubscription, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options
  public struct Options: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/swift/optionset/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options/firesonrecordcreation
    public static let firesOnRecordCreation = Options(rawValue: 1 << 0)
    /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options/firesonrecordupdate
    public static let firesOnRecordUpdate = Options(rawValue: 1 << 1)
    /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options/firesonrecorddeletion
    public static let firesOnRecordDeletion = Options(rawValue: 1 << 2)
    /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/options/firesonce
    public static let firesOnce = Options(rawValue: 1 << 3)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/recordtype
  public var recordType: CKRecord.RecordType? { type }
  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/predicate
  public let predicate: NSPredicate
  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/querysubscriptionoptions
  public let querySubscriptionOptions: CKQuerySubscription.Options
  let type: String
  private let zone = Locked<CKRecordZone.ID?>(nil)

  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/init(recordtype:predicate:subscriptionid:options:)
  public init(
    recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
    options querySubscriptionOptions: CKQuerySubscription.Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  ) {
    precondition(
      !querySubscriptionOptions.subtracting(.firesOnce).isEmpty,
      "a query subscription fires on a creation, an update or a deletion")
    type = recordType
    self.predicate = predicate
    self.querySubscriptionOptions = querySubscriptionOptions
    super.init(subscriptionID, .query)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckquerysubscription/zoneid
  public var zoneID: CKRecordZone.ID? {
    get { zone.current }
    set { zone.with { $0 = newValue } }
  }
}

/// https://developer.apple.com/documentation/cloudkit/ckrecordzonesubscription
public class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzonesubscription/zoneid
  public let zoneID: CKRecordZone.ID
  private let type = Locked<CKRecord.RecordType?>(nil)

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzonesubscription/init(zoneid:subscriptionid:)
  public init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
    self.zoneID = zoneID
    super.init(subscriptionID, .recordZone)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzonesubscription/recordtype
  public var recordType: CKRecord.RecordType? {
    get { type.current }
    set { type.with { $0 = newValue } }
  }
}

/// https://developer.apple.com/documentation/cloudkit/ckdatabasesubscription
public class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
  private let type = Locked<CKRecord.RecordType?>(nil)

  /// https://developer.apple.com/documentation/cloudkit/ckdatabasesubscription/init(subscriptionid:)
  public init(subscriptionID: CKSubscription.ID) { super.init(subscriptionID, .database) }

  /// https://developer.apple.com/documentation/cloudkit/ckdatabasesubscription/recordtype
  public var recordType: CKRecord.RecordType? {
    get { type.current }
    set { type.with { $0 = newValue } }
  }
}
