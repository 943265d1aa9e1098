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

  override func emptyCopy() -> CKSubscription {
    let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
    copy.recordType = recordType
    return copy
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(recordType.map { $0 as NSString }, forKey: "RecordType")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init(coder: NSCoder) {
    super.init(coder: coder)
    recordType = coder.optionalObject(of: NSString.self, forKey: "RecordType").map { String($0) }
  }
}
