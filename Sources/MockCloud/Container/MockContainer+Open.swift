import Foundation
import RecordModel
import RecordStore

extension MockContainer {
  /// Opens or creates a container file; see `ContainerStore.open(path:mode:info:limits:now:)`.
  ///
  /// - Throws: `ContainerStoreError`, with a case for each kind of file that is not a container.
  public static func open(
    path: String, mode: ContainerStore.OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    rules: ServerRules = .native, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try MockContainer(
      .open(path: path, mode: mode, info: info, limits: rules.recordLimits, now: now),
      rules: rules, now: now)
  }

  /// Opens or creates a container file.
  ///
  /// - Throws: `ContainerStoreError`; `CocoaError` for a URL that is not a file URL.
  public static func open(
    url: URL, mode: ContainerStore.OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    rules: ServerRules = .native, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try MockContainer(
      .open(url: url, mode: mode, info: info, limits: rules.recordLimits, now: now),
      rules: rules, now: now)
  }

  /// Creates a container in memory, which exists as long as it is referenced.
  public static func inMemory(
    info: ContainerInfo = ContainerInfo(), rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try MockContainer(
      .inMemory(info: info, limits: rules.recordLimits, now: now), rules: rules, now: now)
  }

  /// Returns a copy in memory, with the same rules. Neither changes with the other.
  ///
  /// Devices, what they have received, a status of the account that was set, and deletions that are
  /// still to come are not copied.
  ///
  /// - Parameter now: returns the time of a request to the copy; nil for that of the container.
  public func fork(now: (@Sendable () -> Date)? = nil) throws -> MockContainer {
    try MockContainer(store.fork(now: now), rules: rules, now: now ?? self.now)
  }
}
