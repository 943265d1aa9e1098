import Foundation
import RecordBundle
import RecordPlatform

extension Archiver.WebServicesSource {
  /// The size limit of a file in bytes, that of `WebServicesReader`.
  private static let maxSize = 64 << 20

  /// Returns the responses at a path: the file, or all `.json` files in a directory and its
  /// subdirectories, ordered by the UTF-8 bytes of their paths. `-` is standard input.
  ///
  /// - Throws: `BundleError` if the path does not exist, or the directory contains no such file.
  public static func sources(at path: String) throws -> [Self] {
    if path == "-" { return [.standardInput()] }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw BundleError(.notFound, in: path, "there is no such file")
    }
    guard isDirectory.boolValue else { return [.file(path)] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      $0.hasSuffix(".json")
    }
    guard !names.isEmpty else {
      throw BundleError(.notFound, in: path, "the directory contains no .json files")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.map(Self.file)
  }

  /// Creates a source that reads a file of limited size.
  static func file(_ path: String) -> Self {
    Self(name: path) {
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
      return try read(descriptor, path)
    }
  }

  /// Creates a source that reads standard input to its end.
  static func standardInput() -> Self {
    Self(name: "standard input") { try read(STDIN_FILENO, "standard input") }
  }

  private static func read(_ descriptor: Int32, _ name: String) throws -> Data {
    var data = Data()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try InputWait.read(descriptor, into: buffer), count > 0 {
      data.append(contentsOf: buffer[..<count])
      guard data.count <= maxSize else {
        throw BundleError(
          .malformed, in: name,
          "it exceeds \(maxSize) bytes; a Web Services response has at most 200 records")
      }
    }
    guard !data.isEmpty else {
      throw BundleError(
        .malformed, in: name, "it is empty; a CloudKit Web Services response is a JSON object")
    }
    return data
  }
}
