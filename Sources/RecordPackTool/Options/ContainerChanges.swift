import Foundation
import RecordModel
import RecordStore

/// Runs the transaction of a command that changes a container.
enum ContainerChanges {
  /// Changes a container, or creates it.
  ///
  /// - Parameters:
  ///   - path: The container.
  ///   - info: The metadata of a new container; nil for an existing one.
  ///   - dryRun: Whether to change nothing after all: neither is the container opened for writing
  ///     nor its lock awaited.
  /// - Throws: The error of `body`; the container is unchanged then.
  static func run<T>(
    in path: String, creating info: ContainerInfo?, dryRun: Bool,
    _ body: (ContainerTransaction) throws -> T
  ) throws -> T {
    try Inputs.refuseBundle(path)
    try Inputs.refuseSideFile(path)
    return try ValidationOptions.telling {
      switch (info, dryRun) {
      case (let info?, true):
        try ContainerStore.checkCreation(path: path)
        return try ContainerStore.inMemory(info: info).transaction(body)
      case (let info?, false):
        return try Interruption.whileWriting {
          try ContainerStore.create(path: path, info: info, body)
        }
      case (nil, false):
        return try Inputs.changing(path) { try $0.transaction(isLarge: true, body) }
      case (nil, true):
        // The container is open only for reading, and must be closed on a signal, too.
        return try Interruption.whileSorting {
          let container = try Inputs.container(path)
          defer { _ = try? container.close() }
          return try container.temporaryCopy(progress: Interruption.check).transaction(body)
        }
      }
    }
  }
}
