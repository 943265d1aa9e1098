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
    case .exception, .noEngine, .threw, .notTried, .endless: return []
    case .diverged, .missing, .lost, .returned, .changedByItself, .foreign, .pending: break
    }
    var traps: [SyncTrial] = []
    if !failure.evidence.failsWithGentleRules { traps.append(failure.trial) }
    for step in failure.steps {
      if let trap = trap(of: step), !traps.contains(trap) { traps.append(trap) }
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
    case .expireTokens: .expiredToken
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
      case .quotaExceeded: .fullQuota
      case .batchRequestFailed: .rejectedNeighbours
      case .conflictWithoutRecord: .conflictWithoutRecord
      }
    }
  }

  /// Finds the cause of a history of edits and syncs only, by the errors that the app was told.
  private static func cause(of failure: SyncTrialFailure) -> SyncTrialCause? {
    let codes = failure.evidence.errorCodes
    if codes.contains(.limitExceeded) { return SyncTrialCause(.largeBatch) }
    if codes.contains(.referenceViolation) { return SyncTrialCause(.deletedParent) }
    if codes.contains(.batchRequestFailed) { return SyncTrialCause(.rejectedNeighbours) }
    if codes.contains(.serverRecordChanged) { return SyncTrialCause(.conflicts) }
    if !codes.isDisjoint(with: [.zoneNotFound, .userDeletedZone, .unknownItem]) {
      return SyncTrialCause(
        "Records that fail are no longer pending. The app adds them again.", "FailedChanges")
    }
    let quiet: [SyncTrial] = [.editBeforeSignIn, .oldDeletions, .recreatedItem, .backlog]
    return quiet.contains(failure.trial) ? SyncTrialCause(failure.trial) : nil
  }
}
