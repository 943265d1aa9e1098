import Synchronization

/// The container files that this process has open. None of them may be opened and closed but by
/// SQLite: the process would lose its locks.
enum OpenContainers {
  private struct Entry {
    var file: StoreFile.Identity
    var path: String
  }

  private static let entries = Mutex<[Entry]>([])

  static func add(_ file: StoreFile.Identity, at path: String) {
    entries.withLock { $0.append(Entry(file: file, path: path)) }
  }

  static func remove(_ file: StoreFile.Identity, at path: String) {
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.file == file && $0.path == path }) {
        entries.remove(at: index)
      }
    }
  }

  static func contains(_ file: StoreFile.Identity) -> Bool {
    entries.withLock { $0.contains { $0.file == file } }
  }

  /// Whether a container was opened by that name, though another file may have the name now.
  static func contains(path: String) -> Bool {
    entries.withLock { $0.contains { $0.path == path } }
  }
}
