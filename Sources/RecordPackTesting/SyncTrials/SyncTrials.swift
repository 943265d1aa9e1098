import MockSync
import Testing

/// Trials of an app's sync: each leads the app into a known trap, on a server of its own, in
/// milliseconds.
///
/// ```swift
/// struct SyncTests {
///   static let trials = SyncTrials(hasParents: true, checksWrites: true) { device in
///     try await ItemStore(device).trialStore
///   }
///
///   @Test("pass", arguments: trials.all)
///   func passes(_ trial: SyncTrial) async throws { try await Self.trials.run(trial) }
/// }
/// ```
///
/// A trial checks what every app needs: all devices show the same items, also a new one; no edit is
/// lost that the app has acknowledged; nothing that was deleted returns; nothing stays pending; and the
/// app makes no call on which CloudKit ends the process. It warns if an engine has too many pending
/// changes, which would fill the memory.
///
/// Each history ends when nothing has happened for ``SyncTrial/timeLimit``, when an engine has had
/// ``SyncTrial/maxEvents`` events without coming to rest, and when the app has made
/// ``SyncTrial/maxCalls`` calls.
public struct SyncTrials: Sendable {
  /// Starts the app on a device, with what its last start has left there.
  ///
  /// The code that it calls, and the tasks that this makes, find the device's container as
  /// `CKContainer.default()` and `CKContainer(identifier:)` of `MockCloudKit`. The trial keeps the store
  /// until the app ends.
  public typealias MakeStore = @Sendable (SyncTrialDevice) async throws -> SyncTrialStore

  private let hasParents: Bool
  private let checksWrites: Bool
  private let syncsSharedDatabase: Bool
  private let rules: SyncRules
  private let settings: SyncTrialRun.Settings

  /// Creates trials.
  ///
  /// - Parameters:
  ///   - hasParents: whether items can belong to other items (`parent` or a reference).
  ///   - checksWrites: whether the store calls ``SyncTrialDevice/checkWrite()``.
  ///   - syncsSharedDatabase: whether the store makes an engine for `sharedCloudDatabase`, too.
  ///   - policies: decisions of the app that trials would otherwise report as mistakes.
  ///   - maxPendingChanges: the maximum number of pending changes of records that the app may give an
  ///     engine at a time; ``SyncTrial/backlog`` adds more. An engine stores all of them at each
  ///     change: developers measured 350 kB for 1,000 changes, and 2 GB of memory for 40,000 (`CloudKitSyncInternals.md` of
  ///     `pfriesch/sqlite-data`, iOS 27).
  ///   - rules: the behaviour of the engines. `failedBatch`, `atomicity` and `fetchOrder` are chosen by
  ///     the trials.
  ///   - makeStore: starts the app on a device.
  public init(
    hasParents: Bool = false, checksWrites: Bool = false, syncsSharedDatabase: Bool = false,
    policies: SyncTrialPolicies = [],
    maxPendingChanges: Int = 2_000, rules: SyncRules = SyncRules(),
    _ makeStore: @escaping MakeStore
  ) {
    self.hasParents = hasParents
    self.checksWrites = checksWrites
    self.syncsSharedDatabase = syncsSharedDatabase
    self.rules = rules
    settings = SyncTrialRun.Settings(
      policies: policies, maxPendingChanges: maxPendingChanges, makeStore: makeStore)
  }

  /// The trials that apply to the app: all but those that need parents, the shared database or
  /// ``SyncTrialDevice/checkWrite()``, if the app does not have them.
  public var all: [SyncTrial] {
    SyncTrial.allCases.filter { missing(for: $0) == nil && (checksWrites || $0 != .failedWrite) }
  }

  /// Returns the setting without which a trial cannot happen.
  private func missing(for trial: SyncTrial) -> String? {
    if trial.needsParents, !hasParents { return "hasParents" }
    return trial.needsSharedDatabase && !syncsSharedDatabase ? "syncsSharedDatabase" : nil
  }

  /// Runs a trial, once for each seed.
  ///
  /// - Parameters:
  ///   - trial: the trial, one of ``all``.
  ///   - seeds: the seeds from which the trial makes up its steps. ``SyncTrial/backlog``,
  ///     ``SyncTrial/largeBatch``, ``SyncTrial/kills`` and ``SyncTrial/olderStates`` take the first one
  ///     only.
  /// - Returns: warnings, which the running test shows from Swift 6.3 on: dangers that did no harm.
  /// - Throws: ``SyncTrialFailure``, with the shortest history that was found; the errors of the
  ///   server's own storage.
  @discardableResult
  public func run(
    _ trial: SyncTrial, seeds: ClosedRange<UInt64> = 1...3
  ) async throws -> [String] {
    if let missing = missing(for: trial) {
      throw SyncTrialFailure(
        trial: trial, seed: nil, steps: [],
        problem: .init(
          .notTried,
          "the trial did not happen. Leave it out, or create SyncTrials(\(missing): true)."))
    }
    var warnings: [String] = []
    for seed in trial.isLong ? seeds.lowerBound...seeds.lowerBound : seeds {
      for steps in try await histories(of: trial, seed) {
        let run = try newRun(trial)
        if let found = try await run.run(steps) {
          throw try await failure(of: trial, seed, steps, found)
        }
        for warning in await run.warnings where !warnings.contains(warning) {
          warnings.append(warning)
        }
      }
    }
    #if compiler(>=6.3)
      for warning in warnings { Issue.record(Comment(rawValue: warning), severity: .warning) }
    #endif
    return warnings
  }

