import Foundation
import Synchronization

/// A plain file that is read at any place, from any thread, and need not stay open meanwhile.
///
/// Of all such files, the process holds at most ``maxIdle`` open that nobody reads at the moment;
/// another is opened again by its path when it is read. So a bundle of hundreds of files can be read
/// where the system allows 256 descriptors, as macOS does.
package final class ReopenableFile: Sendable {
  /// The number of files that stay open while nobody reads them.
  package static let maxIdle = 64

  private struct State {
    /// -1 while the file is closed.
    var descriptor: Int32
    var readers = 0
  }

  private let path: String
  private let identity: Identity
  private let state: Mutex<State>

  /// Takes over the descriptor of an open file, whose path is `path`.
  package init(path: String, descriptor: Int32, status: stat) {
    // A path that does not depend on the working directory, which may change.
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    self.path =
      isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    identity = Identity(status)
    state = Mutex(State(descriptor: descriptor))
    IdleFiles.shared.add(self)
  }

  deinit {
    IdleFiles.shared.remove(ObjectIdentifier(self))
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Calls `body` with an open descriptor, which is valid within the call.
  /// - Throws: ``SystemError`` where the file cannot be opened again, or is another by now.
  package func withDescriptor<R>(_ body: (Int32) throws -> R) throws -> R {
    let descriptor = try state.withLock { state in
      if state.descriptor < 0 { state.descriptor = try reopen() }
      state.readers += 1
      return state.descriptor
    }
    defer {
      state.withLock { $0.readers -= 1 }
      IdleFiles.shared.add(self)
    }
    return try body(descriptor)
  }

  /// Closes the file, unless somebody reads it.
  fileprivate func closeIfIdle() {
    state.withLock { state in
      guard state.readers == 0, state.descriptor >= 0 else { return }
      close(state.descriptor)
      state.descriptor = -1
    }
  }

  private func reopen() throws -> Int32 {
    let descriptor = SystemCall.retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw SystemError(errno, "open it again") }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Identity(status) == identity else {
      close(descriptor)
      throw SystemError(ESTALE, "read on, for the file was changed or replaced meanwhile")
    }
    return descriptor
  }
}

extension ReopenableFile {
  /// What tells a file from another that got its name, and from itself after a change.
  private struct Identity: Equatable {
    let file: FileIdentity
    let size: off_t
    let seconds: time_t
    let nanoseconds: Int

    init(_ status: stat) {
      file = FileIdentity(status)
      size = status.st_size
      #if canImport(Darwin)
        let modified = status.st_mtimespec
      #else
        let modified = status.st_mtim
      #endif
      seconds = modified.tv_sec
      nanoseconds = modified.tv_nsec
    }
  }
}

/// The files that are open, those read last at the end.
private final class IdleFiles: Sendable {
  static let shared = IdleFiles()

  private struct Entry {
    let id: ObjectIdentifier
    weak var file: ReopenableFile?
  }

  private let entries = Mutex<[Entry]>([])

  /// Notes that a file was read, and closes the one that was not read for the longest time where
  /// too many are open.
  func add(_ file: ReopenableFile) {
    let id = ObjectIdentifier(file)
    let oldest = entries.withLock { entries -> Entry? in
      if entries.last?.id == id { return nil }
      entries.removeAll { $0.id == id }
      entries.append(Entry(id: id, file: file))
      return entries.count > ReopenableFile.maxIdle ? entries.removeFirst() : nil
    }
    oldest?.file?.closeIfIdle()
  }

  func remove(_ id: ObjectIdentifier) {
    entries.withLock { entries in entries.removeAll { $0.id == id } }
  }
}
