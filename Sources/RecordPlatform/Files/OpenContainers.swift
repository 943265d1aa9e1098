import Synchronization

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
