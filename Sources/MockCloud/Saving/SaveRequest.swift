import CloudInterface
import RecordModel
import RecordStore

/// A record to save, with its policy. An app sets the policy for all records of a request, a client of
/// Web Services for each record.
package struct SaveRequest: Sendable {
  /// The record.
  package var draft: DraftRecord
  /// The policy for a record that has changed on the server.
  package var policy: RecordSavePolicy
  /// Whether the fields are removed that only the stored record has. Source: Apple's *CloudKit Web
  /// Services Reference*, operation types `replace` and `forceReplace`.
  package var replacesFields: Bool
  /// Whether the draft replaces a damaged record, as `allKeys` does.
  package var replacesDamage: Bool
  /// Whether the draft's parent is sent, even nil; nil for an app, whose draft says what it has changed.
  /// Source: Apple's *CloudKit Web Services Reference*, "Updating Records": a member that the request
  /// does not have changes nothing.
  package var sendsParent: Bool?
  /// Whether the draft's share is sent; see ``sendsParent``.
  package var sendsShare: Bool?
  /// The error of a record that is rejected before the rules check it; nil for other records.
  package var rejection: CloudError?

  package init(
    _ draft: DraftRecord, _ policy: RecordSavePolicy, replacesFields: Bool = false,
    replacesDamage: Bool = false
  ) {
    self.draft = draft
    self.policy = policy
    self.replacesFields = replacesFields
    self.replacesDamage = replacesDamage
  }

  /// Whether all fields of the draft are sent, not only those that have changed.
  var sendsAllKeys: Bool { policy == .allKeys || replacesFields }
}

/// A record to delete.
package struct RecordDeletion: Sendable {
  /// The record.
  package var recordID: RecordID
  /// The version that is deleted, and no other one; nil for any.
  package var recordChangeTag: String?

  package init(_ recordID: RecordID, recordChangeTag: String? = nil) {
    self.recordID = recordID
    self.recordChangeTag = recordChangeTag
  }
}

/// A draft that is being saved.
final class SaveCandidate {
  /// The draft as the client sent it.
  let draft: DraftRecord
  /// The record that is stored under the draft's name.
  let stored: ResultRecord?
  /// The policy that applies to the draft.
  let policy: RecordSavePolicy
  /// Whether all fields of the draft are sent, not only those that have changed.
  let sendsAllKeys: Bool
  /// The record as it will be stored, before it gets its change tag and stamps.
  let merged: ResultRecord
  /// The position in the request.
  let position: Int
  /// The records of its zone that the record will be deleted with.
  let owners: Set<RecordID>
  /// The stored record as the container has it.
  let row: StoredRecord?
  /// The error of a record that is rejected before the rules check it.
  let rejection: CloudError?
  /// The error of a stored record that is damaged. A save with all keys replaces it.
  let damage: ContainerStoreError?

  /// - Parameters:
  ///   - stored: what is stored under the draft's name.
  ///   - view: the database of the user who saves the draft.
  ///   - root: the record of the request that the draft, a share, is about.
  init(
    _ save: SaveRequest, over found: Result<StoredRecord?, ContainerStoreError>,
    in view: AccountView, about root: RecordID?, at position: Int
  ) {
    draft = save.draft
    rejection = save.rejection
    (row, damage) =
      switch found {
      case .success(let row): (row, nil)
      case .failure(let error): (nil, error)
      }
    stored = row.map { view.visible($0.record) }
    // Source: Apple's documentation of `CKShare`.
    let isShare = draft.recordType == Share.recordType
    let replacesDamage = damage != nil && save.replacesDamage
    policy = isShare ? .ifServerRecordUnchanged : replacesDamage ? .allKeys : save.policy
    sendsAllKeys = save.replacesFields || policy == .allKeys
    self.position = position
    merged = ServerMerge(save, sendsAllKeys: sendsAllKeys).result(over: stored)
      .completed(over: stored, in: view, about: root)
    owners = Set(merged.owners)
  }

  var recordID: RecordID { draft.recordID }

  /// The fields that the client sends.
  var sentFields: [Field] {
    draft.fields.filter { draft.sends($0, all: sendsAllKeys) }
  }
}
