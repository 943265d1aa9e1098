import Dispatch
import RecordModel
import RecordStore

/// The file of a download. Its work runs on a queue, and holds up no thread of Swift's tasks.
final class DownloadFile: Sendable {
  private let store: ContainerStore
  private let queue = DispatchQueue(label: "RecordPack.ContainerDownload")

  init(_ store: ContainerStore) { self.store = store }

  /// What is known when a download begins.
  struct Content: Sendable {
    var state: DownloadState
    var zones: [ZoneProgress]
    var queries: [QueryProgress]
  }

  /// Reads the state of an earlier download, and begins or continues one.
  ///
  /// - Parameter info: what is known about the container.
  func begin(_ fresh: DownloadState, _ info: ContainerInfo) async throws -> Content {
    try await perform { store in
      try store.mirrorTransaction { writer in
        var state = fresh
        if let stored = try DownloadState.read(writer) {
          try fresh.check(stored)
          state = stored
        } else if try !writer.isEmpty() {
          throw DownloadError.notADownload
        }
        let queries = try writer.notes(QueryProgress.prefix)
        if !state.isOpen {
          state.isOpen = true
          state.counts = DownloadCounts()
          for query in queries { try writer.setNote(query.name, nil) }
        }
        try writer.setInfo(try writer.info().adding(info))
        state.revision += 1
        try state.write(to: writer)
        return Content(
          state: state,
          zones: try writer.notes(ZoneProgress.prefix).map { try DownloadNote.decode($0.text) },
          queries: try writer.notes(QueryProgress.prefix).map { try DownloadNote.decode($0.text) })
      }
    }
  }

  /// Changes the file and the state in one transaction.
  func commit<T: Sendable>(
    _ state: DownloadState,
    _ body: @escaping @Sendable (MirrorWriter, inout DownloadState) throws -> T
  ) async throws -> (T, DownloadState) {
    try await perform { store in
      try store.mirrorTransaction { writer in
        guard try DownloadState.read(writer)?.revision == state.revision else {
          throw DownloadError.changedElsewhere
        }
        var state = state
        state.revision += 1
        let result = try body(writer, &state)
        try state.write(to: writer)
        return (result, state)
      }
    }
  }

  /// Returns the assets whose content the file does not have.
  func missing(_ assets: [Asset]) async throws -> [Asset] {
    try await perform { store in
      try store.snapshot { snapshot in
        try assets.filter { asset in
          guard let sha256 = asset.sha256 else { return true }
          return try !snapshot.hasAsset(sha256: sha256)
        }
      }
    }
  }

  private func perform<T: Sendable>(
    _ body: @escaping @Sendable (ContainerStore) throws -> T
  ) async throws -> T {
    let store = store
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body(store) }) }
    }
  }
}

extension ContainerInfo {
  /// Returns the metadata with what else is known.
  fileprivate func adding(_ other: ContainerInfo) -> ContainerInfo {
    var result = self
    result.identifier = other.identifier ?? identifier
    result.environment = other.environment ?? environment
    result.schema = other.schema ?? schema
    result.schemaVersion = other.schemaVersion ?? schemaVersion
    result.currentUserRecordName = other.currentUserRecordName ?? currentUserRecordName
    return result
  }
}
