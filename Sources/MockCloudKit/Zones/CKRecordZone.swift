import Foundation

public class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public struct Capabilities: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let fetchChanges = Capabilities(rawValue: 1 << 0)
    public static let atomic = Capabilities(rawValue: 1 << 1)
    public static let sharing = Capabilities(rawValue: 1 << 2)
    public static let zoneWideSharing = Capabilities(rawValue: 1 << 3)
  }

  public let zoneID: CKRecordZone.ID
  public let capabilities: CKRecordZone.Capabilities
  public let share: CKRecord.Reference?

  init(zoneID: CKRecordZone.ID, capabilities: Capabilities, share: CKRecord.Reference?) {
    ArchiveNames.register()
    self.zoneID = zoneID
    self.capabilities = capabilities
    self.share = share
    super.init()
  }

  public class func `default`() -> CKRecordZone {
    CKRecordZone(zoneID: .default)
  }

  public convenience init(zoneName: String) {
    self.init(zoneID: CKRecordZone.ID(zoneName: zoneName))
  }

  public convenience init(zoneID: CKRecordZone.ID) {
    self.init(zoneID: zoneID, capabilities: [], share: nil)
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordZone") }

  public func encode(with coder: NSCoder) {
    coder.encode(zoneID, forKey: "ZoneID")
    coder.encode(Int64(capabilities.rawValue), forKey: "Capabilities")
    coder.encode(share, forKey: "ShareReference")
  }

  public required init?(coder: NSCoder) {
    guard let id = coder.optionalObject(of: CKRecordZone.ID.self, forKey: "ZoneID") else {
      return nil
    }
    zoneID = id
    capabilities = Capabilities(
      rawValue: UInt(truncatingIfNeeded: coder.decodeInt64(forKey: "Capabilities")))
    share = coder.optionalObject(of: CKRecord.Reference.self, forKey: "ShareReference")
    super.init()
  }
}
