import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckrecordnamezonewideshare
public let CKRecordNameZoneWideShare: String = "cloudkit.zoneshare"

/// https://developer.apple.com/documentation/cloudkit/ckshare
public class CKShare: CKRecord, @unchecked Sendable {
  let shareState: Locked<ShareState>

  init(_ state: RecordState, _ shareState: ShareState) {
    self.shareState = Locked(shareState)
    super.init(state)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/init(rootrecord:)
  public convenience init(rootRecord: CKRecord) {
    let id = CKRecord.ID(
      recordName: "Share-\(UUID().uuidString)", zoneID: rootRecord.recordID.zoneID)
    self.init(rootRecord: rootRecord, shareID: id)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/init(rootrecord:shareid:)
  public convenience init(rootRecord: CKRecord, shareID: CKRecord.ID) {
    self.init(
      RecordState(recordType: CKRecord.SystemType.share, recordID: shareID), ShareState())
    rootRecord.state.with {
      $0.share = CKRecord.Reference(recordID: shareID, action: .none)
      $0.hasChangedShare = true
    }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/init(recordzoneid:)
  public convenience init(recordZoneID: CKRecordZone.ID) {
    let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
    self.init(RecordState(recordType: CKRecord.SystemType.share, recordID: id), ShareState())
  }

  // MARK: Properties

  /// https://developer.apple.com/documentation/cloudkit/ckshare/publicpermission
  public var publicPermission: CKShare.ParticipantPermission {
    get { shareState.with { $0.publicPermission } }
    set { shareState.with { $0.setPublicPermission(newValue) } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/url
  public var url: URL? { shareState.with { $0.url } }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/participants
  public var participants: [CKShare.Participant] { shareState.with { $0.participants } }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/owner
  public var owner: CKShare.Participant { shareState.with { $0.owner } }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/currentuserparticipant
  public var currentUserParticipant: CKShare.Participant? {
    shareState.with { $0.currentUserParticipant }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/addparticipant(_:)
  public func addParticipant(_ participant: CKShare.Participant) {
    guard publicPermission == .none else {
      return ClientException.raise("a share with a public permission takes no private participants")
    }
    let isTaken = participant.share.with { share in
      guard share == nil || share == ObjectIdentifier(self) else { return true }
      share = ObjectIdentifier(self)
      return false
    }
    guard !isTaken else {
      return ClientException.raise("a participant cannot be added to a second share")
    }
    shareState.with { $0.add(participant) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/removeparticipant(_:)
  public func removeParticipant(_ participant: CKShare.Participant) {
    guard shareState.with({ $0.remove(participant) }) else {
      return ClientException.raise("the share has no such participant")
    }
    participant.share.with { $0 = nil }
  }

  // MARK: Access requests

  /// https://developer.apple.com/documentation/cloudkit/ckshare/allowsaccessrequests
  public var allowsAccessRequests: Bool {
    get { shareState.with { $0.allowsAccessRequests } }
    set { shareState.with { $0.allowsAccessRequests = newValue } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/requesters
  public var requesters: [CKShare.AccessRequester] { shareState.with { $0.requesters } }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/blockedidentities
  public var blockedIdentities: [CKShare.BlockedIdentity] {
    shareState.with { $0.blockedIdentities }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/denyrequesters(_:)
  public func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
    shareState.with { $0.deny(requesters) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/blockrequesters(_:)
  public func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
    shareState.with { $0.block(requesters) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/unblockidentities(_:)
  public func unblockIdentities(_ identities: [CKShare.BlockedIdentity]) {
    shareState.with { $0.unblock(identities) }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/onetimeurl(for:)
  public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
    shareState.with { $0.links[participantID] }
  }

  // MARK: Copying and coding

  /// https://developer.apple.com/documentation/foundation/nscopying/copy(with:)
  public override func copy(with zone: NSZone? = nil) -> Any {
    CKShare(state.current, shareState.current)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/init(coder:)
  public required init(coder: NSCoder) {
    ArchiveNames.register()
    shareState = Locked(ShareState(coder: coder))
    if var state = RecordState(coder: coder) {
      state.decodeValues(from: coder)
      super.init(state)
    } else {
      // The header says that it returns an object, whatever the archive.
      coder.failWithError(CocoaError(.coderReadCorrupt))
      let id = CKRecord.ID(recordName: "")
      super.init(RecordState(recordType: CKRecord.SystemType.share, recordID: id))
    }
  }

  /// https://developer.apple.com/documentation/objectivec/nsobject/classforkeyedarchiver
  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKShare") }

  /// https://developer.apple.com/documentation/cloudkit/ckrecord/encodesystemfields(with:)
  public override func encodeSystemFields(with coder: NSCoder) {
    super.encodeSystemFields(with: coder)
    shareState.current.encode(to: coder)
  }
}

extension CKShare {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/accessrequester
  public final class AccessRequester: @unchecked Sendable {
    /// https://developer.apple.com/documentation/cloudkit/ckshare/accessrequester/useridentity
    public let userIdentity: CKUserIdentity
    /// https://developer.apple.com/documentation/cloudkit/ckshare/accessrequester/participantlookupinfo
    public var participantLookupInfo: CKUserIdentity.LookupInfo {
      userIdentity.lookupInfo
        ?? CKUserIdentity.LookupInfo(
          userRecordID: userIdentity.userRecordID ?? CKRecord.ID(recordName: ""))
    }

    init(_ userIdentity: CKUserIdentity) { self.userIdentity = userIdentity }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckshare/blockedidentity
  public final class BlockedIdentity: @unchecked Sendable {
    /// https://developer.apple.com/documentation/cloudkit/ckshare/blockedidentity/useridentity
    public let userIdentity: CKUserIdentity

    init(_ userIdentity: CKUserIdentity) { self.userIdentity = userIdentity }
  }
}

extension CKShare {
  /// https://developer.apple.com/documentation/cloudkit/ckshare/systemfieldkey
  public enum SystemFieldKey {
    /// https://developer.apple.com/documentation/cloudkit/ckshare/systemfieldkey/title
    public static let title: CKRecord.FieldKey = "cloudkit.title"
    /// https://developer.apple.com/documentation/cloudkit/ckshare/systemfieldkey/thumbnailimagedata
    public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
    /// https://developer.apple.com/documentation/cloudkit/ckshare/systemfieldkey/sharetype
    public static let shareType: CKRecord.FieldKey = "cloudkit.type"
  }
}

@available(*, unavailable)
extension CKShare.SystemFieldKey: Sendable {}
