import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordStore
import RecordText

/// Opens inputs, and checks inputs and outputs.
enum Inputs {
  static func source(_ path: String) throws -> ArchiveSource {
    guard !isDirectory(path) else {
      throw CommandError(
        "\(path): it is a directory; a bundle or container was expected", at: ["file": path])
    }
    return try ArchiveSource.open([path])
  }

  // MARK: Files

  static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      && isDirectory.boolValue
  }

  /// The name of an input in messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The name of an output in messages.
  static func outputName(_ path: String) -> String { path == "-" ? "standard output" : path }

  /// Opens a file or standard input for reading, and closes it.
  ///
  /// - Parameter noun: The expected content, such as `a recipe`.
  static func reading<R>(
    _ path: String, _ noun: String, _ body: (FileHandle) throws -> R
  ) throws -> R {
    if path == "-" { return try body(.standardInput) }
    guard !isDirectory(path) else {
      throw CommandError("'\(path)' is a directory; expected \(noun)")
    }
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CommandError("cannot open '\(path)': \(String(cString: strerror(errno)))")
    }
    defer { try? file.close() }
    return try body(file)
  }

  /// Reads a file, a pipe or standard input, but stops after more than `most` bytes.
  static func bytes(
    of path: String, _ noun: String, atMost most: Int, beginningWith first: [UInt8]? = nil
  ) throws -> [UInt8] {
    try reading(path, noun) {
      try bytes(of: $0, named: path, atMost: most, beginningWith: first)
    }
  }

  /// Reads an open file, but stops after more than `most` bytes.
  ///
  /// - Parameter first: the bytes that the file may begin with, after white space; nil for any.
  ///   Reading stops at another byte, as a device may have no end.
  static func bytes(
    of file: FileHandle, named path: String, atMost most: Int, beginningWith first: [UInt8]? = nil
  ) throws -> [UInt8] {
    do {
      var data = Data()
      while data.count <= most, let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
        let isBlank = data.isEmpty
        data.append(piece)
        if isBlank, let first, let begin = piece.first(where: { !" \t\r\n".utf8.contains($0) }),
          !first.contains(begin)
        {
          break
        }
      }
      return Array(data)
    } catch {
      throw CommandError("cannot read '\(name(path))': \(error.reason)")
    }
  }

  /// The first bytes of a file; none of a pipe, which can be read only once, and of a missing file.
  static func head(of path: String, _ count: Int) -> [UInt8] {
    guard path != "-", !isPipe(path), let file = FileHandle(forReadingAtPath: path) else {
      return []
    }
    defer { try? file.close() }
    return Array((try? file.read(upToCount: count)) ?? Data())
  }

  /// Reads all of a file, a pipe or standard input.
  static func data(of path: String, _ noun: String) throws -> Data {
    try reading(path, noun) { try $0.readToEnd() ?? Data() }
  }

  /// Reads a text file in UTF-8.
  ///
  /// - Parameters:
  ///   - path: A file or pipe; `-` is standard input.
  ///   - noun: The expected content, such as `a recipe`.
  ///   - most: The size in bytes after which reading stops.
  static func text(of path: String, _ noun: String, atMost most: Int) throws -> String {
    let bytes = try bytes(of: path, noun, atMost: most)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      throw CommandError("'\(name(path))' is not \(noun): it is not UTF-8 text")
    }
    return text
  }

  // MARK: Containers

  /// Opens a container for reading.
  ///
  /// - Parameter damage: gets the errors of rows that cannot be read; nil to throw them.
  static func container(
    _ path: String, leavingOut damage: DamageLog? = nil
  ) throws -> ContainerStore {
    guard path != "-" else {
      throw CommandError("a container cannot be read from standard input; name a file")
    }
    try refuseBundle(path)
    try refusePipe(path)
    return try ContainerStore.open(path: path, mode: .readOnly, leavingOut: damage)
  }

  /// Opens a container, changes it, and closes it, even if `body` throws.
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
    guard path != "-", !isPipe(path), !ArchiveSource.isDatabase(path),
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
  static func isPipe(_ path: String) -> Bool { SystemCall.isPipe(path) }

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

  // MARK: Outputs

  /// An output of a command.
  struct Output {
    /// The path; `-` is standard output.
    var path: String
    /// Whether a bundle is split into numbered files.
    var isSplit = false
  }

  /// Throws if an output would overwrite an input, a file that SQLite keeps beside a database, or
  /// another output.
  ///
  /// Inputs include the other files of a split bundle, and the file redirected to standard input.
  /// Outputs include all files of a split bundle. Files are compared by identity, not by name.
  ///
  /// - Parameters:
  ///   - inputs: Paths; `-` is standard input. Arguments that are not files, such as git revisions,
  ///     are ignored.
  ///   - outputs: The outputs.
  static func refuseOverwriting(_ inputs: [String], by outputs: [Output]) throws {
    var read: [FileLocation: String] = [:]
    for input in inputs.flatMap(responses) {
      for file in files(at: input) {
        if let location = FileLocation(file, STDIN_FILENO) {
          read[location] = read[location] ?? input
        }
      }
    }
    var written: Set<FileLocation> = []
    for output in outputs {
      for file in BundleFileNames.written(to: output.path, isSplit: output.isSplit) {
        try refuseSideFile(file)
        guard let location = FileLocation(file, STDOUT_FILENO) else { continue }
        let name = file == "-" ? "standard output" : "'\(file)'"
        if let input = read[location] {
          let isNamed = FileLocation(input, STDIN_FILENO) == location
          throw CommandError(
            (isNamed ? "\(name) is an input file" : "\(name) is read together with '\(input)'")
              + "; name another file to write")
        }
        guard written.insert(location).inserted else {
          throw CommandError("\(name) would be written twice; name another file")
        }
      }
    }
  }

  /// The responses in a directory; the path if it is none.
  private static func responses(at path: String) -> [String] {
    guard isDirectory(path) else { return [path] }
    return (try? ResponseSource.sources(at: path).map(\.name)) ?? [path]
  }

  /// The files that are read for a path.
  private static func files(at path: String) -> [String] {
    isPipe(path) || ArchiveSource.isDatabase(path) ? [path] : BundleFileNames.read(at: path)
  }

  /// Throws if a path is a file that SQLite keeps beside a database. Such a file may hold the only
  /// copy of recent saves, or is removed when the database is closed.
  static func refuseSideFile(_ path: String) throws {
    guard path != "-" else { return }
    let real = realpath(path, nil)
    defer { free(real) }
    for name in Set([path, real.map { String(cString: $0) } ?? path]) {
      for ending in ["-wal", "-shm", "-journal"] where name.hasSuffix(ending) {
        let database = String(name.dropLast(ending.count))
        guard ArchiveSource.isDatabase(database) else { continue }
        throw CommandError(
          "'\(path)' is a file that SQLite keeps beside '\(database)'; name another file to write")
      }
    }
  }
}
