import Foundation
import RecordModel

/// The trap that a history has led an app into.
struct SyncTrialCause {
  /// The trap in a sentence, with the app's duty.
  let text: String
  /// The name of the article about it.
  private let article: String

  private init(_ trap: SyncTrial) { (text, article) = (trap.summary, trap.article) }

  private init(_ text: String, _ article: String) { (self.text, self.article) = (text, article) }

  /// The path of the article.
  var page: String { Self.page(article) }

  /// Returns the path of an article, which is beside the sources.
  static func page(_ article: String) -> String {
    let module = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    return module.appendingPathComponent("Documentation.docc/SyncTrials/\(article).md").path
  }

  /// Finds the traps that a failure's history has. Steps that do not matter were left out of it, so each
  /// trap that is left is a part of the cause.
  static func causes(of failure: SyncTrialFailure) -> [SyncTrialCause] {
    switch failure.problem.kind {
    case .forbiddenCall:
      return [.init("The app called the engine from its delegate.", "CallsFromTheDelegate")]
    case .doubled: return [.init(.reinstall)]
    case .foreignState:
      return [.init("An engine continues its own last state only.", "SharedItems")]
    case .exception, .noEngine, .threw, .notTried, .endless: return []
    case .diverged, .missing, .lost, .returned, .changedByItself, .foreign, .pending: break
    }
    var traps: [SyncTrial] = []
    if !failure.evidence.failsWithGentleRules { traps.append(failure.trial) }
    for step in failure.steps {
      if let trap = trap(of: step), !traps.contains(trap) { traps.append(trap) }
    }
    // Sharing has to begin before it can end.
    if traps.contains(where: { [.stoppedSharing, .readOnlySharing].contains($0) }) {
      traps.removeAll { $0 == .sharedItems }
    }
    if traps.isEmpty, let cause = cause(of: failure) { return [cause] }
    return traps.map { .init($0) }
  }

  private static func trap(of step: SyncTrialStep) -> SyncTrial? {
    switch step {
    case .edit, .sync, .settle, .quit, .createMany, .race: nil
    case .relaunch, .killAtCall: .kills
    case .relaunchWithState: .olderStates
    case .failWrite: .failedWrite
    case .failFetch: .failedFetch
    case .editDuringSend: .editDuringSend
    case .reinstall, .changeOwnItem: .reinstall
    case .fillStorage: .fullQuota
    case .expireTokens: .expiredToken
    case .share(.none, _): .stoppedSharing
    case .share(.readOnly, _): .readOnlySharing
    case .share: .sharedItems
    case .signOut: .signOut
    case .signIn(_, let user): user == SyncTrialPlan.firstUser ? .signOut : .switchedAccounts
    case .deleteZones(let reason):
      switch reason {
      case .deleted: .deletedZone
      case .purged: .purgedZone
      case .encryptedDataReset: .resetZone
      }
    case .failSaves(_, let fault, _):
      switch fault {
      case .networkFailure: .networkFailure
      case .responseLost: .lostResponse
      case .serviceUnavailable, .zoneBusy: .throttle
      case .batchRequestFailed: .rejectedNeighbours
      case .conflictWithoutRecord: .conflictWithoutRecord
      }
    }
  }

  /// Finds the cause of a history of edits and syncs only, by the errors that the app was told.
  private static func cause(of failure: SyncTrialFailure) -> SyncTrialCause? {
    let codes = failure.evidence.errorCodes
    let edits = failure.steps.compactMap(\.edit).filter { $0.item == failure.problem.item }
    let isAddedAgain = zip(edits, edits.dropFirst()).contains { edit, next in
      if case (.delete, .create) = (edit, next) { true } else { false }
    }
    if isAddedAgain { return SyncTrialCause(.recreatedItem) }
    if codes.contains(.limitExceeded) { return SyncTrialCause(.largeBatch) }
    if codes.contains(.referenceViolation) { return SyncTrialCause(.deletedParent) }
    if codes.contains(.batchRequestFailed) { return SyncTrialCause(.rejectedNeighbours) }
    if codes.contains(.serverRecordChanged) {
      return failure.evidence.conflictsWithOwnSaves(failure.problem.item)
        ? SyncTrialCause(
          "No other device has changed the record. The app saves it without the change tag of its last "
            + "save: it does not store the system fields of sent records.", "ResolvingConflicts")
        : SyncTrialCause(.conflicts)
    }
    if edits.contains(where: { $0.text == nil }) { return SyncTrialCause(.ownSaves) }
    if failure.problem.kind == .diverged, edits.isEmpty, !failure.trial.isLong {
      return SyncTrialCause(
        "A device shows an item that nobody has added. A record can be fetched more than once.",
        "ChangesThatComeTwice")
    }
    if !failure.evidence.lastErrorCodes.isDisjoint(with: [
      .zoneNotFound, .userDeletedZone, .unknownItem,
    ]) {
      return SyncTrialCause(
        "Records that fail are no longer pending. The app adds them again.", "FailedChanges")
    }
    if failure.evidence.failsWithoutTrap { return nil }
    let quiet: [SyncTrial] = [
      .editBeforeSignIn, .oldDeletions, .recreatedItem, .ownSaves, .childrenFirst, .backlog,
    ]
    return quiet.contains(failure.trial) ? SyncTrialCause(failure.trial) : nil
  }
}
