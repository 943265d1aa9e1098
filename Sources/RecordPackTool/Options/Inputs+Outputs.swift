import Foundation
import RecordArchive
import RecordBundle
import RecordPlatform

extension Inputs {
  /// What a command writes.
  struct Output {
    /// The path; `-` is standard output.
    var path: String
    /// Whether a bundle is written in several files, with numbers in their names.
    var isSplit = false
  }

  /// Refuses to write over what is read, over what SQLite keeps beside a database, and to write two
  /// outputs to one file.
  ///
  /// Read are the named files, of a split bundle the files beside a named one, and the file that
  /// standard input comes from. Written is what is named, and the files of a split output. Files are
  /// compared by what they are, not by their names.
  ///
  /// - Parameters:
  ///   - inputs: Paths; `-` is standard input. What is no file, such as a revision of git, does no
  ///     harm.
  ///   - outputs: What will be written.
  static func refuseOverwriting(_ inputs: [String], by outputs: [Output]) throws {
    var read: [FilePlace: String] = [:]
    for input in inputs {
      for file in files(at: input) {
        if let place = FilePlace(file, STDIN_FILENO) { read[place] = read[place] ?? input }
      }
    }
    var written: Set<FilePlace> = []
    for output in outputs {
      for file in BundleFileNames.written(to: output.path, isSplit: output.isSplit) {
        try refuseSideFile(file)
        guard let place = FilePlace(file, STDOUT_FILENO) else { continue }
        let name = file == "-" ? "standard output" : "'\(file)'"
        if let input = read[place] {
          let isNamed = FilePlace(input, STDIN_FILENO) == place
          throw Failure(
            (isNamed ? "\(name) is the file that is read" : "\(name) is read with '\(input)'")
              + "; name another one to write")
        }
        guard written.insert(place).inserted else {
          throw Failure("\(name) would be written twice; name another file")
        }
      }
    }
  }

  /// The files that are read where a path is named.
  private static func files(at path: String) -> [String] {
    isPipe(path) || ArchiveSource.isContainer(path) ? [path] : BundleFileNames.read(at: path)
  }

  /// Refuses a file that SQLite keeps beside a database: it holds saves that are nowhere else, or is
  /// removed when the database is closed.
  static func refuseSideFile(_ path: String) throws {
    guard path != "-" else { return }
    let real = realpath(path, nil)
    defer { free(real) }
    for name in Set([path, real.map { String(cString: $0) } ?? path]) {
      for ending in ["-wal", "-shm", "-journal"] where name.hasSuffix(ending) {
        let database = String(name.dropLast(ending.count))
        guard ArchiveSource.isContainer(database) else { continue }
        throw Failure(
          "'\(path)' is a file that SQLite keeps beside '\(database)'; name another one to write")
      }
    }
  }
}

/// Which file a path stands for: the file itself where there is one, else its folder and name.
private struct FilePlace: Hashable {
  private let identity: FileIdentity
  /// The name of a file that is not there yet.
  private let name: String?

  /// - Parameters:
  ///   - path: `-` is what the descriptor leads to.
  ///   - descriptor: Standard input or output.
  /// - Returns: nil for pipes and devices, and for what can be neither read nor written.
  init?(_ path: String, _ descriptor: Int32) {
    var status = stat()
    if (path == "-" ? fstat(descriptor, &status) : stat(path, &status)) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      identity = FileIdentity(status)
      name = nil
      return
    }
    let components = path as NSString
    let folder = components.deletingLastPathComponent
    guard path != "-", let parent = FileIdentity(path: folder.isEmpty ? "." : folder) else {
      return nil
    }
    identity = parent
    name = components.lastPathComponent
  }
}
