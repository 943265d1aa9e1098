import Foundation

public class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
  public let zoneID: CKRecordZone.ID
  private let type = Locked<CKRecord.RecordType?>(nil)

  public init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
    self.zoneID = zoneID
    super.init(subscriptionID, .recordZone)
  }

  @available(*, deprecated, renamed: "init(zoneID:subscriptionID:)")
  public convenience init(zoneID: CKRecordZone.ID) {
    self.init(zoneID: zoneID, subscriptionID: UUID().uuidString)
  }

  public var recordType: CKRecord.RecordType? {
    get { type.current }
    set { type.with { $0 = newValue } }
  }

  override func emptyCopy() -> CKSubscription {
    let copy = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID)
    copy.recordType = recordType
    return copy
  }

  public override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(recordType.map { $0 as NSString }, forKey: "RecordType")
    coder.encode(zoneID, forKey: "ZoneID")
  }

  public required init(coder: NSCoder) {
    let zone = coder.optionalObject(of: CKRecordZone.ID.self, forKey: "ZoneID")
    if zone == nil { coder.failWithError(CocoaError(.coderReadCorrupt)) }
    zoneID = zone ?? .default
    super.init(coder: coder)
    recordType = coder.optionalObject(of: NSString.self, forKey: "RecordType").map { String($0) }
  }
}
