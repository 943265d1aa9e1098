import Foundation
import Synchronization

/// The identity of a file, whatever its path.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Creates the identity of the file at a path; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the identity of the file that a system call has described.
  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// The identity and the state of a file, which differ after a change or replacement.
package struct FileVersion: Equatable, Sendable {
  private let file: FileIdentity
  private let size: off_t
  private let seconds: time_t
  private let nanoseconds: Int
  private var changeSeconds: time_t = 0
  private var changeNanoseconds = 0

  /// Creates the version of the file at a path; nil if there is none.
  ///
  /// It differs even if a program has restored the date of the contents.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status, countsLinks: true)
  }

  /// Creates the version of the file that a system call has described.
  ///
  /// - Parameter countsLinks: whether a change of its names or access counts.
  package init(_ status: stat, countsLinks: Bool = false) {
    file = FileIdentity(status)
    size = status.st_size
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    if countsLinks {
      (changeSeconds, changeNanoseconds) = (changed.tv_sec, changed.tv_nsec)
    }
    seconds = modified.tv_sec
    nanoseconds = modified.tv_nsec
  }
}

/// The location of a regular file, whatever its path: the identity of the file if it exists, else
/// that of its directory, with the file's name.
package struct FileLocation: Hashable, Sendable {
  private let identity: FileIdentity
  /// The name of a file that does not exist.
  private let name: String?

  /// Whether the file exists.
  package var exists: Bool { name == nil }

  /// Creates the location of a path; nil for pipes, devices and inaccessible paths.
  ///
  /// - Parameter descriptor: the descriptor that the path `-` stands for.
  package init?(_ path: String, _ descriptor: Int32) {
    var status = stat()
    if (path == "-" ? fstat(descriptor, &status) : stat(path, &status)) == 0 {
      guard SystemCall.fileType(status) == mode_t(S_IFREG) else { return nil }
      identity = FileIdentity(status)
      name = nil
      return
    }
    let split = SplitPath(path)
    guard path != "-", let parent = FileIdentity(path: split.openableDirectory) else { return nil }
    identity = parent
    name = split.name
  }
}

/// The container files that this process has open. Only SQLite may open and close them: otherwise
/// the process would lose its locks.
package enum OpenContainers {
  private struct Entry {
    var file: FileIdentity
    var path: String
  }

  private static let entries = Mutex<[Entry]>([])

  /// Adds a container that was opened.
  package static func add(_ file: FileIdentity, at path: String) {
    entries.withLock { $0.append(Entry(file: file, path: path)) }
  }

  /// Removes a container that was closed, once for each time that it was opened.
  package static func remove(_ file: FileIdentity, at path: String) {
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.file == file && $0.path == path }) {
        entries.remove(at: index)
      }
    }
  }

  package static func contains(_ file: FileIdentity) -> Bool {
    entries.withLock { $0.contains { $0.file == file } }
  }

  /// Whether an open container was opened by that path, even if another file has the path now.
  package static func contains(path: String) -> Bool {
    entries.withLock { $0.contains { $0.path == path } }
  }
}
