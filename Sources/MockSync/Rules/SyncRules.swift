/// The behaviour of an engine about which sources disagree, or which a test chooses.
///
/// Each setting names its sources. The default is what developers observed on devices where that is
/// stricter than Apple's documentation: a test that passes with the gentler behaviour would fail
/// live. *Internals* means `CloudKitSyncInternals.md` of `pfriesch/sqlite-data` (iOS 27), *Moolah* the
/// guide of `moolah-rocks/moolah-native`, *sample* Apple's `sample-cloudkit-sync-engine`.
///
/// ```swift
/// var rules = SyncRules()
/// rules.failedBatch = .continues
/// ```
public struct SyncRules: Sendable, Hashable {
  // MARK: Sending

  /// The effect of a batch with failures on the send.
  public var failedBatch = FailedBatch.endsSend

  /// The effect of a batch with failures on the send.
  public enum FailedBatch: Sendable, Hashable, CaseIterable {
    /// The send ends. Changes that the app adds in `sentRecordZoneChanges` stay pending until
    /// something else starts a sync. Source: Internals; Apple Developer Forums 829402.
    case endsSend
    /// The engine asks for the next batch, if the server has returned a result for each record.
    /// Source: Apple's `CKSyncEngine.h`; the sample adds changes in that event.
    case continues
  }

  /// Whether a send that the app asks for throws the errors of its records.
  ///
  /// Default: thrown. A test then finds an app that gives up a whole send for the error of one record.
  public var errorsOfRecords = ErrorsOfRecords.thrown

  /// Whether a send that the app asks for throws the errors of its records.
  public enum ErrorsOfRecords: Sendable, Hashable, CaseIterable {
    /// They are in the event only. Source: Apple's `CKSyncEngine.h` describes errors of items so.
    case reported
    /// The send throws `partialFailure` after its last event. Source: the tests of the sample, which
    /// expect `sendChanges` to fail with a conflict, a missing zone and a missing record.
    case thrown
  }

  /// Whether an error of one record fails the others of its zone in the batch.
  public var atomicity = Atomicity.always

  /// Whether an error of one record fails the others of its zone in the batch.
  public enum Atomicity: Sendable, Hashable, CaseIterable {
    /// In zones that can do that, whatever `atomicByZone` says. Source: `batchRequestFailed` was seen
    /// with the default in sqlite-data #315 and #328.
    case always
    /// As `atomicByZone` says. Source: Apple's `CKSyncEngineRecordZoneChangeBatch.h`.
    case asRequested
  }

  /// The time at which sent changes leave the state.
  public var removal = Removal.beforeEvent

  /// The time at which sent changes leave the state.
  public enum Removal: Sendable, Hashable, CaseIterable {
    /// Before `sentRecordZoneChanges`: an app that ends between the two loses what failed. Source:
    /// Internals sees two state updates before the event.
    case beforeEvent
    /// When the delegate has handled `sentRecordZoneChanges`. No source says so or denies it.
    case afterEvent
  }

  /// The effect of a pending save whose record the app does not have.
  public var missingRecords = MissingRecords.stayPending

  /// The effect of a pending save whose record the app does not have.
  public enum MissingRecords: Sendable, Hashable, CaseIterable {
    /// It stays pending until the app removes it. Source: the sample removes it.
    case stayPending
    /// The engine drops it. Source: Moolah.
    case dropped
  }

  /// Whether the list of pending changes can have a change twice.
  ///
  /// Default: dropped. Many public apps add a change at each edit, and a batch with a record twice
  /// would fail.
  public var duplicates = Duplicates.dropped

  /// Whether the list of pending changes can have a change twice.
  public enum Duplicates: Sendable, Hashable, CaseIterable {
    /// Each record is in the list once; a later change replaces an earlier one. Source: Apple's
    /// `CKSyncEngineState.h`.
    case dropped
    /// The list has what was added. Source: Moolah.
    case kept
  }

