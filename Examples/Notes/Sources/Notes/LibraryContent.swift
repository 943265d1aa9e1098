import CloudInterface
import NotesModel
import RecordModel

/// The records of a device: as the server has them, and as the user has edited them.
struct LibraryContent: Sendable {
  /// The records as the server had them, when the device last heard of them.
  private(set) var records: [RecordID: ResultRecord] = [:]
  /// The edits that the server does not have yet.
  private(set) var drafts: [RecordID: DraftRecord] = [:]
  /// The records that the server is still to delete.
  private(set) var deletions: Set<RecordID> = []
  /// The user; nil before the first sign-in.
  private(set) var user: RecordID?
  /// The newest state of the engine of each database.
  private(set) var engineStates: [DatabaseScope: SyncEngineStateSerialization] = [:]

  /// The record that the app shows.
  subscript(recordID: RecordID) -> DraftRecord? {
    if deletions.contains(recordID) { return nil }
    return drafts[recordID] ?? records[recordID].map { DraftRecord($0) }
  }

  /// All records that the app shows, in the order of their IDs.
  var all: [DraftRecord] {
    Set(records.keys).union(drafts.keys).sorted().compactMap { self[$0] }
  }

  /// The edits that a database is still to get, then the deletions, both in the order of the names.
  func pendingChanges(in databaseScope: DatabaseScope) -> [PendingRecordZoneChange] {
    sorted(drafts.keys, in: databaseScope).map { .saveRecord($0) }
      + sorted(deletions, in: databaseScope).map { .deleteRecord($0) }
  }

  private func sorted(
    _ recordIDs: some Sequence<RecordID>, in databaseScope: DatabaseScope
  ) -> [RecordID] {
    recordIDs.filter { $0.databaseScope == databaseScope }.map { ($0.recordName, $0) }
      .sorted { $0 < $1 }.map(\.1)
  }

  /// The entries that lead to this content.
  var entries: [Journal.Entry] {
    (user.map { [.user($0)] } ?? []) + engineStates.map { .engineState($0, $1) }
      + records.values.map { .record($0) } + drafts.values.map { .draft($0) }
      + deletions.map { .deletion($0) }
  }

  /// Makes a change that is in the journal.
  mutating func apply(_ entry: Journal.Entry) {
    switch entry {
    case .engineState(let databaseScope, let state): engineStates[databaseScope] = state
    case .user(let recordID): user = recordID
    case .record(let record): records[record.recordID] = record
    case .draft(let draft): drafts[draft.recordID] = draft
    case .sent(let recordID): drafts[recordID] = nil
    case .deletion(let recordID):
      drafts[recordID] = nil
      deletions.insert(recordID)
    case .removed(let recordID):
      records[recordID] = nil
      drafts[recordID] = nil
      deletions.remove(recordID)
    case .zoneRemoved(let zoneID):
      records = records.filter { $0.key.zoneID != zoneID }
      drafts = drafts.filter { $0.key.zoneID != zoneID }
      deletions = deletions.filter { $0.zoneID != zoneID }
    case .signedOut: self = LibraryContent()
    }
  }

  // MARK: Records of the server

  /// Takes over a record as the server has it, and carries the user's edits to it.
  ///
  /// An older version may come after a newer one; it changes nothing.
  func entries(for record: ResultRecord) -> [Journal.Entry] {
    if let known = records[record.recordID]?.modificationDate, let date = record.modificationDate,
      date < known
    {
      return []
    }
    guard let draft = drafts[record.recordID] else { return [.record(record)] }
    return entries(for: record, draft.merging(record, resolvingConflictsWith: Note.merge))
  }

  /// Takes over a record that the server has saved, and keeps the edits that were made since it was
  /// sent.
  ///
  /// The two are not compared: the asset of a saved record is not the file that was sent.
  func entries(forSaved record: ResultRecord, sentAs sent: DraftRecord?) -> [Journal.Entry] {
    guard let draft = drafts[record.recordID], let sent else { return [.record(record)] }
    var rest = DraftRecord(record)
    for key in Set(draft.allKeys() + sent.allKeys()).sorted() {
      let field = draft.field(named: key)
      if field == sent.field(named: key) { continue }
      rest.setField(key, to: field?.value, isEncrypted: field?.isEncrypted ?? false)
    }
    if draft.parent != sent.parent { rest.parent = draft.parent }
    return entries(for: record, rest)
  }

  private func entries(for record: ResultRecord, _ draft: DraftRecord) -> [Journal.Entry] {
    [.record(record), draft == DraftRecord(record) ? .sent(record.recordID) : .draft(draft)]
  }
}

extension RecordID {
  /// The database of the record: the shared one for a record of another user.
  var databaseScope: DatabaseScope { zoneID.databaseScope }
}

extension ZoneID {
  /// The database of the zone: the shared one for a zone of another user.
  var databaseScope: DatabaseScope {
    ownerName == ZoneID.currentUserOwnerName ? .private : .shared
  }
}

extension DraftRecord {
  /// A draft of a new record with the same fields, for a server that does not have the record any
  /// more.
  var asNewRecord: DraftRecord {
    var draft = DraftRecord(recordType: recordType, recordID: recordID)
    for field in fields {
      draft.setField(field.name, to: field.value, isEncrypted: field.isEncrypted)
    }
    draft.parent = parent
    return draft
  }
}
