import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordStore
import RecordText
import Synchronization

/// A container that is served, and where it came from.
final class ServedSource: Sendable {
  let container: MockContainer
  private let path: String?
  private let state = Mutex(State())

  private struct State {
    /// Whether the file was moved or replaced, and that was reported.
    var hasMoved = false
    var isClosed = false
    /// Where the container is kept whose file was removed.
    var kept: String?
  }

  private let file: WatchedFile

  /// Opens a container in place, or a bundle as a container in memory; for nil, makes an empty
  /// container, which serves every identifier.
  init(_ path: String?, now: @escaping @Sendable () -> Date) throws {
    self.path = path
    file = WatchedFile(path)
    if let path, ArchiveSource.isContainer(path) {
      container = try MockContainer.open(path: path, rules: .webServices, now: now)
    } else {
      let store = try ContainerStore.inMemory(now: now)
      if let path {
        try Archiver().run(from: [try Inputs.source(path)], into: .container(store))
      }
      container = try MockContainer(store, rules: .webServices, now: now)
    }
  }

  /// The size of a container in place up to which its contents are kept to reset it, in bytes: 512 MiB.
  private static let maxSeed = 512 << 20

  /// - Parameter canReset: whether it can be made what it is now again.
  func served(_ access: WebAccess, canReset: Bool) throws -> WebContainer {
    var result = try WebContainer(container, access: access)
    let isInPlace = path.map(ArchiveSource.isContainer) ?? false
    result.fileName = path.flatMap(Self.fileName)
    result.isInPlace = isInPlace
    let size = path.flatMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int }
    if canReset, !isInPlace || !container.store.isReadOnly && (size ?? 0) <= Self.maxSeed {
      result.seed = try container.fork()
    }
    return result
  }

  /// The name of a source without its folders; nil for standard input.
  static func fileName(_ path: String) -> String? {
    path == "-" ? nil : URL(fileURLWithPath: path).lastPathComponent
  }

  /// Throws if two containers have the same identifier and environment.
  static func refuseDoubles(_ sources: [ServedSource]) throws {
    var known: [[String?]: ServedSource] = [:]
    for source in sources {
      let info = try source.container.store.info()
      let key = [info.identifier, info.environment?.rawValue]
      guard let other = known.updateValue(source, forKey: key) else { continue }
      throw CommandError(
        "'\((other.path ?? "").visible)' and '\((source.path ?? "").visible)' have the same "
          + "identifier and environment, so their address would be the same; serve one of them")
    }
  }

  /// Writes a container to a bundle. If that fails, the container is kept in another place: all changes
  /// were acknowledged.
  static func write(_ container: MockContainer, to path: String, overwrite: Bool) throws {
    do {
      try Archiver().run(
        from: [.container(container.store)], into: .bundle(path: path, overwrite: overwrite))
    } catch {
      throw CommandError("\(ErrorReport.text(of: error)); \(keep(container.store))")
    }
  }

  /// Writes a container to a new file in the first folder that has space for it.
  ///
  /// - Returns: where it is.
  private static func keep(_ store: ContainerStore) -> String {
    let manager = FileManager.default
    let name = "recordpack-kept-\(UUID().uuidString.prefix(8)).sqlite"
    let folders = [
      manager.temporaryDirectory.path, manager.currentDirectoryPath,
      manager.homeDirectoryForCurrentUser.path,
    ]
    var problem = ""
    for folder in folders {
      let path = folder + "/" + name
      do {
        try Archiver().run(from: [.container(store)], into: .newContainer(path: path))
        return "the container with all changes is kept as '\(path)'"
      } catch { problem = ErrorReport.text(of: error) }
    }
    return "the container could not be kept either: \(problem)"
  }

  // MARK: The end

  /// Reports once that the file of the container was moved or replaced, and closes the container. From
  /// then on, every request fails.
  func watch() {
    // While requests are being handled, it cannot be closed.
    if !container.store.isInPlace { try? end() }
  }

  /// Closes the container.
  ///
  /// - Returns: whether all that was saved is in the file under the path.
  func close() -> Bool {
    do {
      try end()
    } catch {
      ErrorReport.report(error)
      return false
    }
    return !state.withLock { $0.hasMoved }
  }

  private func end() throws {
    guard !state.withLock({ $0.isClosed }) else { return }
    if !container.store.isInPlace, file.hasNoName, state.withLock({ $0.kept }) == nil {
      let kept = Self.keep(container.store)
      state.withLock { $0.kept = kept }
    }
    do {
      try container.store.close()
    } catch let error as ContainerStoreError where error.code == .moved {
      let kept = state.withLock { state in
        state.hasMoved = true
        return state.kept.map { "; \($0)" } ?? ""
      }
      ErrorReport.report("\(ErrorReport.text(of: error))\(kept)", .failed)
    }
    state.withLock { $0.isClosed = true }
  }
}

/// A file that is watched, under whatever name.
private final class WatchedFile: Sendable {
  private let descriptor: Int32?

  init(_ path: String?) {
    #if os(Linux)
      // O_PATH: a process that closes another descriptor of a file loses its locks on the file.
      let flags = 0o10000000 | O_CLOEXEC
      let opened = path.map { open($0, flags) } ?? -1
      descriptor = opened < 0 ? nil : opened
    #else
      descriptor = nil
    #endif
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Whether the file was removed. If that is not known, it is assumed.
  var hasNoName: Bool {
    guard let descriptor else { return true }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink == 0
  }
}
