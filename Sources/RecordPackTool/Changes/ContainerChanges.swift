import Foundation
import MockCloud
import RecordModel

/// Ends a transaction that is to change nothing.
private struct RolledBack: Error {}

/// Runs the transaction of a command that changes a container.
enum ContainerChanges {
  /// Changes a container, or creates it.
  ///
  /// - Parameters:
  ///   - path: The container.
  ///   - info: The metadata of a new container; nil for an existing one.
  ///   - dryRun: Whether to change nothing after all.
  /// - Throws: The error of `body`; the container is unchanged then.
  static func run<T>(
    in path: String, creating info: ContainerInfo?, dryRun: Bool,
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    try Inputs.refuseBundle(path)
    try Inputs.refuseSideFile(path)
    return try ValidationOptions.telling {
      guard let info else { return try change(path, dryRun: dryRun, body) }
      if dryRun {
        guard !FileManager.default.fileExists(atPath: path) else {
          throw MockContainerError.alreadyExists(path: path)
        }
        return try MockContainer.inMemory(info: info).changing(body)
      }
      return try Interruption.whileWriting {
        try MockContainer.create(path: path, info: info, body)
      }
    }
  }

  private static func change<T>(
    _ path: String, dryRun: Bool, _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    guard dryRun else { return try Inputs.changing(path) { try $0.changing(body) } }
    let container = try MockContainer.open(path: path)
    defer { _ = try? container.close() }
    return try rollingBack(container, body)
  }

  private static func rollingBack<T>(
    _ container: MockContainer, _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    var result: T?
    do {
      try container.changing { transaction in
        result = try body(transaction)
        throw RolledBack()
      }
    } catch is RolledBack {}
    guard let result else { throw Failure("the transaction ended without a result") }
    return result
  }
}
