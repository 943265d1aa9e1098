import Foundation
import RecordStore
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordText

/// Opens inputs, and checks inputs and outputs.
enum Inputs {
  static func source(_ path: String) throws -> ArchiveSource {
    let source = try ArchiveSource.open([path])
    return source
  }

  /// Opens sources for a command that has the option `--from`. The error for JSON text names it.
  static func namingFrom<R>(_ open: () throws -> R) throws -> R {
    do {
      return try open()
    } catch let error where "\(error)".hasSuffix("it is JSON text") {
      throw CommandError("\(error); for a response, use --from web-services, cktool or canopy")
    }
  }

  /// The responses at paths. Pipes are read at once, because they can be read only once, and so that
  /// a signal can interrupt the wait before anything is written.
  static func responses(
    at paths: [String], _ dialect: ResponseDialect, _ databases: [DatabaseScope]
  ) throws -> ResponseSet {
    let sources = try paths.flatMap { path in
      try ResponseSource.sources(at: path, dialect: dialect).map { source in
        guard path == "-" || isPipe(path) else { return source }
        let data = try source.read()
        return ResponseSource(name: source.name, dialect: dialect) { data }
      }
    }
    return ResponseSet(sources, database: databases.first ?? .private)
  }

  /// Throws if a path is that of a directory.
  ///
  /// - Parameter noun: What the file should be, such as `a recipe`.
  static func refuseDirectory(_ path: String, _ noun: String) throws {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { return }
    throw CommandError("'\(path)' is a directory; expected \(noun)")
  }

  /// Opens a file for reading.
  static func open(_ path: String) throws -> FileHandle {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CommandError("cannot open '\(path)': \(String(cString: strerror(errno)))")
    }
    return file
  }

  /// Opens a container for reading.
  static func container(_ path: String) throws -> ContainerStore {
    guard path != "-" else {
      throw CommandError("a container cannot be read from standard input; name a file")
    }
    try refuseBundle(path)
    try refusePipe(path)
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    return container
  }

  /// Opens a container, changes it, and closes it, also if `body` throws.
  static func changing<R>(
    _ path: String, _ body: (ContainerStore) throws -> R
  ) throws -> R {
    let container = try ContainerStore.open(path: path)
    do {
      return try Interruption.whileChanging {
        try body(container)
      } close: {
        try close(container)
      }
    } catch {
      // Closing merges the write-ahead log into the file. The first error is the one to report.
      _ = try? container.close()
      throw error
    }
  }

  /// Closes a changed container. Warns if a copy of its file would be incomplete.
  private static func close(_ container: ContainerStore) throws {
    guard case .pending(let log, let bytes) = try container.close() else { return }
    ErrorReport.warn(
      "\(Numbers.size(bytes)) of saved data remain in '\(log)', because another process is reading "
        + "the container, or its file could not be written, as on a full disk; the next process to "
        + "close it moves them into the file, and until then a copy needs both files")
  }

  /// Throws if the path is a bundle.
  static func refuseBundle(_ path: String) throws {
    guard path != "-", !isPipe(path), !ArchiveSource.isContainer(path),
      (try? BundleReader(path: path)) != nil
    else { return }
    throw CommandError("'\(path)' is a bundle; expected a container")
  }

  /// Throws if the path is a pipe or device, which has no random access.
  private static func refusePipe(_ path: String) throws {
    guard isPipe(path) else { return }
    throw CommandError("'\(path)' is not a regular file, as a container must be")
  }

  /// Whether a path is a pipe or device, which can be read only once.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Throws if the file of an asset cannot be read.
  static func refuseUnreadable(_ path: String, field name: String) throws {
    guard !isPipe(path) else {
      throw CommandError("field '\(name)': '\(path)' is not a regular file")
    }
    guard access(path, R_OK) == 0 else {
      throw CommandError("field '\(name)': '\(path)': \(String(cString: strerror(errno)))")
    }
  }

  /// Throws if binary data would be written to a terminal.
  static func refuseTerminal(_ output: String) throws {
    guard output == "-", StandardOutput.isTerminal else { return }
    throw CommandError("standard output is a terminal; redirect it, or name a file")
  }
}
