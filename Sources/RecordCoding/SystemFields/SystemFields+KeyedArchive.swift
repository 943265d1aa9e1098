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
      for (key, content) in archiveMembers(since: nil) { editor.set(key, to: content) }
      if let share { editor.setShare(share) }
      return editor.archive().encoded()
    }
    let keyedArchive = try KeyedArchive(decoding: archive)
    let record = try keyedArchive.record()
    let changes = archiveMembers(since: try record.systemFields())
    let isSameShare = try share.map { try record.holds($0) } ?? true
    guard !changes.isEmpty || !isSameShare else { return archive }
    var editor = KeyedArchiveEditor(keyedArchive, editing: record)
    for (key, content) in changes { editor.set(key, to: content) }
    if let share, !isSameShare { try editor.replaceShare(with: share, in: record) }
    return editor.archive().encoded()
  }

  /// Returns the keys of the format whose values differ from those of `base`; all of them if it is
  /// nil.
  private func archiveMembers(
    since base: SystemFields?
  ) -> [(key: String, value: KeyedArchiveContent)] {
    var members = ArchiveMembers(old: base, new: self)
    members.add("RecordType", \.recordType, KeyedArchiveContent.string)
    members.add("RecordID", \.recordID, KeyedArchiveContent.recordID)
    members.add("RecordCtime", \.created?.date, Self.date)
    members.add("RecordMtime", \.modified?.date, Self.date)
    members.add("CreatorUserRecordID", \.created?.userRecordName, KeyedArchiveContent.user)
    members.add("LastModifiedUserRecordID", \.modified?.userRecordName, KeyedArchiveContent.user)
    members.add("ModifiedByDevice", \.modified?.deviceID, KeyedArchiveContent.string)
    members.add("ETag", \.recordChangeTag, KeyedArchiveContent.string)
    members.add("ParentReference", \.parent, KeyedArchiveContent.reference)
    members.add("ShareReference", \.share, KeyedArchiveContent.reference)
    members.add("KnownToServer", \.isKnownToServer, KeyedArchiveContent.bool)
    guard base == nil else { return members.changes }
    return members.changes + [
      ("WasCached", .bool(false)), ("HasUpdatedParentReference", .bool(false)),
      ("HasUpdatedShareReference", .bool(false)), ("PreviousParentReference", .null),
      ("PreviousShareReference", .null),
    ]
  }

  /// Returns the special members of a share; nil if the record is not a share, or has none of them.
  private func archivableShare() throws -> Share? {
    guard recordType == Share.recordType,
      Share.memberNames.contains(where: { otherMembers[$0] != nil })
    else { return nil }
    return try Share(members: otherMembers)
  }

  private var isKnownToServer: Bool { recordChangeTag != nil }

  private static func date(_ date: Date) -> KeyedArchiveContent {
    .date(date.timeIntervalSinceReferenceDate)
  }
}

/// Collects the keys of an archive whose values changed.
private struct ArchiveMembers {
  let old: SystemFields?
  let new: SystemFields
  var changes: [(key: String, value: KeyedArchiveContent)] = []

  init(old: SystemFields?, new: SystemFields) {
    self.old = old
    self.new = new
  }

  mutating func add(
    _ key: String, _ path: KeyPath<SystemFields, String>,
    _ content: (String) -> KeyedArchiveContent
  ) {
    if let old, old[keyPath: path].sameScalars(as: new[keyPath: path]) { return }
    changes.append((key, content(new[keyPath: path])))
  }

  mutating func add(
    _ key: String, _ path: KeyPath<SystemFields, String?>,
    _ content: (String) -> KeyedArchiveContent
  ) {
    if let old, old[keyPath: path].sameScalars(as: new[keyPath: path]) { return }
    changes.append((key, new[keyPath: path].map(content) ?? .null))
  }

  mutating func add<T: Equatable>(
    _ key: String, _ path: KeyPath<SystemFields, T>, _ content: (T) -> KeyedArchiveContent
  ) {
    if let old, old[keyPath: path] == new[keyPath: path] { return }
    changes.append((key, content(new[keyPath: path])))
  }

  mutating func add<T: Equatable>(
    _ key: String, _ path: KeyPath<SystemFields, T?>, _ content: (T) -> KeyedArchiveContent
  ) {
    if let old, old[keyPath: path] == new[keyPath: path] { return }
    changes.append((key, new[keyPath: path].map(content) ?? .null))
  }
}
