import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoTrials {
  let trials = SyncTrials { device in await TrialStore(device) }

  @Test("The sync passes", arguments: [SyncTrial.conflicts, .editBeforeSignIn, .failedBatch])
  func passes(_ trial: SyncTrial) async throws { try await trials.run(trial) }
}

/// The app on a device of a trial.
private final class TrialStore: SyncTrialStore {
  private let store = TodoStore()

  init(_ device: SyncTrialDevice) async {
    await store.start(device.container) { device.engine($0) }
  }

  func apply(_ edits: [SyncTrialEdit]) async throws {
    for edit in edits {
      switch edit {
      case .create(let item, let text, _), .change(let item, let text):
        await store.setTitle(text, of: item)
      case .delete(let item): await store.setTitle(nil, of: item)
      }
    }
  }

  func items() async throws -> [String: String] { await store.titles }
}
