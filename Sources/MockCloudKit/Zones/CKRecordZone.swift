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
  /// The server's properties of the zone.
  private let server: Locked<(capabilities: Capabilities, share: CKRecord.Reference?)>

  public var capabilities: CKRecordZone.Capabilities { server.with { $0.capabilities } }
  public var share: CKRecord.Reference? { server.with { $0.share } }

  init(zoneID: CKRecordZone.ID, capabilities: Capabilities, share: CKRecord.Reference?) {
    ArchiveNames.register()
    self.zoneID = zoneID
    server = Locked((capabilities, share))
    super.init()
  }

  /// Returns the object with the server's properties. Source: `CKRecordZone.h` on `capabilities`.
  func updated(from saved: CKRecordZone) -> CKRecordZone {
    server.with { $0 = saved.server.current }
    return self
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

  public override var description: String {
    described([
      "zoneID": zoneID.shortText, "capabilities": capabilities, "encryptionScope": "per-record",
      "share": share,
    ])
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    CKRecordZone(zoneID: zoneID, capabilities: capabilities, share: share)
  }

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
    server = Locked(
      (
        Capabilities(
          rawValue: UInt(truncatingIfNeeded: coder.decodeInt64(forKey: "Capabilities"))),
        coder.optionalObject(of: CKRecord.Reference.self, forKey: "ShareReference")
      ))
    super.init()
  }
}
