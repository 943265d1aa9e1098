import Foundation
import Synchronization

/// A regular file for random access from any thread that need not stay open between reads.
///
/// The process keeps at most ``maxIdle`` of such files open that are not being read; others are
/// opened again by their path on the next read. So a bundle of hundreds of files can be read with a
/// limit of 256 descriptors, as on macOS.
package final class ReopenableFile: Sendable {
  /// The maximum number of open files that are not being read.
  package static let maxIdle = 64

  private struct State {
    /// -1 while the file is closed.
    var descriptor: Int32
    var readers = 0
  }

  private let path: String
  private let identity: FileVersion
  private let state: Mutex<State>

  /// Takes ownership of the descriptor of an open file at `path`.
  package init(path: String, descriptor: Int32, status: stat) {
    // The working directory may change, so the path is made absolute.
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    self.path =
      isAbsolute ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    identity = FileVersion(status)
    state = Mutex(State(descriptor: descriptor))
    OpenFiles.shared.add(self)
  }

  deinit {
    OpenFiles.shared.remove(ObjectIdentifier(self))
    state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
  }

  /// Calls `body` with an open descriptor, which is valid during the call.
  /// - Throws: ``SystemError`` if the file cannot be opened again, or was changed or replaced.
  package func withDescriptor<R>(_ body: (Int32) throws -> R) throws -> R {
    let descriptor = try state.withLock { state in
      if state.descriptor < 0 { state.descriptor = try reopen() }
      state.readers += 1
      return state.descriptor
    }
    defer {
      state.withLock { $0.readers -= 1 }
      OpenFiles.shared.add(self)
    }
    return try body(descriptor)
  }

  /// Closes the file if it is not being read.
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
    guard fstat(descriptor, &status) == 0, FileVersion(status) == identity else {
      close(descriptor)
      throw SystemError(ESTALE, "continue reading, because the file was changed or replaced")
    }
    return descriptor
  }
}

/// The open files, the most recently read last.
private final class OpenFiles: Sendable {
  static let shared = OpenFiles()

  private struct Entry {
    let id: ObjectIdentifier
    weak var file: ReopenableFile?
  }

  private let entries = Mutex<[Entry]>([])

  /// Adds a file that was read, and closes the least recently read one if too many are open.
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
