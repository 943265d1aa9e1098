import RecordPack

/// The notes that a device keeps between two launches of the app.
struct DeltaState: Sendable, Codable, Equatable {
  /// The records as the server had them at the last fetch, by name.
  var records: [String: ResultRecord] = [:]
  /// The changes that the server does not have yet, by the name of their record.
  var drafts: [String: DraftRecord] = [:]
  /// The records that are to be deleted.
  var deletions: Set<String> = []
  /// Where the next fetch begins.
  var token: ServerChangeToken?

  /// The fields that the app shows: those of the draft, or else of the record.
  subscript(name: String) -> DraftRecord? {
    if deletions.contains(name) { return nil }
    return drafts[name] ?? records[name].map { DraftRecord($0) }
  }

  /// The names of all records that the app shows, sorted.
  var names: [String] {
    Set(records.keys).union(drafts.keys).subtracting(deletions).sorted()
  }

  /// Whether the server has everything.
  var isSynced: Bool { drafts.isEmpty && deletions.isEmpty }

  // MARK: Results of the server

  /// Takes over a record as another device has saved it, and carries the draft's changes to it.
  mutating func update(_ record: ResultRecord, _ merge: DeltaSync.Merge) {
    let name = record.recordID.recordName
    records[name] = record
    guard let draft = drafts[name] else { return }
    setDraft(draft.merging(record, resolvingConflictsWith: merge), over: record)
  }

  /// Takes over a record that was saved, and keeps what has changed since it was sent.
  ///
  /// The two are not compared: the asset of a saved record is not the file that was sent.
  mutating func update(_ record: ResultRecord, sentAs sent: DraftRecord) {
    let name = record.recordID.recordName
    records[name] = record
    guard let draft = drafts[name] else { return }
    var rest = DraftRecord(record)
    for key in Set(draft.allKeys() + sent.allKeys()) {
      let field = draft.field(named: key)
      if field == sent.field(named: key) { continue }
      rest.setField(key, to: field?.value, isEncrypted: field?.isEncrypted ?? false)
    }
    setDraft(rest, over: record)
  }

  private mutating func setDraft(_ draft: DraftRecord, over record: ResultRecord) {
    drafts[record.recordID.recordName] = draft == DraftRecord(record) ? nil : draft
  }

  /// Forgets a record that was deleted; changes of it are given up.
  mutating func remove(_ name: String) {
    records[name] = nil
    drafts[name] = nil
    deletions.remove(name)
  }

  /// Forgets what was fetched, to fetch all again. Changes stay.
  mutating func startOver() {
    records = [:]
    token = nil
  }
}