  /// Makes the steps of a failed trial again.
  ///
  /// - Throws: ``SyncTrialFailure``; the errors of the server's own storage.
  public func replay(_ trial: SyncTrial, _ steps: [SyncTrialStep]) async throws {
    guard let found = try await newRun(trial).run(steps) else { return }
    throw SyncTrialFailure(
      trial: trial, seed: nil, steps: steps, problem: found.problem,
      evidence: try await judged(found, trial, steps))
  }

  private func newRun(_ trial: SyncTrial, comparesFiles: Bool = false) throws -> SyncTrialRun {
    var settings = settings
    settings.comparesFiles = comparesFiles
    return try SyncTrialRun(trial, rules: trial.rules(rules), settings)
  }

  /// Makes up the steps of a trial.
  private func plan(_ trial: SyncTrial, _ seed: UInt64) -> [SyncTrialStep] {
    SyncTrialPlan(
      trial, seed: seed, hasParents: hasParents, maxPendingChanges: settings.maxPendingChanges
    ).steps
  }

  /// Makes the histories of a trial: one list, or one for each moment at which the app is killed.
  private func histories(of trial: SyncTrial, _ seed: UInt64) async throws -> [[SyncTrialStep]] {
    let steps = plan(trial, seed)
    let phone = SyncTrialPlan.phone
    guard trial == .kills || trial == .olderStates,
      let start = steps.dropLast().lastIndex(of: .settle).map({ $0 + 1 })
    else { return [steps] }
    let whole = try newRun(trial, comparesFiles: trial == .kills)
    if try await whole.run(steps) != nil { return [steps] }
    let calls = await whole.calls(of: phone)
    if trial == .olderStates {
      return [
        steps
          + (-1..<calls.states).flatMap { state in
            [SyncTrialStep.relaunchWithState(phone, state), .settle]
          }
      ]
    }
    let first = try newRun(trial)
    if try await first.run(Array(steps.prefix(start))) != nil { return [steps] }
    let count = await first.calls(of: phone).count
    // Right after an edit, the engine has not reported the state with the pending change.
    let afterEdits = steps.indices.filter { index in
      if index >= start, case .edit(phone, _) = steps[index] { true } else { false }
    }.map { Array(steps[...$0]) + [.relaunch(phone)] + Array(steps[($0 + 1)...]) }
    // A kill is another one if the server has had a request since the last, or the app has stored something.
    let atCalls = (1...max(1, calls.count - count)).flatMap { call in
      var moments = calls.afterRequests.contains(count + call) ? [true] : []
      if call == 1 || calls.storing?.contains(count + call) != false { moments.append(false) }
      return moments.map { isBefore in
        Array(steps[..<start]) + [.killAtCall(phone, call, before: isBefore)]
          + Array(steps[start...])
      }
    }
    return afterEdits + atCalls
  }

  // MARK: Failures

  /// Finds a short history with the same problem, and its cause.
  private func failure(
    of trial: SyncTrial, _ seed: UInt64, _ steps: [SyncTrialStep], _ found: SyncTrialFinding
  ) async throws -> SyncTrialFailure {
    let shortest = try await shortened(Array(steps.prefix(found.stepCount)), found, trial)
    var evidence = try await judged(shortest.found, trial, shortest.steps)
    evidence.failsWithoutTrap = try await failsWithoutTrap(trial, seed)
    return SyncTrialFailure(
      trial: trial, seed: seed, steps: shortest.steps, problem: shortest.found.problem,
      evidence: evidence)
  }

  /// Finds out whether the app fails edits alone, too, so that the trap of the trial may not be the cause.
  private func failsWithoutTrap(_ trial: SyncTrial, _ seed: UInt64) async throws -> Bool {
    guard trial != .mixedEdits, trial != .conflicts else { return false }
    return try await newRun(.mixedEdits).run(plan(.mixedEdits, seed)) != nil
  }

  /// Finds out whether the trial's own rules are the cause: with the gentle rules, the steps pass.
  private func judged(
    _ found: SyncTrialFinding, _ trial: SyncTrial, _ steps: [SyncTrialStep]
  ) async throws -> SyncTrialEvidence {
    var evidence = found.evidence
    let gentle = SyncTrial.gentle(rules)
    guard trial.rules(rules) != gentle, found.problem.kind != .endless else { return evidence }
    let other = try await SyncTrialRun(trial, rules: gentle, settings).run(steps)
    evidence.failsWithGentleRules = other?.problem.kind == found.problem.kind
    return evidence
  }

  /// Leaves out steps as long as the trial fails in the same way, for at most 60 runs.
  ///
  /// No clock ends it: a slow machine finds the same history, and so the same cause.
  private func shortened(
    _ steps: [SyncTrialStep], _ found: SyncTrialFinding, _ trial: SyncTrial
  ) async throws -> (steps: [SyncTrialStep], found: SyncTrialFinding) {
    var (steps, found) = (steps, found)
    var size = max(1, steps.count / 2)
    var runs = 0
    let hasKills = steps.killsAfterEdits
    while size > 0, runs < 60, trial != .backlog, found.problem.kind != .endless {
      var start = 0
      var isShorter = false
      while start < steps.count, runs < 60 {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        // Without the sync between an edit and a kill, the history would have another trap.
        guard hasKills || !fewer.killsAfterEdits else {
          start += size
          continue
        }
        runs += 1
        let other = try await newRun(trial).run(fewer)
        if let other, other.problem.kind == found.problem.kind {
          steps = Array(fewer.prefix(other.stepCount))
          found = other
          isShorter = true
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    return (steps, found)
  }
}
