import Foundation

/// A folder for what is needed during one call; it is gone when the object is.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("recordpack-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  func file(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
