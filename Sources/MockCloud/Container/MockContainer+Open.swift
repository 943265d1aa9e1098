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
}
