import CloudInterface
import Foundation

extension CKShare {
  public typealias Metadata = CKShareMetadata
}

// swift-corelibs-foundation cannot archive a class within another.
public class CKShareMetadata: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  public let containerIdentifier: String
  public let share: CKShare
  public let hierarchicalRootRecordID: CKRecord.ID?
  public let participantRole: CKShare.ParticipantRole
  public let participantStatus: CKShare.ParticipantAcceptanceStatus
  public let participantPermission: CKShare.ParticipantPermission
  public let ownerIdentity: CKUserIdentity
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

  public override var description: String {
    described([
      "containerIdentifier": containerIdentifier, "share": share,
      "participantRole": participantRole,
      "participantStatus": participantStatus, "participantPermission": participantPermission,
    ])
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }

  public static var supportsSecureCoding: Bool {
    ArchiveNames.register()
    return true
  }

  public override var classForKeyedArchiver: AnyClass? {
    ArchiveNames.class(named: "CKShareMetadata")
  }

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
  public var rootRecordID: CKRecord.ID {
    hierarchicalRootRecordID ?? CKRecord.ID(recordName: "", zoneID: share.recordID.zoneID)
  }
}
