import Foundation

/// The location of a regular file, whatever its path: the identity of the file if it exists, else
/// that of its directory, with the file's name.
package struct FileLocation: Hashable, Sendable {
  private let identity: FileIdentity
  /// The name of a file that does not exist.
  private let name: String?

  /// Whether the file exists.
  package var exists: Bool { name == nil }

  /// Creates the location of a path; nil for pipes, devices and inaccessible paths.
  ///
  /// - Parameter descriptor: the descriptor that the path `-` stands for.
  package init?(_ path: String, _ descriptor: Int32) {
    var status = stat()
    if (path == "-" ? fstat(descriptor, &status) : stat(path, &status)) == 0 {
      guard SystemCall.fileType(status) == mode_t(S_IFREG) else { return nil }
      identity = FileIdentity(status)
      name = nil
      return
    }
    let split = SplitPath(path)
    guard path != "-", let parent = FileIdentity(path: split.openableDirectory) else { return nil }
    identity = parent
    name = split.name
  }
}