  /// The effect of `serviceUnavailable` or `requestRateLimited` as the error of a single record.
  ///
  /// Default: retried. The cause of the observation was not proven to be the engine.
  public var throttledRecords = ThrottledRecords.retried

  /// The effect of `serviceUnavailable` or `requestRateLimited` as the error of a single record.
  public enum ThrottledRecords: Sendable, Hashable, CaseIterable {
    /// The engine sends the record again. Source: Apple's `CKSyncEngine.h`.
    case retried
    /// The change is gone. Source: sqlite-data #432.
    case forgotten
  }

  /// The effect of a deleted zone on the pending changes of its records.
  ///
  /// No source says what happens. If they are kept, the app handles the errors of the send.
  public var changesOfDeletedZones = ChangesOfDeletedZones.kept

  /// The effect of a deleted zone on the pending changes of its records.
  public enum ChangesOfDeletedZones: Sendable, Hashable, CaseIterable {
    /// They stay pending.
    case kept
    /// They are removed.
    case removed
  }

  // MARK: Time

  /// The time after which a throttled engine works again.
  public var throttle = Throttle.silence(.seconds(720))

  /// The time after which a throttled engine works again.
  public enum Throttle: Sendable, Hashable {
    /// A time that the system's scheduler chooses, whatever the server asks for. Source: Internals
    /// measured 32 seconds to more than 12 minutes.
    case silence(Duration)
    /// The time that the server asks for. Source: Apple's technote TN3162.
    case retryAfter
  }

  /// The time until the next try after another error that the engine handles, if the error has no
  /// `retryAfter`: 30 seconds. No source has a number.
  public var retryInterval = Duration.seconds(30)

  /// The time from a change or a push to the sync: 1 second. Source: Internals, for changes that are
  /// added after `didSendChanges`.
  public var syncDelay = Duration.seconds(1)

  /// The time in which several changes of the state are joined into one `stateUpdate`: 100
  /// milliseconds. Source: the engineer who wrote Apple's sample, in
  /// sample-cloudkit-sync-engine #5.
  public var stateUpdateDelay = Duration.milliseconds(100)

  /// The time from the creation of an engine, or a change of the account, to the check of the account:
  /// 100 milliseconds. No source has a number; changes that were added before are cleared.
  public var accountCheckDelay = Duration.milliseconds(100)

  /// The effect of the first `signIn` of an engine on changes that the app added before it.
  public var firstSignIn = FirstSignIn.forgetsChanges

  /// The effect of the first `signIn` of an engine on changes that the app added before it.
  public enum FirstSignIn: Sendable, Hashable, CaseIterable {
    /// They are forgotten, zones too. Source: Apple's documentation of
    /// `CKSyncEngine.Event.AccountChange`; several public apps lost edits so.
    case forgetsChanges
    /// They stay pending. No source says so: trials use it where another trap is tried.
    case keepsChanges
  }

  // MARK: Fetching

  /// The order of fetched changes.
  public var fetchOrder = FetchOrder.oldestFirst

  /// The maximum number of changes in a `fetchedRecordZoneChanges` event: 200. Source: Internals.
  public var maxChangesInEvent = 200

  /// Creates the default rules.
  public init() {}
}

/// The order of the changes that an engine fetches. No order is promised (Apple's
/// `CKSyncEngineEvent.h`), so an app has to work with each.
public enum FetchOrder: Sendable, Hashable {
  /// By modification date. Source: Apple's `CKSyncEngineEvent.h` names it as usual.
  case oldestFirst
  /// Records before the records that are their parents, in an event of their own. Source: Internals.
  case childrenBeforeParents
  /// After a record comes, in a further event, the version that the engine saved or fetched before.
  /// Source: Moolah #1085: an app that does not compare dates overwrites the newer version.
  case olderVersionLast
  /// In a random order, in events of random sizes.
  case shuffled(seed: UInt64)
}
