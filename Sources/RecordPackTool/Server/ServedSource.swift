import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import RecordText
import Synchronization

/// A container that is served, and where it came from.
struct ServedSource {
  let container: MockContainer
  private let path: String?

  /// Opens a container in place, or a bundle as a container in memory; for nil, makes an empty
  /// container, which serves every identifier.
  init(_ path: String?, now: @escaping @Sendable () -> Date) throws {
    self.path = path
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

  /// - Parameter canReset: whether it can be made what it is now again, unless it is in place.
  func served(_ access: WebAccess, canReset: Bool) throws -> WebContainer {
    var result = try WebContainer(container, access: access)
    let isInPlace = path.map(ArchiveSource.isContainer) ?? false
    result.fileName = path.flatMap(Self.fileName)
    if canReset, !isInPlace { result.seed = try container.fork() }
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

  /// Writes a container to a bundle.
  static func write(_ container: MockContainer, to path: String, overwrite: Bool) throws {
    try Archiver().run(
      from: [.container(container.store)], into: .bundle(path: path, overwrite: overwrite))
  }

  func close() { _ = try? container.store.close() }
}

/// A file to which a line of JSON is appended for each request.
final class RequestLogFile: Sendable {
  private let file: Mutex<FileHandle>

  init(path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else {
      throw CommandError("cannot write '\(path.visible)': \(String(cString: strerror(errno)))")
    }
    file = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }

  func write(_ entry: RequestLog.Entry) {
    let line = Data((entry.json.compactText + "\n").utf8)
    // A full disk does not end the server.
    file.withLock { try? $0.write(contentsOf: line) }
  }
}
