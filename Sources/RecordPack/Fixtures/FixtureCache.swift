import Foundation
import RecordPlatform
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

  /// Returns a copy of the contents of a file.
  func store(path: String, now: @escaping @Sendable () -> Date) throws -> ContainerStore {
    let template = templates.withLock { templates in
      let template = templates[path] ?? Template()
      templates[path] = template
      return template
    }
    // Tests that need other files do not wait here.
    let copy: ContainerStore? = try template.contents.withLock { contents in
      let version = FileVersion(path: path)
      // A bundle that has not changed is still a bundle.
      if let contents, contents.version == version { return try contents.store.fork(now: now) }
      contents = nil
      guard !ArchiveSource.isContainer(path) else { return nil }
      let store = try Self.read(path)
      contents = version.map { ($0, store) }
      return try store.fork(now: now)
    }
    // A container that is open elsewhere can change without its file, in the log.
    return try copy ?? ContainerStore.open(path: path, mode: .readOnly).fork(now: now)
  }

  private static func read(_ path: String) throws -> ContainerStore {
    // The tables are created while the file is opened.
    let (bundle, store) = try inParallel(
      { try BundleReader(paths: [path]) }, { try ContainerStore.inMemory() })
    try Archiver().run(from: [.bundle(bundle)], into: .container(store))
    return store
  }
}
