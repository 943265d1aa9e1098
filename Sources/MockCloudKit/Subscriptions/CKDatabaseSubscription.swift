import Foundation

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
