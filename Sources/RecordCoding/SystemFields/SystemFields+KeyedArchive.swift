import Foundation
import RecordModel

extension SystemFields {
  /// Reads what CloudKit's `encodeSystemFields(with:)` or ``encodeSystemFields()`` has written, or a
  /// whole archived record.
  ///
  /// The archive is kept in ``archive``, values included where it has some, so that
  /// ``encodeSystemFields()`` writes back everything that is unknown here.
  ///
  /// - Throws: ``KeyedArchiveError``.
  public init(decoding data: Data) throws {
    self = try ArchivedRecord(keyedArchive: data).systemFields
  }

  /// The system fields as CloudKit's `encodeSystemFields(with:)` writes them: a keyed archive in a
  /// binary property list, to be stored beside an app's own model.
  ///
  /// Fields that were read from an archive go back into it: only what differs is replaced, and an
  /// archive of which nothing differs comes out byte for byte. Made from nothing, the archive has
  /// the keys that RecordPack knows, always in the same order.
  ///
  /// The device that created the record and ``otherMembers`` have no place in this layout, but for
  /// the special fields of a share; of its participants too only what differs is replaced, and
  /// owner and current user are those among them. The canonical JSON, by `Codable`, holds
  /// everything but ``archive``.
  ///
  /// - Throws: ``KeyedArchiveError`` where ``archive`` is no such archive, ``RecordCodingError``
  ///   where the special fields of a share are not as they should be.
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

  /// The keys of the layout whose values differ from `base`; all of them without one.
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

  /// The special fields of a share; `nil` where the record is none, or has none of them.
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

/// Collects the keys of an archive whose values have changed.
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
