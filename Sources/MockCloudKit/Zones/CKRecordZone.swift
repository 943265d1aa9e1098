import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckrecordzone
public class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct
  public struct Capabilities: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/swift/optionset/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct/fetchchanges
    public static let fetchChanges = Capabilities(rawValue: 1 << 0)
    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct/atomic
    public static let atomic = Capabilities(rawValue: 1 << 1)
    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct/sharing
    public static let sharing = Capabilities(rawValue: 1 << 2)
    /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.struct/zonewidesharing
    public static let zoneWideSharing = Capabilities(rawValue: 1 << 3)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/zoneid
  public let zoneID: CKRecordZone.ID
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/capabilities-swift.property
  public let capabilities: CKRecordZone.Capabilities
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/share
  public let share: CKRecord.Reference?

  init(zoneID: CKRecordZone.ID, capabilities: Capabilities, share: CKRecord.Reference?) {
    ArchiveNames.register()
    self.zoneID = zoneID
    self.capabilities = capabilities
    self.share = share
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/default()
  public class func `default`() -> CKRecordZone {
    CKRecordZone(zoneID: .default)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/init(zonename:)
  public convenience init(zoneName: String) {
    self.init(zoneID: CKRecordZone.ID(zoneName: zoneName))
  }

  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone/init(zoneid:)
  public convenience init(zoneID: CKRecordZone.ID) {
    self.init(zoneID: zoneID, capabilities: [], share: nil)
  }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKRecordZone") }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(zoneID, forKey: "ZoneID")
    coder.encode(Int64(capabilities.rawValue), forKey: "Capabilities")
    coder.encode(share, forKey: "ShareReference")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
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
