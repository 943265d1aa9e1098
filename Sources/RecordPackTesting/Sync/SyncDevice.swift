import CloudInterface
import MockCloud
import MockSync

/// A device of a mock container that engines can run on: a `MockDevice`, or one with injected faults.
public protocol SyncDevice: CloudContainer {
  /// The name of the device in messages.
  var deviceName: String { get }
  /// The pushes and account changes of the device.
  var syncSignals: any SyncSignals { get }
}

extension MockDevice: SyncDevice {
  /// The name of the device.
  public var deviceName: String { name }

  /// The pushes and account changes of the device, before the request that leads to them returns.
  public var syncSignals: any SyncSignals { DeviceSignals(device: self) }
}

extension FaultInjectingContainer: SyncDevice where Base: SyncDevice {
  /// The name of the device.
  public var deviceName: String { base.deviceName }

  /// The pushes and account changes of the device, without faults.
  public var syncSignals: any SyncSignals { base.syncSignals }
}

private struct DeviceSignals: SyncSignals {
  let device: MockDevice

  func observe(_ handler: @escaping @Sendable (SyncSignal) -> Void) -> any Sendable {
    device.observe(
      notification: { handler(.notification($0)) }, accountChange: { handler(.accountChanged) })
  }
}
