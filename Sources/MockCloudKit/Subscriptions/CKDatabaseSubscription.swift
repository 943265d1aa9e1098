import Foundation

public class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
  private let type = Locked<CKRecord.RecordType?>(nil)

  public init(subscriptionID: CKSubscription.ID) { super.init(subscriptionID, .database) }

  @available(*, deprecated, renamed: "init(subscriptionID:)")
  public convenience init() { self.init(subscriptionID: UUID().uuidString) }

  public var recordType: CKRecord.RecordType? {
    get { type.current }
    set { type.with { $0 = newValue } }
  }

  override func emptyCopy() -> CKSubscription {
    let copy = CKDatabaseSubscription(subscriptionID: subscriptionID)
    copy.recordType = recordType
    return copy
  }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(recordType.map { $0 as NSString }, forKey: "RecordType")
  }

  public required init(coder: NSCoder) {
    super.init(coder: coder)
    recordType = coder.optionalObject(of: NSString.self, forKey: "RecordType").map { String($0) }
  }
}
