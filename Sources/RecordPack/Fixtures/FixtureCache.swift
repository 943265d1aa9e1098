import Foundation
import Synchronization

/// The contents of the files that containers were made from. Each file is read once per process,
/// and again when it has changed.
final class FixtureCache: Sendable {
  static let shared = FixtureCache()

  private let templates = Mutex<[String: Template]>([:])

  /// The container that a file was imported into.
  private final class Template: Sendable {
    let contents = Mutex<(version: FileVersion, store: ContainerStore)?>(nil)
  }

  /// What tells that a file is the one that was read.
  private struct FileVersion: Equatable {
    let modified: Date?
    let size: Int?
    let number: Int?

    init(path: String) throws {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      modified = attributes[.modificationDate] as? Date
      size = attributes[.size] as? Int
      number = attributes[.systemFileNumber] as? Int
    }
  }

  /// Returns a copy of the contents of a file.
  func store(path: String, now: @escaping @Sendable () -> Date) throws -> ContainerStore {
    // A container that is open elsewhere can change without its file, in the log.
    if ArchiveSource.isContainer(path) { return try Self.read(path).fork(now: now) }
    let template = templates.withLock { templates in
      let template = templates[path] ?? Template()
      templates[path] = template
      return template
    }
    // Tests that need other files do not wait here.
    return try template.contents.withLock { contents in
      let version = try FileVersion(path: path)
      if let contents, contents.version == version { return try contents.store.fork(now: now) }
      let store = try Self.read(path)
      contents = (version, store)
      return try store.fork(now: now)
    }
  }

  private static func read(_ path: String) throws -> ContainerStore {
    switch try ArchiveSource.open([path]) {
    case .container(let store): return store
    case let source:
      let store = try ContainerStore.inMemory()
      try Archiver().run(from: [source], into: .container(store))
      return store
    }
  }
}
