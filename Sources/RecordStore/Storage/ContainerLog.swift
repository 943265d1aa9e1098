import Foundation

/// The location of the last saves after a container was closed.
public enum ContainerLog: Sendable, Hashable {
  /// The file contains everything: a copy of it is complete.
  case merged
  /// Some saves are only in the log beside the file, because another reader needs an older state,
  /// or because the file cannot be written. The last one to close the container moves them into the
  /// file; until then, copy both.
  case pending(path: String, bytes: Int64)
}

extension ContainerLog {
  /// Moves the log of a closed container into the file and removes it. If the container is open
  /// elsewhere, the last one to close it does that.
  static func settle(_ path: String) -> ContainerLog {
    var state = ContainerLog.merged
    for attempt in 0..<3 {
      let isLeft = ["-wal", "-shm"].contains { StoreFile.auxiliaryFileSize($0, of: path) != nil }
      guard isLeft else { return .merged }
      // Of two that close at the same time, each may find the other still open.
      if attempt > 0 { usleep(UInt32.random(in: 500..<2000) << UInt32(attempt)) }
      state = merge(path)
    }
    return state
  }

  /// Moves the log into the file, as far as no reader needs older pages.
  ///
  /// Closing the last connection removes the log, unless the connection is read-only.
  static func merge(_ path: String) -> ContainerLog {
    let bytes = StoreFile.auxiliaryFileSize("-wal", of: path) ?? 0
    let counts = try? SQLiteFile(path).numbers("PRAGMA wal_checkpoint(PASSIVE)")
    // Even if busy, it returns the numbers of pages in the log and of moved ones; -1 is no log.
    if bytes == 0 || counts.map({ $0.count == 3 && $0[1] == $0[2] }) == true { return .merged }
    return .pending(path: path + "-wal", bytes: bytes)
  }
}
