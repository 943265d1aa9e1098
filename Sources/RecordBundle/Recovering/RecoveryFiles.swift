import Foundation
import RecordPlatform

/// The input files of a recovery: the given ones, and others in the same directory whose names
/// belong to the same split bundle.
struct RecoveryFiles {
  /// A file, or the error of opening it.
  struct Entry {
    let path: String
    let file: Result<RandomAccessFile, BundleError>

    /// The number in the name of a file of a split bundle.
    var number: Int? {
      ShardNames.number(in: path).flatMap { $0 <= ShardOutput.maxShards ? $0 : nil }
    }
  }

  /// The given files.
  private(set) var named: [Entry] = []
  /// The files in the directory of the only given one.
  private(set) var siblings: [Entry] = []

  /// Opens the files.
  ///
  /// - Throws: ``BundleError`` if a given file does not exist or is not a file. An empty or
  ///   unreadable file is kept with its error, because other files of the bundle may be readable.
  init(_ paths: [String]) throws {
    for path in paths {
      let entry = try Self.open(path)
      if case .failure(let error) = entry.file {
        let isLoss =
          error.code == .emptyFile || error.code == .inputOutput && error.errorNumber != ENOENT
        guard isLoss else { throw error }
      }
      named.append(entry)
    }
    guard let only = named.first, named.count == 1, let own = only.number else { return }
    for number in 1...ShardOutput.maxShards where number != own {
      guard let path = ShardNames.sibling(number, of: only.path, numbered: own),
        FileLocation(path, STDIN_FILENO)?.exists == true
      else { continue }
      siblings.append(try Self.open(path))
    }
  }

  private static func open(_ path: String) throws -> Entry {
    do {
      let file =
        try path == "-"
        ? RandomAccessFile.standardInput(anyContent: true)
        : RandomAccessFile(path: path, anyContent: true)
      return Entry(path: path, file: .success(file))
    } catch let error as BundleError {
      return Entry(path: path, file: .failure(error))
    }
  }

  /// The size of all files in bytes.
  var size: Int {
    (named + siblings).reduce(0) { $0 + ((try? Int(clamping: $1.file.get().size)) ?? 0) }
  }
}

extension RecoveryFiles {
  /// Checks that no output replaces a given file, and that the outputs are different files.
  ///
  /// - Throws: ``BundleError`` if that is not so.
  func checkOutputs(_ outputs: [String], _ unverified: String?) throws {
    try Self.check(outputs + [unverified].compactMap { $0 }, against: named, "is an input file")
    guard let unverified, let location = FileLocation(unverified, STDOUT_FILENO),
      outputs.contains(where: { FileLocation($0, STDOUT_FILENO) == location })
    else { return }
    throw BundleError(
      .misuse, in: unverified,
      "the bundle is written to this file; choose another path for the unverified lines")
  }

  /// Checks that no output replaces a file of the split bundle that is read.
  ///
  /// - Throws: ``BundleError`` if one does.
  func checkOutputsAgainstSiblings(_ outputs: [String], _ unverified: String?) throws {
    try Self.check(
      outputs + [unverified].compactMap { $0 }, against: siblings,
      "belongs to the split bundle that is read")
  }

  private static func check(
    _ outputs: [String], against entries: [Entry], _ reason: String
  ) throws {
    let sources = Set(entries.compactMap { FileLocation($0.path, STDIN_FILENO) })
    for path in outputs {
      guard let location = FileLocation(path, STDOUT_FILENO), sources.contains(location) else {
        continue
      }
      throw BundleError(
        .misuse, in: path, "this file \(reason); choose another path for the output")
    }
  }
}
