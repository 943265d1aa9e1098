/// What a share has beside the fields every record has (`CKShare`).
///
/// A share is a record of type `cloudkit.share`; its special fields travel as members of the record
/// dictionary, beside `fields`. `RecordCoding` reads them from a record (`ResultRecord.shareInfo`)
/// and puts them into one (`DraftRecord.shareInfo`).
public struct Share: Sendable, Hashable {
  /// The record type of shares.
  public static let recordType = "cloudkit.share"
  /// The record name of the share of a whole zone (`CKRecordNameZoneWideShare`).
  public static let zoneWideRecordName = "cloudkit.zoneshare"
  /// The field of a share's title (`CKShare.SystemFieldKey.title`).
  public static let titleKey = "cloudkit.title"
  /// The field of a share's preview image (`CKShare.SystemFieldKey.thumbnailImageData`).
  public static let thumbnailImageDataKey = "cloudkit.thumbnailImageData"
  /// The field of what is shared, a UTI (`CKShare.SystemFieldKey.shareType`).
  public static let shareTypeKey = "cloudkit.type"

  /// What everyone who has the link may do.
  public var publicPermission: ShareParticipant.Permission
  /// All participants, the owner first.
  public var participants: [ShareParticipant]
  /// The owner, where the server names it apart from the participants.
  public var owner: ShareParticipant?
  /// The signed-in user's participant.
  public var currentUserParticipant: ShareParticipant?
  /// The share's short identifier, part of its link.
  @ExactText public var shortGUID: String?
  /// The share's link.
  @ExactText public var url: String?

  /// Makes a share's special fields.
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
