import MockSync
import RecordPackTesting
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

extension LastWriterStore: SyncTrialStore {
  func apply(_ edits: [SyncTrialEdit]) async throws {
    for edit in edits {
      switch edit {
      case .create(let item, let text, let parent): try add(item, text, parent: parent)
      case .change(let item, let text): try change(item, text)
      case .delete(let item): try delete(item)
      }
    }
    try finishEdits()
  }

  func items() async throws -> [String: String] { items.mapValues(\.text) }

  func wake() async throws { activate() }
}

@Suite("Trials of code that imports CloudKit", .timeLimit(.minutes(20)))
struct UnchangedCodeTests {
  static let lastWriter = SyncTrials(hasParents: true) { device in
    await LastWriterStore(folder: device.folder)
  }

  @Test("pass without a journal, where the last writer wins", arguments: lastWriter.all)
  func passesLastWriter(_ trial: SyncTrial) async throws { try await Self.lastWriter.run(trial) }

  // No trial finds yet that a store deletes items after a fetch that failed for one zone.
  @Test(
    "find each mistake",
    arguments: StoreMistake.allCases.filter { $0 != .sweepsAfterFailedFetches })
  func finds(_ mistake: StoreMistake) async throws {
    let trials = SyncTrials(hasParents: true) { device in
      await LastWriterStore(folder: device.folder, mistake: mistake)
    }
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) { try await trials.run(mistake.trial) })
    #expect(failure.steps.count <= 40)
    #expect(failure.description.contains(mistake.evidence), "\(failure)")
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
