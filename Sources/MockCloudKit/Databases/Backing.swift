import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel

/// The container that handles the requests to a `CKContainer`.
final class Backing: Sendable {
  let container: any CloudContainer
  /// The behaviour of the sync engines on the container.
  let syncRules: SyncRules
  /// The clock of the sync engines.
  let clock: any Clock<Duration>
  private let notifying: Task<Void, Never>

  init(
    _ container: some CloudContainer, syncRules: SyncRules = SyncRules(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.container = container
    self.syncRules = syncRules
    self.clock = clock
    let changes = container.accountChanges()
    notifying = Task {
      for await _ in changes {
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
      }
    }
  }

  deinit { notifying.cancel() }

  func database(with scope: DatabaseScope) -> any CloudDatabase {
    container.database(with: scope)
  }

  /// Reads the content of assets, which is the same for all databases of a container.
  var contents: any CloudDatabase { database(with: .private) }

  /// The pushes to the device of the container, and the changes of its account. A container that is not
  /// a device does not receive pushes.
  var signals: any SyncSignals {
    if let backed = container as? any DeviceBacked { return DeviceSignals(device: backed.device) }
    let container = container
    return SyncStreams(
      notifications: { AsyncStream { $0.finish() } },
      accountChanges: { container.accountChanges() })
  }
}

private struct DeviceSignals: SyncSignals {
  let device: MockDevice

  func observe(_ handler: @escaping @Sendable (SyncSignal) -> Void) -> any Sendable {
    device.observe(
      notification: { handler(.notification($0)) }, accountChange: { handler(.accountChanged) })
  }
}
