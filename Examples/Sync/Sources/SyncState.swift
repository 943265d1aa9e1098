import RecordPack

/// What a device keeps between two launches of the app.
public struct SyncState: Sendable, Codable, Equatable {
  /// The records as the server had them at the last fetch, by name.
  public var records: [String: ResultRecord] = [:]
  /// The changes that the server does not have yet, by the name of their record.
  public var drafts: [String: DraftRecord] = [:]
  /// The records that are to be deleted.
  public var deletions: Set<String> = []
  /// Where the next fetch begins.
  public var token: ServerChangeToken?

  /// Creates the state of a new device.
  public init() {}

  /// The fields that the app shows: those of the draft, or else of the record.
  public subscript(name: String) -> DraftRecord? {
    if deletions.contains(name) { return nil }
    return drafts[name] ?? records[name].map { DraftRecord($0) }
  }

  /// Whether the server has everything.
  public var isSynced: Bool { drafts.isEmpty && deletions.isEmpty }

  // MARK: What the server says

  /// Takes over a record that was saved, and carries the draft's changes to it.
  mutating func update(_ record: ResultRecord, _ merge: SyncEngine.Merge) {
    let name = record.recordID.recordName
    records[name] = record
    guard let draft = drafts[name] else { return }
    let merged = draft.merging(record, resolvingConflictsWith: merge)
    drafts[name] = merged.changedKeys().isEmpty ? nil : merged
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
