import Foundation

/// Where the last saves of a container lie after it was closed.
public enum ContainerLog: Sendable, Hashable {
  /// The file holds everything: a copy of it is whole.
  case merged
  /// Some saves lie in the log beside the file only, because somebody else still reads an older
  /// state, or because nothing can be written there. The last one to close the container moves them
  /// into the file; until then a copy needs both.
  case pending(path: String, bytes: Int64)
}

extension ContainerLog {
  /// Moves the log of a closed container into the file and removes it, unless somebody else has the
  /// container open: then that is for the last of them.
  static func settle(_ path: String) -> ContainerLog {
    var state = ContainerLog.merged
    for attempt in 0..<3 {
      let isLeft = ["-wal", "-shm"].contains { StoreFile.sideFile($0, of: path) != nil }
      guard isLeft else { return .merged }
      // Of two that close at the same time, each may find the other still there.
      if attempt > 0 { usleep(UInt32.random(in: 500..<2000) << UInt32(attempt)) }
      state = merge(path)
    }
    return state
  }

  /// Moves what the log holds into the file, as far as no reader needs the pages as they are.
  ///
  /// Closing the last connection removes the log, unless the connection is read-only.
  static func merge(_ path: String) -> ContainerLog {
    let bytes = StoreFile.sideFile("-wal", of: path) ?? 0
    let counts = try? SQLiteFile(path).numbers("PRAGMA wal_checkpoint(PASSIVE)")
    // Busy or not, the numbers of pages in the log and of those moved are told; -1 is no log.
    if bytes == 0 || counts.map({ $0.count == 3 && $0[1] == $0[2] }) == true { return .merged }
    return .pending(path: path + "-wal", bytes: bytes)
  }
}
