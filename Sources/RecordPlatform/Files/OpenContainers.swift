import Synchronization

/// The container files that this process has open. None of them may be opened and closed but by
/// SQLite: the process would lose its locks.
package enum OpenContainers {
  private struct Entry {
    var file: FileIdentity
    var path: String
  }

  private static let entries = Mutex<[Entry]>([])

  /// Notes that a container was opened.
  package static func add(_ file: FileIdentity, at path: String) {
    entries.withLock { $0.append(Entry(file: file, path: path)) }
  }

  /// Notes that a container was closed: once for each time that it was opened.
  package static func remove(_ file: FileIdentity, at path: String) {
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.file == file && $0.path == path }) {
        entries.remove(at: index)
      }
    }
  }

  /// Whether a file is a container that is open.
  package static func contains(_ file: FileIdentity) -> Bool {
    entries.withLock { $0.contains { $0.file == file } }
  }

  /// Whether a container was opened by that name, though another file may have the name now.
  package static func contains(path: String) -> Bool {
    entries.withLock { $0.contains { $0.path == path } }
  }
}
