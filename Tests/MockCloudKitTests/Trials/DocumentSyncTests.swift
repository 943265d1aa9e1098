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
    DocumentStore(folder: device.folder, container: .default())
  }

  @Test("The sync passes", arguments: trials.all)
  func passes(_ trial: SyncTrial) async throws { try await Self.trials.run(trial) }
}

extension DocumentStore: SyncTrialStore {
  /// Makes edits as a person does.
  public func apply(_ edits: [SyncTrialEdit]) async throws {
    for edit in edits {
      switch edit {
      case .create(let item, let text, _), .change(let item, let text): try set(item, text)
      case .delete(let item): try delete(item)
      }
    }
    try finishEdits()
  }

  /// Returns what the device shows.
  public func items() async throws -> [String: String] { texts }
}
