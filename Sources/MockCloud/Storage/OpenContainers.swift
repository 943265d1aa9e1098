import Synchronization

/// The container files that this process has open. None of them may be opened and closed but by
/// SQLite: the process would lose its locks.
enum OpenContainers {
  private static let files = Mutex<[StoreFile.Identity: Int]>([:])

  static func add(_ file: StoreFile.Identity) {
    files.withLock { $0[file, default: 0] += 1 }
  }

  static func remove(_ file: StoreFile.Identity) {
    files.withLock { files in
      files[file, default: 1] -= 1
      if files[file] == 0 { files[file] = nil }
    }
  }

  static func contains(_ file: StoreFile.Identity) -> Bool {
    files.withLock { $0[file] != nil }
  }
}
