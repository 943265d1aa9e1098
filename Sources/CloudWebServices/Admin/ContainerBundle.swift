import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordStore

/// Bundles of the contents of served containers.
package enum ContainerBundle {
  /// Returns a bundle with the contents of a container.
  package static func data(of container: MockContainer) throws -> Data {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("snapshot.recordpack")
    try Archiver().run(from: [.container(container.store)], into: .bundle(path: path))
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Returns a container in memory with the contents of a bundle.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST` for what is no bundle, or not an intact one.
  static func container(
    of bundle: Data, rules: ServerRules, now: @escaping @Sendable () -> Date
  ) async throws -> MockContainer {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("bundle.recordpack")
    return try await Archiver().perform { archiver in
      try bundle.write(to: URL(fileURLWithPath: path))
      do {
        // A body is not a path to a container file, nor to one of several files of a bundle.
        let store = try ContainerStore.inMemory(now: now)
        try archiver.run(from: [.bundle(try BundleReader(path: path))], into: .container(store))
        return try MockContainer(store, rules: rules, now: now)
      } catch {
        let reason = "\(error)".replacing(path, with: "the body")
        throw WebError(.badRequest, "the body is not a bundle that can be imported: \(reason)")
      }
    }
  }
}
