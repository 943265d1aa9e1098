import CloudInterface
import Foundation
import MockCloud
import MockSync

/// The container of one start of an app in a trial. The engines that the app makes on it belong to the
/// trial, those of `CKSyncEngine(_:)` too.
struct SyncTrialContainer: CallHandlingContainer, SyncDevice, SyncEngineMaker, DeviceBacked {
  let base: FaultInjectingContainer<MockDevice>
  let host: SyncTrialHost

  var containerIdentifier: String? { base.containerIdentifier }
  var deviceName: String { base.deviceName }
  var syncSignals: any SyncSignals { base.syncSignals }
  var device: MockDevice { base.device }

  func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

  func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try await base.fileURL(for: asset, in: databaseScope)
  }

  func handle(_ call: CloudCall) async throws -> CloudResponse {
    if base.isCrashed { await host.holdEndlessRequest() } else { host.noteRequest() }
    do {
      let response = try await base.handle(call)
      let errors = response.results.compactMap { entry in
        if case .failure(let error) = entry.result { error } else { nil }
      }
      host.note(errors, of: call.operation)
      return response
    } catch {
      host.note([error], of: call.operation)
      throw error
    }
  }

  func makeEngine(_ configuration: SyncEngineConfiguration) -> MockSyncEngine {
    host.engine(configuration, in: self)
  }
}
