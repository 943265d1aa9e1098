import Foundation
import RecordModel
import RecordPlatform

extension ContainerStore {
  /// Opens or creates a container file; see ``open(path:mode:info:limits:now:)``.
  ///
  /// - Throws: ``ContainerStoreError``; `CocoaError` for a URL that is not a file URL.
  public static func open(
    url: URL, mode: OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    limits: RecordLimits = .cloudKit, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> ContainerStore {
    try open(path: url.filePath(), mode: mode, info: info, limits: limits, now: now)
  }

  /// Creates a container file and fills it; see ``build(path:info:onConflict:_:)``.
  ///
  /// - Throws: the error of `body` or `resolve`, or ``ContainerStoreError``.
  @discardableResult
  public static func build<T>(
    url: URL, info: ContainerInfo = ContainerInfo(),
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try build(path: url.filePath(), info: info, onConflict: resolve, body)
  }
}
