import Foundation
import RecordSchema

/// Reads a file from a revision of the git repository around the working directory.
enum GitRevision {
  /// - Parameter name: A revision and a path, `main:CloudKit/schema.ckdb`. A path that starts with
  ///   `./` is relative to the working directory, any other to the root of the repository.
  static func document(_ name: String) throws -> SchemaDocument {
    guard !name.hasPrefix("-") else { throw CommandError("'\(name)' is not a git revision") }
    let (status, output, errors) = try run(["cat-file", "blob", name])
    guard status == 0 else {
      throw CommandError(
        "'\(name)' is neither a file nor a file in git: "
          + (errors.split(separator: "\n").first.map(String.init) ?? "git ended with \(status)"))
    }
    return SchemaDocument(parsing: Array(output), name: name)
  }

  private static func run(
    _ arguments: [String]
  ) throws -> (status: Int32, output: Data, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw CommandError("cannot run git: \(error.localizedDescription)")
    }
    // Git writes at most one line of errors here, which fits into the pipe's buffer.
    var data = Data()
    while let piece = try output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
      if data.count <= SchemaDocument.maxSize { data.append(piece) }
    }
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, data, String(decoding: text, as: UTF8.self))
  }
}
