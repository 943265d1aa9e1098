import Foundation
import RecordArchive
import RecordBundle
import RecordPlatform

extension Inputs {
  /// An output of a command.
  struct Output {
    /// The path; `-` is standard output.
    var path: String
    /// Whether a bundle is split into numbered files.
    var isSplit = false

    init(path: String, isSplit: Bool = false) {
      self.path = path
      self.isSplit = isSplit
    }
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
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      isDirectory.boolValue
    else { return [path] }
    return (try? ResponseSource.sources(at: path).map(\.name)) ?? [path]
  }

  /// The files that are read for a path.
  private static func files(at path: String) -> [String] {
    isPipe(path) || ArchiveSource.isContainer(path) ? [path] : BundleFileNames.read(at: path)
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
        guard ArchiveSource.isContainer(database) else { continue }
        throw CommandError(
          "'\(path)' is a file that SQLite keeps beside '\(database)'; name another file to write")
      }
    }
  }
}
