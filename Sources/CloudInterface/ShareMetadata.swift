import RecordModel

import struct Foundation.URL

/// The properties of a share that its link leads to, before the user accepts it (`CKShare.Metadata`).
public struct ShareMetadata: Sendable, Hashable {
  /// The identifier of the container.
  public var containerIdentifier: String?
  /// The share, as the user may see it.
  public var share: ResultRecord
  /// The record that the share is about; nil for the share of a zone.
  public var hierarchicalRootRecordID: RecordID?
  /// The identity of the share's owner.
  public var ownerIdentity: UserIdentity
  /// The role that the user has, or would have.
  public var participantRole: ShareParticipant.Role
  /// Whether the user has accepted the share.
  public var participantStatus: ShareParticipant.AcceptanceStatus
  /// The permission that the user has, or would have.
  public var participantPermission: ShareParticipant.Permission

  /// The link that the metadata was fetched by, if it is one for a single participant.
  package var oneTimeURL: URL?

  /// Creates metadata.
  public init(
    containerIdentifier: String? = nil, share: ResultRecord,
    hierarchicalRootRecordID: RecordID? = nil, ownerIdentity: UserIdentity,
    participantRole: ShareParticipant.Role = .privateUser,
    participantStatus: ShareParticipant.AcceptanceStatus = .pending,
    participantPermission: ShareParticipant.Permission = .readOnly
  ) {
    self.containerIdentifier = containerIdentifier
    self.share = share
    self.hierarchicalRootRecordID = hierarchicalRootRecordID
    self.ownerIdentity = ownerIdentity
    self.participantRole = participantRole
    self.participantStatus = participantStatus
    self.participantPermission = participantPermission
  }
}
