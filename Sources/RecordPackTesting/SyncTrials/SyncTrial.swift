import MockSync

/// A trap of sync, into which a trial leads an app.
public enum SyncTrial: String, Sendable, Hashable, CaseIterable {
  /// Three devices edit the same items in any order.
  case mixedEdits
  /// Two devices edit the same item before they sync: each pair of creations, changes and deletions.
  case conflicts
  /// A person edits an item before a new engine reports that its user has signed in.
  case editBeforeSignIn
  /// A person edits an item while a request with its last edit is under way.
  case editDuringSend
  /// A request fails with a conflict, and the app adds the changes again while it handles the event.
  case failedBatch
  /// A record fails, and CloudKit rejects the other records of the request with it.
  case rejectedNeighbours
  /// Records fail with a conflict, and the error lacks the server's record.
  case conflictWithoutRecord
  /// The network fails before the server has a request.
  case networkFailure
  /// The network fails after the server has applied a request.
  case lostResponse
  /// The server is overloaded, and the engine is silent for minutes.
  case throttle
  /// The user's storage is full for a time, and the app is started again when there is room.
  case fullQuota
  /// Another device deletes the app's zone.
  case deletedZone
  /// The user deletes the app's data in the settings.
  case purgedZone
  /// The user resets the encrypted data of the account.
  case resetZone
  /// The server no longer knows a device's change token.
  case expiredToken
  /// The user signs out, and in again.
  case signOut
  /// Another user signs in on the same device.
  case switchedAccounts
  /// A device fetches children before their parents. Needs parents.
  case childrenFirst
  /// A device fetches an older version of a record after a newer one.
  case olderVersionLast
  /// A device fetches its own saves after a person has deleted or changed the items.
  case ownSaves
  /// A write fails while the app handles fetched records.
  case failedWrite
  /// The app is killed before or after each call of its delegate, and between an edit and the next
  /// state.
  case kills
  /// The app starts with each earlier state of its engine.
  case olderStates
  /// A person adds more items at once than an engine should have pending: 2,100, without another limit.
  case backlog
  /// A person adds items that together are larger than a request, 2 MB.
  case largeBatch
  /// Another device deletes a parent, to which a person has just added a child. Needs parents.
  case deletedParent
  /// An engine without a state fetches everything, and the zone's changes fail.
  case failedFetch
  /// A device starts when the zone has had deletions, and items that were added again under their names.
  case oldDeletions
  /// A person deletes an item and adds it again before the device syncs.
  case recreatedItem
  /// The app is deleted from a device, and installed again.
  case reinstall
  /// Two users edit the items of a shared zone. Needs the shared database.
  case sharedItems
  /// The owner stops sharing while a participant has pending changes. Needs the shared database.
  case stoppedSharing
  /// The owner lets a participant only read, who has pending changes. Needs the shared database.
  case readOnlySharing

  /// The trap in a sentence, and the app's duty.
  public var summary: String {
    switch self {
    case .mixedEdits:
      "Devices must show the same items in the end, and lose no edit that was made alone."
    case .conflicts:
      "A save fails with serverRecordChanged if another device was faster. The app merges the "
        + "server's record, and adds the change again."
    case .editBeforeSignIn:
      "A new engine reports signIn, and forgets the pending changes that were added before. The app "
        + "adds them again."
    case .editDuringSend:
      "A record that the server has saved may be older than the device's. The app keeps newer edits."
    case .failedBatch:
      "Changes that are added inside sentRecordZoneChanges after a failed batch wait for minutes. The "
        + "app adds them after didSendChanges."
    case .rejectedNeighbours:
      "Records that fail with batchRequestFailed are no longer pending. The app adds them again."
    case .conflictWithoutRecord:
      "An error serverRecordChanged can lack the server's record. The app keeps its edit, and adds the "
        + "change again."
    case .networkFailure: "The engine sends again by itself. The app does nothing."
    case .lostResponse:
      "The engine sends a record again that the server has already saved. The app's own edit is then "
        + "the conflict."
    case .throttle: "The engine waits for minutes. The app keeps its edits."
    case .fullQuota:
      "Records that fail with quotaExceeded are no longer pending. The app keeps them, and adds them "
        + "again at the next edit or launch, not at once."
    case .deletedZone:
      "The app deletes the zone's items on each device. New items fail with zoneNotFound, and need the "
        + "zone again."
    case .purgedZone:
      "The app deletes the zone's items, and does not send them again. New items fail with "
        + "userDeletedZone, and need the zone again."
    case .resetZone:
      "The app deletes the zone's items, or sends all again; Apple's headers say both."
    case .expiredToken: "The engine fetches everything again. The app must not show items twice."
    case .signOut: "The app deletes the items of the user who signs out."
    case .switchedAccounts: "The app never mixes the items of two users."
    case .childrenFirst: "The order of fetched records is not promised. The app waits for parents."
    case .olderVersionLast:
      "An older version of a record can arrive after a newer one. The app compares modification dates."
    case .ownSaves:
      "A device's own saves come back as fetched changes. The app keeps an edit or a deletion that is "
        + "newer."
    case .failedWrite:
      "Fetched records do not come again once the event was handled. The app fetches all again."
    case .kills:
      "The engine's state is stored later than the edit. The app keeps a list of its own of unsent "
        + "edits."
    case .olderStates: "The app's data may be newer than the state of its engine."
    case .backlog:
      "A request holds a few hundred records, and an engine stores all its pending changes at each "
        + "change. The app sends in batches, and keeps the surplus in a list of its own."
    case .largeBatch:
      "A request takes 2 MB of fields. RecordZoneChangeBatch(pendingChanges:recordProvider:) makes "
        + "batches that fit; the app adds changes again that fail with limitExceeded."
    case .deletedParent:
      "A record whose parent is gone can fail with referenceViolation. The app keeps the item, without "
        + "its parent or deleted on all devices."
    case .failedFetch:
      "A fetch can fail for one zone. Its items were not deleted: the app waits for "
        + "didFetchRecordZoneChanges without an error."
    case .oldDeletions:
      "A name can be deleted and used again. The app goes by the last of the changes."
    case .recreatedItem:
      "A later change of a record replaces an earlier one in the engine's list. The app saves a new "
        + "record, without the system fields of the deleted one."
    case .reinstall:
      "A new installation is empty until its first fetch. The app adds default items only after it, and "
        + "never sends them over the user's own."
    case .sharedItems:
      "Items of another user's zone are in the shared database, under the zone's name and owner. The app "
        + "sends their changes with the engine of this database, and stores the state of each engine."
    case .stoppedSharing:
      "A zone that is no longer shared is among the deletions of the shared database. The app deletes its "
        + "items and their pending changes, and keeps the user's own items."
    case .readOnlySharing:
      "A participant's change can fail with permissionFailure. The app shows the server's record again."
    }
  }

