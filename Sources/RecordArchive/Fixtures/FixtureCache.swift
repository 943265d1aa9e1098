import Foundation
import RecordBundle
import RecordModel
import RecordPlatform
import RecordStore
import Synchronization

/// The contents of the files that containers were made from. Each file is read once per process,
/// and again after it has changed, or while the test that has its contents is reading them.
final class FixtureCache: Sendable {
  static let shared = FixtureCache()

  private let files = Mutex<[String: File]>([:])
  /// The number of files above which deleted files are looked for.
  private static let sweepCount = 32

  private final class File: Sendable {
    let contents = Mutex<(version: FileVersion, template: ContainerTemplate)?>(nil)
  }

  /// Returns a container with the contents of a file.
  func store(
    path: String, limits: RecordLimits, now: @escaping @Sendable () -> Date
  ) throws -> ContainerStore {
    try Self.refusePipe(path)
    let file = file(at: path)
    // Tests that need other files do not wait here.
    let store: ContainerStore? = try file.contents.withLock { contents in
      let version = FileVersion(path: path)
      // A bundle that has not changed is still a bundle.
      if let contents, contents.version == version,
        let copy = try contents.template.copy(limits: limits, now: now)
      {
        return copy
      }
      contents = nil
      guard let store = try Self.read(path, limits, now) else { return nil }
      contents = version.map { ($0, ContainerTemplate(of: store)) }
      return store
    }
    // A container that is open elsewhere can change without its file, in the log.
    return try store
      ?? ContainerStore.open(path: path, mode: .readOnly).fork(limits: limits, now: now)
  }

  /// Throws for a pipe, which could be read only once, and whose writer may never come.
  private static func refusePipe(_ path: String) throws {
    guard !SystemCall.isPipe(path) else {
      throw BundleError(
        .notAFile, in: path, "it is a pipe or device; a fixture is a bundle or container file")
    }
  }

  private func file(at path: String) -> File {
    files.withLock { files in
      if let file = files[path] { return file }
      // The contents of files that were deleted would stay in memory.
      if files.count >= Self.sweepCount {
        files = files.filter { FileVersion(path: $0.key) != nil }
      }
      let file = File()
      files[path] = file
      return file
    }
  }

  /// Returns a container with the contents of a bundle or of an app's store; nil if the file is a
  /// container.
  private static func read(
    _ path: String, _ limits: RecordLimits, _ now: @escaping @Sendable () -> Date
  ) throws -> ContainerStore? {
    // The tables are created while the file is opened.
    let (source, container) = try inParallel(
      { ArchiveSource.isContainer(path) ? nil : try ArchiveSource.open([path]) },
      { try NewContainer(limits: limits, now: now) })
    guard let source else { return nil }
    try ImportRun.run([(source, nil)], into: .new(container), Archiver())
    return container.store
  }
}
