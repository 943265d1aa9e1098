import CloudInterface
import Foundation

extension CKShare {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/metadata
  public typealias Metadata = __CKShareMetadata
}

// swift-corelibs-foundation cannot archive a class within another.
/// https://developer.apple.com/documentation/cloudkit/ckshare/metadata
public class __CKShareMetadata: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
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
  public var rootRecord: CKRecord? { nil }

  /// What the mock container takes; nil for metadata out of an archive.
  let model: ShareMetadata?

  init(_ model: ShareMetadata, share: CKShare) {
    ArchiveNames.register()
    self.model = model
    self.share = share
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

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    preconditionFailure("the mock does not archive the metadata of shares")
  }

  /// https://developer.apple.com/documentation/foundation/nscoding/init(coder:)
  public required init?(coder: NSCoder) { nil }
}
