import Foundation
import RecordBundle
import RecordCoding
import RecordPlatform

extension ResponseSource {
  /// The size limit of a file in bytes, that of `ResponseReader`.
  private static let maxSize = ResponseReader().maxSize

  /// Returns the responses at a path: the file, or all `.json` files in a directory and its
  /// subdirectories, ordered by the UTF-8 bytes of their paths. `-` is standard input.
  ///
  /// - Throws: `BundleError` if the path does not exist, or the directory contains no such file.
  public static func sources(
    at path: String, dialect: ResponseDialect = .webServices
  ) throws -> [Self] {
    if path == "-" { return [.standardInput(dialect)] }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw BundleError(.notFound, in: path, "there is no such file")
    }
    guard isDirectory.boolValue else { return [.file(path, dialect)] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      $0.hasSuffix(".json")
    }
    guard !names.isEmpty else {
      throw BundleError(.notFound, in: path, "the directory contains no .json files")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      .map { .file($0, dialect) }
  }

  /// Returns the responses at a file URL: the file, or all `.json` files in a directory.
  public static func sources(
    at url: URL, dialect: ResponseDialect = .webServices
  ) throws -> [Self] {
    try sources(at: url.filePath(), dialect: dialect)
  }

  /// Creates a source that reads a file of limited size.
  static func file(_ path: String, _ dialect: ResponseDialect) -> Self {
    Self(name: path, dialect: dialect) {
      if FileIdentity(path: path).map(OpenContainers.contains) == true {
        throw BundleError(
          .malformed, in: path,
          "it is a container that this process has open, not a response")
      }
      let descriptor = InputWait.open(path)
      guard descriptor >= 0 else {
        throw BundleError(
          .notFound, in: path, "cannot open it: \(String(cString: strerror(errno)))")
      }
      defer { close(descriptor) }
      return try read(descriptor, path, dialect)
    }
  }

  /// Creates a source that reads standard input to its end.
  static func standardInput(_ dialect: ResponseDialect) -> Self {
    let name = "standard input"
    return Self(name: name, dialect: dialect) { try read(STDIN_FILENO, name, dialect) }
  }

  private static func read(
    _ descriptor: Int32, _ name: String, _ dialect: ResponseDialect
  ) throws -> Data {
    var data = Data()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try InputWait.read(descriptor, into: buffer), count > 0 {
      data.append(contentsOf: buffer[..<count])
      guard data.count <= maxSize else {
        throw BundleError(
          .malformed, in: name,
          "it exceeds \(maxSize) bytes; a response of \(dialect.owner) has at most 200 records")
      }
    }
    guard !data.isEmpty else {
      throw BundleError(
        .malformed, in: name, "it is empty; a response of \(dialect.owner) is a JSON object")
    }
    return data
  }
}
