import Foundation
import RecordPlatform

/// A container file that is being built beside the place where it will lie.
///
/// What a killed process left behind is cleared away by the next one that builds a file of that
/// name.
struct BuildingFile {
  private let file: PartialFile

  /// Where SQLite writes.
  var path: String { file.path }

  /// Creates an empty file, readable and writable for its owner only.
  ///
  /// - Parameter target: the absolute path it will get.
  init(for target: String) throws {
    // Clearing away opens files that may just get their names.
    file = try StoreFile.gate.withLock { _ in
      try Self.translating(target) { try PartialFile(for: target) }
    }
  }

  /// Gives the finished file its name, unless something has taken it meanwhile; SQLite must have
  /// closed it.
  func publish() throws {
    // Without its bytes on the disk, the name would be held up while others wait at the gate.
    guard SystemCall.retrying({ fsync(file.descriptor) }) == 0 else {
      throw StoreFile.systemError(file.target, "writing it to the disk")
    }
    try StoreFile.gate.withLock { _ in
      try Self.translating(file.target) {
        try StoreFile.refuseLeftLog(file.target)
        try file.publish(replacing: false)
      }
    }
  }

  private static func translating<T>(_ target: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SystemError {
      guard error.number != EEXIST else { throw MockContainerError.alreadyExists(path: target) }
      errno = error.number
      throw StoreFile.systemError(target, "trying to \(error.action)")
    }
  }
}
