import CloudInterface
import Foundation
import MockCloud
import RecordModel

// Not part of CloudKit: how tests choose what answers.
extension CKContainer {
  /// Creates a container that a mock container answers for, as its signed-in user.
  public convenience init(mock: MockContainer) {
    self.init(backing: Backing(mock, assetsIn: mock))
  }

  /// Creates a container that a mock container answers for, as another of its users.
  public convenience init(mock account: MockAccount) {
    self.init(backing: Backing(account, assetsIn: account.container))
  }

  /// Creates a container that a mock container answers for, as the app on a device.
  public convenience init(mock device: MockDevice) {
    self.init(backing: Backing(device, assetsIn: device.container))
  }

  /// Creates a container that something above a mock container answers for, such as injected faults.
  ///
  /// - Parameters:
  ///   - mock: The container that answers.
  ///   - contents: The mock container, which has the content of assets.
  public convenience init(mock: some CloudContainer, contents: MockContainer) {
    self.init(backing: Backing(mock, assetsIn: contents))
  }

  /// Sets the mock container of `CKContainer(identifier:)` and, for the identifier
  /// `iCloud.com.example.default`, of `default()`.
  public static func setMock(_ mock: MockContainer, forIdentifier identifier: String) {
    Backing.registry.with { $0[identifier] = Backing(mock, assetsIn: mock) }
  }
}
