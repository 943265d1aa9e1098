import RecordPackTesting
import Testing

@Suite("Sync trials")
struct SyncTests {
  static let trials = SyncTrials(hasParents: true, checksWrites: true) { device in
    try await ItemStore(device)
  }

  @Test("pass", arguments: trials.all)
  func passes(_ trial: SyncTrial) async throws { try await Self.trials.run(trial) }
}

@Suite("Sync trials of a store with a mistake")
struct SyncTrialTests {
  @Test("are repeated from the steps of a failure")
  func replay() async throws {
    let trials = SyncTrials { try await ItemStore($0) }
    try await trials.replay(
      .editDuringSend,
      [
        .edit("Phone", .create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")),
        .editDuringSend(
          "Phone", .change("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000002")),
        .sync("Phone"),
        .settle,
      ])
  }

  @Test("end if two devices begin to sync during each other's requests")
  func races() async throws {
    let trials = SyncTrials { try await ItemStore($0) }
    try await trials.replay(
      .mixedEdits,
      [
        .edit("Phone", .create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")),
        .edit("Tablet", .create("0B1D5DA1-5D38-4F9C-A7E5-1D9B5A4C77E2", text: "edit-000002")),
        .race("Tablet", "Phone"), .race("Phone", "Tablet"), .sync("Phone"), .settle,
      ])
  }

  @Test("accept the policies that a test states")
  func policies() async throws {
    for (mistake, trial, policy) in [
      (Mistake.mixesAccounts, SyncTrial.signOut, SyncTrialPolicies.keepsDataAtSignOut),
      (.sendsPurgedZones, .purgedZone, .recreatesDeletedItems),
    ] {
      let strict = SyncTrials { try await ItemStore($0, mistake: mistake) }
      await #expect(throws: SyncTrialFailure.self) { try await strict.run(trial) }
      let trials = SyncTrials(policies: policy) { try await ItemStore($0, mistake: mistake) }
      try await trials.run(trial)
    }
  }

  @Test("warn of more pending changes than an engine can store")
  func warning() async throws {
    let trials = SyncTrials { try await ItemStore($0, mistake: .addsAllAtOnce) }
    let warnings = try await trials.run(.backlog)
    #expect(warnings.first?.contains("10000 pending changes") == true)
    #expect(warnings.count == 1)
  }

  @Test("that need parents fail without them")
  func parents() async throws {
    let trials = SyncTrials { try await ItemStore($0) }
    let failure = await #expect(throws: SyncTrialFailure.self) {
      try await trials.run(.childrenFirst)
    }
    #expect(try #require(failure).description.contains("it needs parents"))
  }

  @Test("find each mistake", arguments: Mistake.allCases.filter { $0 != .addsAllAtOnce })
  func finds(_ mistake: Mistake) async throws {
    let trials = SyncTrials(hasParents: true) { try await ItemStore($0, mistake: mistake) }
    let failure = await #expect(throws: SyncTrialFailure.self) {
      for trial in mistake.trials { try await trials.run(trial) }
    }
    let steps = try #require(failure).steps
    #expect(steps.count <= 40)
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
    case .addsAllAtOnce: []
    case .forgetsSystemFields: [.lostResponse]
    case .showsDeletedItems: [.expiredToken]
    }
  }
}
