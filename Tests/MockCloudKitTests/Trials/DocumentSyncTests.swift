import RecordPackTesting
import Testing

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

// The code of the README and of the guide "Run the trials on your app in ten minutes".

struct DocumentSyncTests {
  static let trials = SyncTrials { device in
    let store = DocumentStore(folder: device.folder, container: .default())
    return SyncTrialStore(
      set: { items in try await store.set(items.map { ($0.name, $0.text) }) },
      delete: { try await store.delete($0) },
      items: { await store.texts })
  }

  @Test("The sync passes", arguments: trials.all)
  func passes(_ trial: SyncTrial) async throws { try await Self.trials.run(trial) }
}
