import Testing

/// Trials of an app's sync: each leads the app into a known trap, on a server of its own, in
/// milliseconds.
///
/// ```swift
/// struct SyncTests {
///   let trials = SyncTrials(hasParents: true) { device in try await ItemStore(device) }
///
///   @Test("pass", arguments: SyncTrial.allCases)
///   func passes(_ trial: SyncTrial) async throws { try await trials.run(trial) }
/// }
/// ```
///
/// A trial checks what every app needs: all devices show the same items, also a new one; no edit is
/// lost that the app has acknowledged; nothing that was deleted returns; nothing stays pending; no
/// engine has too many pending changes, which would fill the memory; and the app makes no call on which
/// CloudKit ends the process.
public struct SyncTrials: Sendable {
  /// Starts the app on a device, with what its last start has left there.
  public typealias MakeStore = @Sendable (SyncTrialDevice) async throws -> any SyncTrialStore

  private let hasParents: Bool
  private let maxPendingChanges: Int
  private let makeStore: MakeStore

  /// Creates trials.
  ///
  /// - Parameters:
  ///   - hasParents: whether items can belong to other items (`parent` or a reference).
  ///   - maxPendingChanges: the maximum number of pending changes of records that the app may give an
  ///     engine at a time. An engine stores all of them at each change: developers measured 350 kB for
  ///     1,000 changes, and 2 GB of memory for 40,000 (`CloudKitSyncInternals.md` of
  ///     `pfriesch/sqlite-data`, iOS 27).
  ///   - makeStore: starts the app on a device.
  public init(
    hasParents: Bool = false, maxPendingChanges: Int = 5_000, _ makeStore: @escaping MakeStore
  ) {
    self.hasParents = hasParents
    self.maxPendingChanges = maxPendingChanges
    self.makeStore = makeStore
  }

  /// Runs a trial, once for each seed.
  ///
  /// - Parameters:
  ///   - trial: the trial. ``SyncTrial/childrenFirst`` fails without parents.
  ///   - seeds: the seeds from which the trial makes up its steps. ``SyncTrial/backlog``,
  ///     ``SyncTrial/kills`` and ``SyncTrial/olderStates`` take the first one only.
  /// - Throws: ``SyncTrialFailure``, with the shortest history that was found; the errors of the
  ///   server's own storage.
  public func run(_ trial: SyncTrial, seeds: ClosedRange<UInt64> = 1...3) async throws {
    if trial == .childrenFirst, !hasParents {
      throw SyncTrialFailure(
        trial: trial, seed: nil, steps: [],
        problem: .init(
          .notTried,
          "the trial did not happen: it needs parents. Leave it out, or create "
            + "SyncTrials(hasParents: true)"))
    }
    for seed in trial.isLong ? seeds.lowerBound...seeds.lowerBound : seeds {
      for steps in try await histories(of: trial, seed) {
        if let (problem, count) = try await newRun(trial).run(steps) {
          let shortest = try await shortened(Array(steps.prefix(count)), problem, trial)
          throw SyncTrialFailure(
            trial: trial, seed: seed, steps: shortest.steps, problem: shortest.problem)
        }
      }
    }
  }

  /// Makes the steps of a failed trial again.
  ///
  /// - Throws: ``SyncTrialFailure``; the errors of the server's own storage.
  public func replay(_ trial: SyncTrial, _ steps: [SyncTrialStep]) async throws {
    if let (problem, _) = try await newRun(trial).run(steps) {
      throw SyncTrialFailure(trial: trial, seed: nil, steps: steps, problem: problem)
    }
  }

  private func newRun(_ trial: SyncTrial) throws -> SyncTrialRun {
    try SyncTrialRun(trial, maxPendingChanges: maxPendingChanges, makeStore)
  }

  /// Makes up the steps of a trial: one list, or one for each moment at which the app starts again.
  private func histories(of trial: SyncTrial, _ seed: UInt64) async throws -> [[SyncTrialStep]] {
    let steps = SyncTrialPlan(trial, seed: seed).steps
    let phone = SyncTrialPlan.phone
    guard trial == .kills || trial == .olderStates,
      let start = steps.firstIndex(of: .settle).map({ $0 + 1 })
    else { return [steps] }
    let first = try newRun(trial)
    if try await first.run(Array(steps.prefix(start))) != nil { return [steps] }
    let whole = try newRun(trial)
    if try await whole.run(steps) != nil { return [steps] }
    let (before, after) = (await first.counts(of: phone), await whole.counts(of: phone))
    if trial == .olderStates {
      return (-1..<after.states).map { state in
        steps + [.relaunchWithState(phone, state), .settle]
      }
    }
    // Right after an edit, the engine has not reported the state with the pending change.
    let afterEdits = steps.indices.filter { index in
      if index >= start, case .edit(phone, _) = steps[index] { true } else { false }
    }.map { Array(steps[...$0]) + [.relaunch(phone)] + Array(steps[($0 + 1)...]) }
    let atCalls = (1...max(1, after.calls - before.calls)).flatMap { call in
      [true, false].map { isBefore in
        Array(steps[..<start]) + [.killAtCall(phone, call, before: isBefore)]
          + Array(steps[start...])
      }
    }
    return afterEdits + atCalls
  }

  /// Leaves out steps as long as the trial fails in the same way.
  private func shortened(
    _ steps: [SyncTrialStep], _ problem: SyncTrialFailure.Problem, _ trial: SyncTrial
  ) async throws -> (steps: [SyncTrialStep], problem: SyncTrialFailure.Problem) {
    var (steps, problem) = (steps, problem)
    var size = max(1, steps.count / 2)
    var runs = 0
    while size > 0, runs < 60, trial != .backlog {
      var start = 0
      var isShorter = false
      while start < steps.count, runs < 60 {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + size, steps.count))
        runs += 1
        let found = try await newRun(trial).run(fewer)
        if let found, found.problem.kind == problem.kind {
          steps = Array(fewer.prefix(found.at))
          problem = found.problem
          isShorter = true
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    return (steps, problem)
  }
}
