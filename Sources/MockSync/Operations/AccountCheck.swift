import CloudInterface
import RecordModel

extension MockSyncEngine {
  /// Compares the account with the account of the state, if it may have changed, and reports a
  /// change.
  ///
  /// Several changes since the last check are one (Apple's documentation of
  /// `CKSyncEngine.Event.AccountChange`). An engine without a state reports `signIn`, as several
  /// public apps have found.
  ///
  /// - Throws: `CloudError` if the account cannot be checked; the engine tries again.
  func checkAccount() async throws {
    guard schedule.needsAccountCheck else { return }
    guard let account else {
      let wasSignedIn = setSignedIn(true)
      return schedule.accountChecked(startsSync: !wasSignedIn)
    }
    let user: RecordID?
    do {
      switch try await account.accountStatus() {
      case .available: user = try await account.userRecordID()
      case .noAccount: user = nil
      case .couldNotDetermine, .restricted, .temporarilyUnavailable:
        // The user may come back: nothing is forgotten.
        _ = setSignedIn(false)
        return schedule.accountChecked(startsSync: false)
      }
    } catch let error as CloudError {
      schedule.accountCheckFailed()
      throw error
    }
    let wasSignedIn = setSignedIn(user != nil)
    let previous = engineState.with { $0.user }
    guard previous != user else {
      return schedule.accountChecked(startsSync: !wasSignedIn && user != nil)
    }
    engineState.reset(
      rules, user: user,
      keepsChanges: previous == nil && user != nil && rules.firstSignIn == .keepsChanges)
    versions?.removeAll()
    schedule.accountChecked(startsSync: user != nil)
    let change: SyncEngineEvent.AccountChange.ChangeType
    switch (previous, user) {
    case (nil, let user?): change = .signIn(currentUser: user)
    case (let previous?, let user?):
      change = .switchAccounts(previousUser: previous, currentUser: user)
    case (let previous?, nil): change = .signOut(previousUser: previous)
    case (nil, nil): return
    }
    try await deliver(.accountChange(.init(changeType: change)))
    try await deliverState()
  }
}
