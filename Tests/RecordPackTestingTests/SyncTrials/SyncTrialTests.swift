import RecordPackTesting
import Testing

@Suite("Sync trials")
struct SyncTrialTests {
  @Test("find no mistake in a store without any", arguments: SyncTrial.allCases)
  func passes(_ trial: SyncTrial) async throws {
    let trials = SyncTrials(hasParents: true) { try await TrialStore($0) }
    try await trials.run(trial)
  }

  @Test("find each mistake", arguments: Mistake.allCases)
  func finds(_ mistake: Mistake) async throws {
    let trials = SyncTrials(hasParents: true) { try await TrialStore($0, mistake: mistake) }
    let failure = await #expect(throws: SyncTrialFailure.self) {
      for trial in mistake.trials { try await trials.run(trial) }
    }
    let steps = try #require(failure).steps
    #expect(steps.count <= 14)
  }
}

extension Mistake {
  /// The trials of which one finds the mistake.
  fileprivate var trials: [SyncTrial] {
    switch self {
    case .sendsFromDelegate, .sendsFromTaskOfDelegate: [.conflicts]
    case .addsDuringEvent: [.failedBatch]
    case .givesUpNeighbours: [.rejectedNeighbours]
    case .givesUpOverQuota: [.fullQuota]
    case .showsOlderVersions: [.olderVersionLast]
    case .dropsOrphans: [.childrenFirst]
    case .ignoresFailedWrites: [.failedWrite]
    case .hasNoListOfEdits: [.kills]
    case .ignoresSignIn: [.editBeforeSignIn]
    case .leavesMissingPending: [.olderStates]
    case .overwritesNewerEdits: [.editDuringSend]
    case .givesUpWithoutZone: [.deletedZone]
    case .keepsDeletedZones: [.deletedZone]
    case .sendsPurgedZones: [.purgedZone]
    case .mixesAccounts: [.switchedAccounts]
    case .sendsAllAtOnce: [.backlog]
    case .forgetsSystemFields: [.mixedEdits]
    case .showsDeletedItems: [.expiredToken]
    }
  }
}
