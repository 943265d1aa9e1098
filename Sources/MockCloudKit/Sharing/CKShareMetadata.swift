import CloudInterface
import Foundation

extension CKShare {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata
  public typealias Metadata = CKShareMetadata
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckshare/metadata
public class CKShareMetadata: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/containeridentifier
  public let containerIdentifier: String
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/share
  public let share: CKShare
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/hierarchicalrootrecordid
  public let hierarchicalRootRecordID: CKRecord.ID?
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/participantrole
  public let participantRole: CKShare.ParticipantRole
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/participantstatus
  public let participantStatus: CKShare.ParticipantAcceptanceStatus
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/participantpermission
  public let participantPermission: CKShare.ParticipantPermission
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/owneridentity
  public let ownerIdentity: CKUserIdentity
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/rootrecord
  public let rootRecord: CKRecord?

  /// The metadata that the mock container accepts; nil for metadata out of an archive.
  let model: ShareMetadata?

  init(_ model: ShareMetadata, share: CKShare, root: CKRecord? = nil) {
    ArchiveNames.register()
    self.model = model
    self.share = share
    rootRecord = root
    containerIdentifier = model.containerIdentifier ?? ""
    hierarchicalRootRecordID = model.hierarchicalRootRecordID.map { CKRecord.ID($0) }
    participantRole = .init(model.participantRole)
    participantStatus = .init(model.participantStatus)
    participantPermission = .init(model.participantPermission)
    ownerIdentity = CKUserIdentity(model.ownerIdentity)
    super.init()
  }

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKShareMetadata")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    coder.encode(ArchivedContainerID(containerIdentifier), forKey: "ContainerID")
    coder.encode(share, forKey: "Share")
    coder.encode(hierarchicalRootRecordID, forKey: "RootRecordID")
    coder.encode(rootRecord, forKey: "RootRecord")
    coder.encode(Int64(participantRole.rawValue), forKey: "ParticipantType")
    coder.encode(Int64(participantStatus.rawValue), forKey: "ParticipantStatus")
    coder.encode(Int64(participantPermission.rawValue), forKey: "ParticipantPermission")
    coder.encode(ownerIdentity, forKey: "OwnerIdentity")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) {
    func number(_ key: String) -> Int { Int(coder.decodeInt64(forKey: key)) }
    guard let share = coder.optionalObject(of: CKShare.self, forKey: "Share") else { return nil }
    model = nil
    self.share = share
    containerIdentifier =
      coder.optionalObject(of: ArchivedContainerID.self, forKey: "ContainerID")?.identifier ?? ""
    hierarchicalRootRecordID = coder.optionalObject(of: CKRecord.ID.self, forKey: "RootRecordID")
    rootRecord = coder.optionalObject(of: CKRecord.self, forKey: "RootRecord")
    participantRole = .init(rawValue: number("ParticipantType")) ?? .unknown
    participantStatus = .init(rawValue: number("ParticipantStatus")) ?? .unknown
    participantPermission = .init(rawValue: number("ParticipantPermission")) ?? .unknown
    ownerIdentity =
      coder.optionalObject(of: CKUserIdentity.self, forKey: "OwnerIdentity")
      ?? share.owner.userIdentity
    super.init()
  }
}

extension CKShare.Metadata {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata/rootrecordid
  public var rootRecordID: CKRecord.ID {
    hierarchicalRootRecordID ?? CKRecord.ID(recordName: "", zoneID: share.recordID.zoneID)
  }
}
