import Foundation

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
