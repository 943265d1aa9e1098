import Foundation

public class CKQuerySubscription: CKSubscription, @unchecked Sendable {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let firesOnRecordCreation = Options(rawValue: 1 << 0)
    public static let firesOnRecordUpdate = Options(rawValue: 1 << 1)
    public static let firesOnRecordDeletion = Options(rawValue: 1 << 2)
    public static let firesOnce = Options(rawValue: 1 << 3)
  }

  public var recordType: CKRecord.RecordType? { type }
  public let predicate: NSPredicate
  public let querySubscriptionOptions: CKQuerySubscription.Options
  let type: String
  private let zone = Locked<CKRecordZone.ID?>(nil)

  public init(
    recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
    options querySubscriptionOptions: CKQuerySubscription.Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  ) {
    if querySubscriptionOptions.subtracting(.firesOnce).isEmpty {
      ClientException.raise("a query subscription fires on a creation, an update or a deletion")
    }
    type = recordType
    self.predicate = predicate
    self.querySubscriptionOptions = querySubscriptionOptions
    super.init(subscriptionID, .query)
  }

  @available(*, deprecated, renamed: "init(recordType:predicate:subscriptionID:options:)")
  public convenience init(
    recordType: CKRecord.RecordType, predicate: NSPredicate,
    options querySubscriptionOptions: CKQuerySubscription.Options = [
      .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
  ) {
    self.init(
      recordType: recordType, predicate: predicate, subscriptionID: UUID().uuidString,
      options: querySubscriptionOptions)
  }

  public var zoneID: CKRecordZone.ID? {
    get { zone.current }
    set { zone.with { $0 = newValue } }
  }

  override func emptyCopy() -> CKSubscription {
    let copy = CKQuerySubscription(
      recordType: type, predicate: predicate, subscriptionID: subscriptionID,
      options: querySubscriptionOptions)
    copy.zoneID = zoneID
    return copy
  }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(type as NSString, forKey: "RecordType")
    coder.encode(ArchivedPredicate(predicate), forKey: "Predicate")
    coder.encode(Int64(querySubscriptionOptions.rawValue), forKey: "SubscriptionOptions")
    coder.encode(zoneID, forKey: "ZoneID")
  }

  public required init(coder: NSCoder) {
    let options = UInt(truncatingIfNeeded: coder.decodeInt64(forKey: "SubscriptionOptions"))
    let type = coder.optionalObject(of: NSString.self, forKey: "RecordType")
    let archived = coder.optionalObject(of: ArchivedPredicate.self, forKey: "Predicate")
    if type == nil || archived == nil { coder.failWithError(CocoaError(.coderReadCorrupt)) }
    self.type = type.map { String($0) } ?? ""
    predicate = archived?.predicate ?? NSPredicate(value: false)
    querySubscriptionOptions = Options(rawValue: options)
    super.init(coder: coder)
    zoneID = coder.optionalObject(of: CKRecordZone.ID.self, forKey: "ZoneID")
  }
}
