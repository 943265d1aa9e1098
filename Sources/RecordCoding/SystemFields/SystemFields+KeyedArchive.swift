import Foundation
import RecordModel

extension SystemFields {
  /// Decodes the output of CloudKit's `encodeSystemFields(with:)` or of ``encodeSystemFields()``,
  /// or an archived record.
  ///
  /// `archive` contains the data, including any field values, so that ``encodeSystemFields()``
  /// preserves unknown keys.
  ///
  /// - Throws: ``KeyedArchiveError``.
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
  /// If the fields have an `archive`, only changed values are replaced in it; without changes,
  /// the result is the same bytes. Otherwise, the result has the keys that RecordPack knows, always
  /// in the same order.
  ///
  /// The format does not contain the device that created the record, nor `otherMembers` apart
  /// from the special members of a share. Of these, only changed values of participants are
  /// replaced, and the owner and current user are participants. To encode everything but
  /// `archive`, use `Codable`, which writes canonical JSON.
  ///
  /// - Throws: ``KeyedArchiveError`` if `archive` is not a valid archive; ``RecordCodingError``
  ///   if the special members of a share are invalid.
  public func encodeSystemFields() throws -> Data {
    let share = try archivableShare()
    guard let archive else {
      var editor = KeyedArchiveEditor()
      for (key, content) in archiveMembers + Self.newMembers { editor.set(key, to: content) }
      if let share { editor.setShare(share) }
      return editor.archive().encoded()
    }
    let keyedArchive = try KeyedArchive(decoding: archive)
    let record = try keyedArchive.record()
    let changes = zip(try record.systemFields().archiveMembers, archiveMembers)
      .filter { $0.value != $1.value }
    let isSameShare = try share.map { try record.contains($0) } ?? true
    guard !changes.isEmpty || !isSameShare else { return archive }
    var editor = KeyedArchiveEditor(keyedArchive, editing: record)
    for (_, new) in changes { editor.set(new.key, to: new.value) }
    if let share, !isSameShare { try editor.replaceShare(with: share, in: record) }
    return editor.archive().encoded()
  }

  /// The keys of the format that RecordPack knows, with their values.
  private var archiveMembers: [(key: String, value: KeyedArchiveContent)] {
    [
      ("RecordType", .string(recordType)),
      ("RecordID", .recordID(recordID)),
      ("RecordCtime", .orNull(created?.date, Self.date)),
      ("RecordMtime", .orNull(modified?.date, Self.date)),
      ("CreatorUserRecordID", .orNull(created?.userRecordName, KeyedArchiveContent.user)),
      ("LastModifiedUserRecordID", .orNull(modified?.userRecordName, KeyedArchiveContent.user)),
      ("ModifiedByDevice", .orNull(modified?.deviceID, KeyedArchiveContent.string)),
      ("ETag", .orNull(recordChangeTag, KeyedArchiveContent.string)),
      ("ParentReference", .orNull(parent, KeyedArchiveContent.reference)),
      ("ShareReference", .orNull(share, KeyedArchiveContent.reference)),
      ("KnownToServer", .bool(recordChangeTag != nil)),
    ]
  }

  private static let newMembers: [(key: String, value: KeyedArchiveContent)] = [
    ("WasCached", .bool(false)), ("HasUpdatedParentReference", .bool(false)),
    ("HasUpdatedShareReference", .bool(false)), ("PreviousParentReference", .null),
    ("PreviousShareReference", .null),
  ]

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
