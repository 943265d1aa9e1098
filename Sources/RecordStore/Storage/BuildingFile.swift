import Foundation
import RecordPlatform

/// A container file that is being built under a temporary name.
///
/// A file that a killed process left is removed by the next build with the same target.
struct BuildingFile {
  private let file: PartialFile

  /// The path that SQLite writes to.
  var path: String { file.path }

  /// Creates an empty file that only its owner can read and write.
  ///
  /// - Parameter target: the absolute path that the file will get.
  init(for target: String) throws {
    // Removing leftovers opens files that another thread may be renaming.
    file = try StoreFile.gate.withLock { _ in
      try Self.translating(target) { try PartialFile(for: target) }
    }
    file.startSyncing()
  }

  /// Renames the finished file, which SQLite must have closed; fails if its target exists.
  func publish() throws {
    // Synced first: syncing while renaming would block others at the gate.
    guard SystemCall.retrying({ fsync(file.descriptor) }) == 0 else {
      throw StoreFile.systemError(file.target, "writing it to the disk")
    }
    try StoreFile.gate.withLock { _ in
      try Self.translating(file.target) {
        try StoreFile.checkNoStaleLog(file.target)
        try file.publish(replacing: false)
      }
    }
  }

  private static func translating<T>(_ target: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SystemError {
      guard error.number != EEXIST else { throw ContainerStoreError.alreadyExists(path: target) }
      errno = error.number
      throw StoreFile.systemError(target, "trying to \(error.action)")
    }
  }
}