  /// Whether the trial needs items with parents.
  var needsParents: Bool { self == .childrenFirst || self == .deletedParent }

  /// Whether the trial needs an app that syncs the shared database.
  var needsSharedDatabase: Bool {
    [.sharedItems, .stoppedSharing, .readOnlySharing].contains(self)
  }

  /// The time without a call or an event after which a history has failed: 10 seconds, and 30 for
  /// ``backlog``.
  public var timeLimit: Duration { self == .backlog ? .seconds(30) : .seconds(10) }

  /// The number of events after which each engine must have come to rest.
  public var maxEvents: Int { 3_000 }

  /// The number of requests, pending changes and events after which a history has failed: 20,000, and
  /// 200,000 for ``backlog``. Apps that come to rest need less than 5,000.
  public var maxCalls: Int { self == .backlog ? 200_000 : 20_000 }

  /// Whether the trial has a long history, or one for each moment.
  var isLong: Bool { [.backlog, .largeBatch, .kills, .olderStates].contains(self) }

  /// The name of the article about the trap, in the documentation of this module.
  var article: String {
    switch self {
    case .mixedEdits, .conflicts, .conflictWithoutRecord: "ResolvingConflicts"
    case .editBeforeSignIn: "EditsBeforeTheFirstSignIn"
    case .editDuringSend: "EditsDuringASend"
    case .failedBatch: "FailedBatches"
    case .rejectedNeighbours, .fullQuota, .deletedParent: "FailedChanges"
    case .networkFailure, .lostResponse, .throttle: "RetriesOfTheEngine"
    case .deletedZone, .purgedZone, .resetZone: "DeletedZones"
    case .expiredToken, .olderStates, .ownSaves: "ChangesThatComeTwice"
    case .signOut, .switchedAccounts: "AccountChanges"
    case .childrenFirst, .olderVersionLast, .oldDeletions: "ChangesInAnyOrder"
    case .failedWrite: "FailedWrites"
    case .kills: "KilledApps"
    case .backlog, .largeBatch: "ManyChanges"
    case .failedFetch: "FailedFetches"
    case .recreatedItem: "ResolvingConflicts"
    case .reinstall: "NewInstallations"
    case .sharedItems, .stoppedSharing, .readOnlySharing: "SharedItems"
    }
  }

  /// The gentle behaviour of the engine, in trials that have another trap: it does not fail the trials of
  /// all others.
  static func gentle(_ rules: SyncRules) -> SyncRules {
    var rules = rules
    rules.failedBatch = .continues
    rules.atomicity = .asRequested
    rules.firstSignIn = .keepsChanges
    return rules
  }

  /// The behaviour of the engine in the trial.
  func rules(_ base: SyncRules) -> SyncRules {
    var rules = Self.gentle(base)
    switch self {
    case .editBeforeSignIn: rules.firstSignIn = .forgetsChanges
    case .failedBatch: rules.failedBatch = .endsSend
    case .rejectedNeighbours: rules.atomicity = .always
    case .childrenFirst: rules.fetchOrder = .childrenBeforeParents
    case .olderVersionLast: rules.fetchOrder = .olderVersionLast
    default: break
    }
    return rules
  }
}
