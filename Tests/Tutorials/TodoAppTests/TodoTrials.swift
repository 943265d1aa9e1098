import RecordPackTesting
import Testing

@testable import TodoApp

struct TodoTrials {
  let trials = SyncTrials { device in
    let store = TodoStore()
    await store.start(device.container) { device.engine($0) }
    return SyncTrialStore(
      set: { items in for item in items { await store.setTitle(item.text, of: item.name) } },
      delete: { await store.setTitle(nil, of: $0) },
      items: { await store.titles })
  }

  @Test("The sync passes", arguments: [SyncTrial.conflicts, .editBeforeSignIn, .failedBatch])
  func passes(_ trial: SyncTrial) async throws { try await trials.run(trial) }
}
