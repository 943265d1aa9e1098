import CloudInterface

extension MockDevice {
  /// Calls handlers with each notification to the device, and when its account changes, until the
  /// result is released. A handler is called before the request or change that it is about returns.
  package func observe(
    notification: @escaping @Sendable (CloudNotification) -> Void,
    accountChange: @escaping @Sendable () -> Void
  ) -> any Sendable {
    DeviceObservation(container, deviceKey, notification, accountChange)
  }
}

/// Ends with the object.
private final class DeviceObservation: Sendable {
  private let container: MockContainer
  private let device: DeviceKey
  private let numbers: (notification: Int, accountChange: Int)

  init(
    _ container: MockContainer, _ device: DeviceKey,
    _ notification: @escaping @Sendable (CloudNotification) -> Void,
    _ accountChange: @escaping @Sendable () -> Void
  ) {
    self.container = container
    self.device = device
    numbers = (
      container.notifications.addObserver(of: device, notification),
      container.sessions.addObserver(of: device, accountChange)
    )
  }

  deinit {
    container.notifications.removeObserver(numbers.notification, of: device)
    container.sessions.removeObserver(numbers.accountChange)
  }
}

/// A container that is the app on a device, or one around such a container.
package protocol DeviceBacked {
  /// The device.
  var device: MockDevice { get }
}

extension MockDevice: DeviceBacked {
  package var device: MockDevice { self }
}

extension FaultInjectingContainer: DeviceBacked where Base: DeviceBacked {
  package var device: MockDevice { base.device }
}
