import Foundation
import RecordPlatform

/// The input files of a recovery: the given ones, and others of the same split bundle in the same
/// directory, judged by their names.
struct RecoveryFiles {
  /// A file, or the error of opening it.
  struct Entry {
    let path: String
    let file: Result<RandomAccessFile, FrameError>

    /// The number in the name of a file of a split bundle.
    var number: Int? {
      ShardNames.number(in: path).flatMap { $0 <= ShardOutput.mostShards ? $0 : nil }
    }
  }

  /// The given files.
  private(set) var named: [Entry] = []
  /// The files in the directory of the only given one.
  private(set) var siblings: [Entry] = []

  /// Opens the files.
  ///
  /// - Throws: ``FrameError`` if a given file does not exist or is not a file. An empty or
  ///   unreadable file is kept with its error, because other files of the bundle may be readable.
  init(_ paths: [String]) throws {
    for path in paths {
      let entry = try Self.open(path)
      if case .failure(let error) = entry.file {
        let isLoss =
          error.kind == .emptyFile || error.kind == .inputOutput && error.errorNumber != ENOENT
        guard isLoss else { throw error }
      }
      named.append(entry)
    }
    guard let only = named.first, named.count == 1, let own = only.number else { return }
    for number in 1...ShardOutput.mostShards where number != own {
      guard let path = ShardNames.sibling(number, of: only.path, numbered: own),
        Self.identity(path) != nil
      else { continue }
      siblings.append(try Self.open(path))
    }
  }

  private static func open(_ path: String) throws -> Entry {
    do {
      let file =
        try path == "-"
        ? RandomAccessFile.standardInput(beginning: .anything)
        : RandomAccessFile(path: path, beginning: .anything)
      return Entry(path: path, file: .success(file))
    } catch let error as FrameError {
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
  /// - Throws: ``FrameError`` if that is not so.
  func checkOutputs(_ outputs: [String], _ unverified: String?) throws {
    try Self.check(outputs + [unverified].compactMap { $0 }, against: named, "is read")
    guard let unverified else { return }
    for path in outputs where Self.isSame(path, unverified) {
      throw FrameError(
        .misuse, in: unverified,
        "the bundle is written to this file; name another one for the lines that nothing proves")
    }
  }

  /// Checks that no output replaces a file of the split bundle that is read.
  ///
  /// - Throws: ``FrameError`` if one does.
  func checkOutputsAgainstSiblings(_ outputs: [String], _ unverified: String?) throws {
    try Self.check(
      outputs + [unverified].compactMap { $0 }, against: siblings,
      "belongs to the split bundle that is read")
  }

  private static func check(
    _ outputs: [String], against entries: [Entry], _ reason: String
  ) throws {
    let sources = Set(entries.compactMap { identity($0.path, isInput: true) })
    for path in outputs {
      guard let identity = identity(path), sources.contains(identity) else { continue }
      throw FrameError(.misuse, in: path, "this file \(reason); name another one to write")
    }
  }

  /// Whether two paths lead to the same file, or will once it is written.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    let (exists, otherExists) = (
      FileManager.default.fileExists(atPath: path), FileManager.default.fileExists(atPath: other)
    )
    guard exists == otherExists else { return false }
    guard !exists else { return identity(path).map { $0 == identity(other) } ?? false }
    let (url, otherURL) = (URL(fileURLWithPath: path), URL(fileURLWithPath: other))
    return url.lastPathComponent == otherURL.lastPathComponent
      && folder(of: path) == folder(of: other)
  }

  private static func folder(of path: String) -> FileIdentity? {
    let end = path.lastIndex(of: "/").map(path.index(after:))
    return FileIdentity(path: end.map { String(path[..<$0]) } ?? ".")
  }

  /// Returns the identity of a regular file; `-` is standard input or output; nil for others.
  private static func identity(_ path: String, isInput: Bool = false) -> FileIdentity? {
    var status = stat()
    let result =
      path == "-"
      ? fstat(isInput ? STDIN_FILENO : STDOUT_FILENO, &status) : stat(path, &status)
    guard result == 0, SystemCall.fileType(status) == mode_t(S_IFREG) else { return nil }
    return FileIdentity(status)
  }
}
