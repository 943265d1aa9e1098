import MockSync
import RecordPackTesting
import TestSupport
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

extension LastWriterStore {
  nonisolated var trialStore: SyncTrialStore {
    SyncTrialStore(
      set: { try await self.set($0) }, delete: { try await self.delete($0) },
      items: { await self.items.mapValues(\.text) }, wake: { await self.activate() })
  }

  private func set(_ items: [SyncTrialItem]) throws {
    for item in items {
      if item.isNew {
        add(item.name, item.text, parent: item.parent)
      } else {
        change(item.name, item.text)
      }
    }
    try finishEdits()
  }
}

extension DocumentStore {
  nonisolated var trialStore: SyncTrialStore {
    SyncTrialStore(
      set: { items in try await self.set(items.map { ($0.name, $0.text) }) },
      delete: { try await self.delete($0) }, items: { await self.texts },
      wake: { await self.wake() })
  }
}

extension SharedItemStore {
  nonisolated var trialStore: SyncTrialStore {
    SyncTrialStore(
      set: { try await self.set($0) }, delete: { try await self.delete($0) },
      items: { await self.texts }, wake: { await self.activate() })
  }

  private func set(_ items: [SyncTrialItem]) throws {
    for item in items { set(item.name, item.text, parent: item.parent) }
    try finishEdits()
  }
}

@Suite("Trials of code that imports CloudKit", .timeLimit(.minutes(20)))
struct UnchangedCodeTests {
  static let seeds = TestAmount.of(1...3, some: 1...1) as ClosedRange<UInt64>

  static let lastWriter = SyncTrials(hasParents: true) { device in
    await LastWriterStore(folder: device.folder).trialStore
  }

  @Test("pass without a journal, where the last writer wins", arguments: lastWriter.all)
  func passesLastWriter(_ trial: SyncTrial) async throws {
    try await Self.lastWriter.run(trial, seeds: Self.seeds)
  }

  @Test(
    "find each mistake of a store where the last writer wins",
    arguments: TestAmount.of(StoreMistake.allCases, oneIn: 3))
  func finds(_ mistake: StoreMistake) async throws {
    let trials = SyncTrials(hasParents: true) { device in
      await LastWriterStore(folder: device.folder, mistake: mistake).trialStore
    }
    try await expectFailure(of: trials, mistake.trial, mistake.evidence)
  }

  @Test(
    "find each mistake of a store with tombstones",
    arguments: TestAmount.of(DocumentMistake.allCases, oneIn: 3))
  func finds(_ mistake: DocumentMistake) async throws {
    let trials = SyncTrials { device in
      DocumentStore(folder: device.folder, container: .default(), mistake: mistake).trialStore
    }
    try await expectFailure(of: trials, mistake.trial, mistake.evidence)
  }

  static let sharing = SyncTrials(hasParents: true, syncsSharedDatabase: true) { device in
    await SharedItemStore(folder: device.folder).trialStore
  }

  @Test("pass with two users and their shared items", arguments: sharing.all)
  func passesSharing(_ trial: SyncTrial) async throws {
    try await Self.sharing.run(trial, seeds: Self.seeds)
  }

  @Test(
    "find each mistake with shared items",
    arguments: TestAmount.of(SharingMistake.allCases, oneIn: 3))
  func finds(_ mistake: SharingMistake) async throws {
    let trials = SyncTrials(hasParents: true, syncsSharedDatabase: true) { device in
      await SharedItemStore(folder: device.folder, mistake: mistake).trialStore
    }
    try await expectFailure(of: trials, mistake.trial, "SharedItems.md")
  }

  private func expectFailure(
    of trials: SyncTrials, _ trial: SyncTrial, _ evidence: String
  ) async throws {
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) { try await trials.run(trial) })
    #expect(failure.steps.count <= 40)
    #expect(failure.description.contains(evidence), "\(failure)")
  }

  @Test(
    "wake an app that syncs by hand at each sync, also after the server asked it to wait",
    arguments: [SyncTrial.conflicts, .throttle])
  func wakesManualApps(_ trial: SyncTrial) async throws {
    let trials = SyncTrials { device in
      DocumentStore(folder: device.folder, container: .default(), isManual: true).trialStore
    }
    try await trials.run(trial)
  }
}

extension StoreMistake {
  /// The trial that finds the mistake.
  fileprivate var trial: SyncTrial {
    switch self {
    case .ignoresFailedDeletions: .rejectedNeighbours
    case .givesUpChildren: .deletedParent
    case .sendsLargeBatches: .largeBatch
    case .sweepsAfterFailedFetches: .failedFetch
    case .makesZoneOnce: .deletedZone
    case .keepsEditsOfLastUser: .switchedAccounts
    case .losesEngine, .sendsFetchedItems: .mixedEdits
    case .addsDefaultItem, .replacesDefaultItem: .reinstall
    case .staysDeleted: .recreatedItem
    case .waitsForEngine: .fullQuota
    case .givesUpFailedItems: .conflicts
    case .givesUpWithoutRecord: .conflictWithoutRecord
    case .raisesException: .childrenFirst
    }
  }

  /// A part of the failure's text.
  fileprivate var evidence: String {
    switch self {
    case .ignoresFailedDeletions: "batchRequestFailed"
    case .givesUpChildren: "referenceViolation"
    case .sendsLargeBatches: "limitExceeded"
    case .sweepsAfterFailedFetches: "FailedFetches.md"
    case .makesZoneOnce: "DeletedZones.md"
    case .keepsEditsOfLastUser: "AccountChanges.md"
    case .losesEngine: "does not keep it"
    case .addsDefaultItem: "items that nobody added"
    case .replacesDefaultItem: "NewInstallations.md"
    case .staysDeleted: ".create("
    case .sendsFetchedItems: "These events repeat:"
    case .waitsForEngine: "does not end"
    case .givesUpFailedItems: "FailedChanges.md"
    case .givesUpWithoutRecord: "can lack the server's record"
    case .raisesException: "parent"
    }
  }
}
