import RecordPackTesting

/// A mistake in a store with tombstones and a zone for each document.
enum DocumentMistake: String, CaseIterable, Sendable {
  /// Forgets an item when it is deleted, in place of a tombstone.
  case forgetsTombstones
  /// Takes all edits for sent, those of the meantime too.
  case confirmsNewerEdits
  /// Takes fetched records of any age.
  case ignoresDates
  /// Keeps the items of a deleted zone.
  case keepsDeletedZones
  /// Does not make a zone that is missing.
  case makesNoZone
  /// Makes a zone that is missing, and not one that the user has deleted.
  case makesNoDeletedZone
  /// Keeps the items of the last user.
  case keepsItemsOfLastUser
  /// Keeps the items of a user who signs out.
  case keepsItemsAtSignOut
  /// Shows a deleted item again when its record is fetched.
  case revivesDeletedItems
  /// Takes all items for sent at each start.
  case losesNumbersOfEdits
  /// Stores an edit with the next event only.
  case savesLate
  /// Adds failed changes again before the send has ended.
  case addsDuringEvent
  /// Gives up items that exceed the quota.
  case givesUpOverQuota
  /// Sends items that exceed the quota again at once.
  case sendsAgainOverQuota
  /// Gives up items that failed with others.
  case givesUpNeighbours
  /// Does not add edits again when the user signs in.
  case ignoresSignIn
  /// Gives up an item after a conflict without the server's record.
  case givesUpWithoutRecord

  /// The trial that finds the mistake.
  var trial: SyncTrial {
    switch self {
    case .forgetsTombstones, .makesNoZone: .mixedEdits
    case .confirmsNewerEdits: .editDuringSend
    case .ignoresDates: .olderVersionLast
    case .keepsDeletedZones: .deletedZone
    case .makesNoDeletedZone: .purgedZone
    case .keepsItemsOfLastUser: .switchedAccounts
    case .keepsItemsAtSignOut: .signOut
    case .revivesDeletedItems: .ownSaves
    case .losesNumbersOfEdits, .savesLate: .kills
    case .addsDuringEvent: .failedBatch
    case .givesUpOverQuota, .sendsAgainOverQuota: .fullQuota
    case .givesUpNeighbours: .rejectedNeighbours
    case .ignoresSignIn: .editBeforeSignIn
    case .givesUpWithoutRecord: .conflictWithoutRecord
    }
  }

  /// A part of the failure's text.
  var evidence: String {
    switch self {
    case .forgetsTombstones: ".delete("
    case .confirmsNewerEdits: "EditsDuringASend.md"
    case .ignoresDates: "ChangesInAnyOrder.md"
    case .keepsDeletedZones: "DeletedZones.md"
    case .makesNoZone: "zoneNotFound"
    case .makesNoDeletedZone: "userDeletedZone, and need the zone again"
    case .keepsItemsOfLastUser, .keepsItemsAtSignOut: "AccountChanges.md"
    case .revivesDeletedItems: "ChangesThatComeTwice.md"
    case .losesNumbersOfEdits, .savesLate: "KilledApps.md"
    case .addsDuringEvent: "FailedBatches.md"
    case .givesUpOverQuota: "quotaExceeded"
    case .sendsAgainOverQuota: "not at once"
    case .givesUpNeighbours: "batchRequestFailed"
    case .ignoresSignIn: "EditsBeforeTheFirstSignIn.md"
    case .givesUpWithoutRecord: "can lack the server's record"
    }
  }
}
