import Foundation
import MockCloud
import RecordArchive
import RecordBundle

/// Opens what the command line names.
enum Inputs {
  /// A bundle or a container.
  static func source(_ path: String) throws -> ArchiveSource {
    try ArchiveSource.open([path])
  }

  /// A container that is only read.
  static func container(_ path: String) throws -> MockContainer {
    guard path != "-" else {
      throw Failure("a container cannot be read from standard input; name its file")
    }
    try refuseBundle(path)
    try refusePipe(path)
    return try MockContainer.open(path: path, mode: .readOnly)
  }

  /// Closes a container that was changed, and warns where a copy of its file would not be whole.
  static func close(_ container: MockContainer) throws {
    guard case .pending(let log, let bytes) = try container.close() else { return }
    ErrorReport.warn(
      "\(Numbers.size(bytes)) of what was saved stay in '\(log)', because another process reads the "
        + "container as it was; the last one to close it moves them into the file, and until then "
        + "a copy needs both")
  }

  /// Says so where a bundle is given for a container.
  static func refuseBundle(_ path: String) throws {
    guard path != "-", !isPipe(path), !ArchiveSource.isContainer(path),
      (try? BundleReader(path: path)) != nil
    else { return }
    throw Failure("'\(path)' is a bundle; a container was expected here")
  }

  /// Says so where a container is looked for in what can be read only once.
  private static func refusePipe(_ path: String) throws {
    guard isPipe(path) else { return }
    throw Failure("'\(path)' is no file; a container is a file that can be read at any place")
  }

  /// Whether something lies at a path that yields its bytes only once.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Refuses to write binary data to a terminal.
  static func refuseTerminal(_ output: String) throws {
    guard output == "-", StandardOutput.isTerminal else { return }
    throw Failure("standard output is a terminal; redirect it, or name a file")
  }
}
