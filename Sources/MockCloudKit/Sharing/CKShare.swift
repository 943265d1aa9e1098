import Foundation

public let CKRecordNameZoneWideShare: String = "cloudkit.zoneshare"

public class CKShare: CKRecord, @unchecked Sendable {
  let shareState: Locked<ShareState>

  init(_ state: RecordState, _ shareState: ShareState) {
    self.shareState = Locked(shareState)
    super.init(state)
  }

  public convenience init(rootRecord: CKRecord) {
    let id = CKRecord.ID(
      recordName: "Share-\(UUID().uuidString)", zoneID: rootRecord.recordID.zoneID)
    self.init(rootRecord: rootRecord, shareID: id)
  }

  public convenience init(rootRecord: CKRecord, shareID: CKRecord.ID) {
    self.init(
      RecordState(recordType: CKRecord.SystemType.share, recordID: shareID), ShareState())
    rootRecord.state.with {
      $0.share = CKRecord.Reference(recordID: shareID, action: .none)
      $0.hasChangedShare = true
    }
  }

  public convenience init(recordZoneID: CKRecordZone.ID) {
    let id = CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
    self.init(RecordState(recordType: CKRecord.SystemType.share, recordID: id), ShareState())
  }

  // MARK: Properties

  public var publicPermission: CKShare.ParticipantPermission {
    get { shareState.with { $0.publicPermission } }
    set { shareState.with { $0.setPublicPermission(newValue) } }
  }

  public var url: URL? { shareState.with { $0.url } }

  public var participants: [CKShare.Participant] { shareState.with { $0.participants } }

  public var owner: CKShare.Participant { shareState.with { $0.owner } }

  public var currentUserParticipant: CKShare.Participant? {
    shareState.with { $0.currentUserParticipant }
  }

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

  public func removeParticipant(_ participant: CKShare.Participant) {
    guard shareState.with({ $0.remove(participant) }) else {
      return ClientException.raise("the share has no such participant")
    }
    participant.share.with { $0 = nil }
  }

  // MARK: Access requests

  public var allowsAccessRequests: Bool {
    get { shareState.with { $0.allowsAccessRequests } }
    set { shareState.with { $0.allowsAccessRequests = newValue } }
  }

  public var requesters: [CKShare.AccessRequester] { shareState.with { $0.requesters } }

  public var blockedIdentities: [CKShare.BlockedIdentity] {
    shareState.with { $0.blockedIdentities }
  }

  public func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
    shareState.with { $0.deny(requesters) }
  }

  public func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
    shareState.with { $0.block(requesters) }
  }

  public func unblockIdentities(_ identities: [CKShare.BlockedIdentity]) {
    shareState.with { $0.unblock(identities) }
  }

  public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
    shareState.with { $0.links[participantID] }
  }

  // MARK: Copying and coding

  public override func copy(with zone: NSZone? = nil) -> Any {
    CKShare(state.current, shareState.current)
  }

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

  public override var classForKeyedArchiver: AnyClass? { ArchiveNames.class(named: "CKShare") }

  public override func encodeSystemFields(with coder: NSCoder) {
    super.encodeSystemFields(with: coder)
    shareState.current.encode(to: coder)
  }
}

extension CKShare {
  public final class AccessRequester: @unchecked Sendable {
    public let userIdentity: CKUserIdentity
    public var participantLookupInfo: CKUserIdentity.LookupInfo {
      userIdentity.lookupInfo
        ?? CKUserIdentity.LookupInfo(
          userRecordID: userIdentity.userRecordID ?? CKRecord.ID(recordName: ""))
    }

    init(_ userIdentity: CKUserIdentity) { self.userIdentity = userIdentity }
  }

  public final class BlockedIdentity: @unchecked Sendable {
    public let userIdentity: CKUserIdentity

    init(_ userIdentity: CKUserIdentity) { self.userIdentity = userIdentity }
  }
}

extension CKShare {
  public enum SystemFieldKey {
    public static let title: CKRecord.FieldKey = "cloudkit.title"
    public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
    public static let shareType: CKRecord.FieldKey = "cloudkit.type"
  }
}

@available(*, unavailable)
extension CKShare.SystemFieldKey: Sendable {}
