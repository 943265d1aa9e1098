import Foundation
import RecordModel

extension SystemFields {
  /// Decodes the output of CloudKit's `encodeSystemFields(with:)` or of ``encodeSystemFields()``,
  /// or an archived record.
  ///
  /// `archive` contains the data, including any field values, so that ``encodeSystemFields()`` returns
  /// it if nothing was changed.
  ///
  /// - Throws: ``RecordCodingError``.
  public init(decoding data: Data) throws {
    self = try ArchivedRecord(keyedArchive: data).systemFields
  }

  /// Encodes the system fields in the format of CloudKit's `encodeSystemFields(with:)`: a keyed
  /// archive in a binary property list, for storing beside an app's own model.
  ///
  /// ```swift
  /// let stored = try record.systemFields.encodeSystemFields()
  /// // … later, to change the record:
  /// var draft = DraftRecord(systemFields: try SystemFields(decoding: stored))
  /// draft["title"] = "Hiking club 2025"
  /// ```
  ///
  /// If the fields have an `archive` that contains the same values, the result is the archive, with
  /// all keys that only CloudKit knows. Otherwise, the result has the keys that RecordPack knows,
  /// always in the same order.
  ///
  /// The format does not contain the device that created the record, nor `otherMembers` apart
  /// from the special members of a share; the owner and current user of a share are participants.
  /// To encode everything but `archive`, use `Codable`, which writes canonical JSON.
  ///
  /// - Throws: ``RecordCodingError`` if `archive` is not a valid archive; ``RecordCodingError``
  ///   if the special members of a share are invalid.
  public func encodeSystemFields() throws -> Data {
    let share = try archivableShare()
    if let archive, try isArchived(share, in: archive) { return archive }
    var writer = KeyedArchiveWriter()
    writer.add("RecordType", .string(recordType))
    writer.add("RecordID", .recordID(recordID))
    writer.add("RecordCtime", .orNull(created?.date, Self.date))
    writer.add("RecordMtime", .orNull(modified?.date, Self.date))
    writer.add("CreatorUserRecordID", .orNull(created?.userRecordName, KeyedArchiveContent.user))
    writer.add(
      "LastModifiedUserRecordID", .orNull(modified?.userRecordName, KeyedArchiveContent.user))
    writer.add("ModifiedByDevice", .orNull(modified?.deviceID, KeyedArchiveContent.string))
    writer.add("ETag", .orNull(recordChangeTag, KeyedArchiveContent.string))
    writer.add("ParentReference", .orNull(parent, KeyedArchiveContent.reference))
    writer.add("ShareReference", .orNull(self.share, KeyedArchiveContent.reference))
    writer.add("KnownToServer", .bool(recordChangeTag != nil))
    writer.add("WasCached", .bool(false))
    writer.add("HasUpdatedParentReference", .bool(false))
    writer.add("HasUpdatedShareReference", .bool(false))
    writer.add("PreviousParentReference", .null)
    writer.add("PreviousShareReference", .null)
    if let share { writer.add(share) }
    return writer.data()
  }

  /// Whether an archive contains these system fields, and this share unless it is nil.
  private func isArchived(_ share: Share?, in archive: Data) throws -> Bool {
    let record = try KeyedArchive(decoding: archive).record()
    var (own, other) = (self, try record.systemFields())
    (own.archive, own.otherMembers) = (nil, [])
    // Archives do not contain the device that created the record, nor an action of Web Services.
    own.created =
      RecordStamp(
        date: created?.date, userRecordName: created?.userRecordName
      ).unlessEmpty
    own.modified =
      RecordStamp(
        date: modified?.date, userRecordName: modified?.userRecordName, deviceID: modified?.deviceID
      ).unlessEmpty
    own.parent = parent?.archived
    own.share = self.share?.archived
    other.archive = nil
    guard own == other else { return false }
    return try share.map { try record.contains($0) } ?? true
  }

  /// Returns the special members of a share; nil if the record is not a share, or has none of them.
  private func archivableShare() throws -> Share? {
    guard recordType == Share.recordType,
      Share.memberNames.contains(where: { otherMembers[$0] != nil })
    else { return nil }
    return try Share(members: otherMembers)
  }

  private static func date(_ date: Date) -> KeyedArchiveContent {
    .date(date.timeIntervalSinceReferenceDate)
  }
}

extension Reference {
  /// The reference as an archive contains it: `validate` exists only in Web Services.
  fileprivate var archived: Reference {
    Reference(recordID: recordID, action: action == .deleteSelf ? .deleteSelf : .none)
  }
}

/// CloudKit's classes, with the keys that CloudKit writes.
extension KeyedArchiveContent {
  /// Returns a `CKRecordID`.
  static func recordID(_ id: RecordID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordID", "NSObject"],
      members: [("RecordName", .string(id.recordName)), ("ZoneID", .zoneID(id.zoneID))])
  }

  /// Returns a `CKRecordZoneID`. Its database scope is 0 (unknown), because `ZoneID` does not
  /// contain it.
  static func zoneID(_ id: ZoneID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordZoneID", "NSObject"],
      members: [
        ("ZoneName", .string(id.zoneName)), ("ownerName", .string(id.ownerName)),
        ("databaseScopeKey", .integer(0)), ("anonymousCKUserID", .null),
      ])
  }

  /// Returns a `CKReference`.
  ///
  /// `validate` exists only in Web Services, and is encoded as no action.
  static func reference(_ reference: Reference) -> KeyedArchiveContent {
    .object(
      class: ["CKReference", "NSObject"],
      members: [
        ("recordID", .recordID(reference.recordID)),
        ("referenceAction", .integer(reference.action == .deleteSelf ? 1 : 0)),
      ])
  }

  /// Returns the `CKRecordID` of a user.
  static func user(_ recordName: String) -> KeyedArchiveContent {
    .recordID(UserRecord.recordID(named: recordName))
  }

  /// Returns a `CLLocation` with the properties that CloudKit stores; those that are not known are
  /// omitted.
  static func location(_ location: Location) -> KeyedArchiveContent {
    let members: [(String, Double?)] = [
      ("CoordinateLatitude", location.latitude), ("CoordinateLongitude", location.longitude),
      ("Altitude", location.altitude), ("HorizontalAccuracy", location.horizontalAccuracy),
      ("VerticalAccuracy", location.verticalAccuracy), ("Course", location.course),
      ("Speed", location.speed), ("Timestamp", location.timestamp?.timeIntervalSinceReferenceDate),
    ]
    return .object(
      class: ["CLLocation", "NSObject"],
      members: members.compactMap { name, value in
        value.map { ("kCLLocationCodingKey\(name)", .real($0)) }
      })
  }
}
