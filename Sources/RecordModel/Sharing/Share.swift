/// The properties of a share that other records do not have (`CKShare`).
///
/// A share is a record of type `cloudkit.share`. These properties are members of the record
/// dictionary, beside `fields`. `RecordCoding` reads them (`ResultRecord.shareInfo`) and writes
/// them (`DraftRecord.shareInfo`).
public struct Share: Sendable, Hashable {
  /// The record type of shares.
  public static let recordType = "cloudkit.share"
  /// The record name of a zone-wide share (`CKRecordNameZoneWideShare`).
  public static let zoneWideRecordName = "cloudkit.zoneshare"
  /// The name of the field for the title (`CKShare.SystemFieldKey.title`).
  public static let titleKey = "cloudkit.title"
  /// The name of the field for the preview image (`CKShare.SystemFieldKey.thumbnailImageData`).
  public static let thumbnailImageDataKey = "cloudkit.thumbnailImageData"
  /// The name of the field for the type of the shared content, a UTI
  /// (`CKShare.SystemFieldKey.shareType`).
  public static let shareTypeKey = "cloudkit.type"

  /// The permission of everyone who has the link.
  public var publicPermission: ShareParticipant.Permission
  /// All participants; the owner comes first.
  public var participants: [ShareParticipant]
  /// The owner, if the server sends it apart from the participants.
  public var owner: ShareParticipant?
  /// The signed-in user as a participant.
  public var currentUserParticipant: ShareParticipant?
  /// The short identifier of the share, which is part of its link.
  @ExactText public var shortGUID: String?
  /// The link to the share.
  @ExactText public var url: String?

  /// Creates the properties of a share.
  public init(
    publicPermission: ShareParticipant.Permission = .none, participants: [ShareParticipant] = [],
    owner: ShareParticipant? = nil, currentUserParticipant: ShareParticipant? = nil,
    shortGUID: String? = nil, url: String? = nil
  ) {
    self.publicPermission = publicPermission
    self.participants = participants
    self.owner = owner
    self.currentUserParticipant = currentUserParticipant
    self.shortGUID = shortGUID
    self.url = url
  }
}

extension ResultRecord {
  /// Whether the record is a share.
  public var isShare: Bool { recordType == Share.recordType }
}
