import Foundation

/// A folder that is deleted with its object.
package final class TestFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // It fails if a container that closes removes its log meanwhile.
    for _ in 0..<5 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Returns the path of a file in the folder.
  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], as name: String = "file") throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// The names of the files, sorted.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// Runs `body` with the path of an empty folder, which is deleted afterwards.
package func withFolder<R>(_ body: (String) throws -> R) throws -> R {
  let folder = try TestFolder()
  return try withExtendedLifetime(folder) { try body(folder.path) }
}

/// The same for a `body` that suspends.
package func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
  let folder = try TestFolder()
  defer { withExtendedLifetime(folder) {} }
  return try await body(folder.path)
}
