import Foundation

extension CKRecord {
  public typealias ID = CKRecordID
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let recordName: String
  public let zoneID: CKRecordZone.ID

  public init(
    recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default
  ) {
    ArchiveNames.register()
    self.recordName = recordName
    self.zoneID = zoneID
    super.init()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKRecord.ID else { return false }
    return recordName == other.recordName && zoneID.isEqual(other.zoneID)
  }

  public override var hash: Int { recordName.hashValue ^ zoneID.hash }

  public override var description: String {
    described(["recordName": recordName, "zoneID": zoneID.shortText])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordID") }

  public func encode(with coder: NSCoder) {
    coder.encode(recordName as NSString, forKey: "RecordName")
    coder.encode(zoneID, forKey: "ZoneID")
  }

  public required init?(coder: NSCoder) {
    guard let name = coder.optionalObject(of: NSString.self, forKey: "RecordName") else {
      return nil
    }
    recordName = String(name)
    zoneID = coder.optionalObject(of: CKRecordZone.ID.self, forKey: "ZoneID") ?? .default
    super.init()
  }
}
