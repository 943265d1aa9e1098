import Foundation
import RecordBundle
import RecordPlatform

extension Archiver.WebServicesSource {
  /// The most bytes of one file: what `WebServicesReader` takes at once.
  private static let maxSize = 64 << 20

  /// The responses at a path: the file itself, or all `.json` files in a directory and those below
  /// it, in the order of their paths' UTF-8 bytes. `-` is standard input.
  ///
  /// - Throws: `BundleError` where nothing is there, or a directory holds no such file.
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
      throw BundleError(.notFound, in: path, "the directory holds no file whose name ends in .json")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.map(Self.file)
  }

  /// A file of bounded size.
  static func file(_ path: String) -> Self {
    Self(name: path) {
      if FileIdentity(path: path).map(OpenContainers.contains) == true {
        throw BundleError(
          .malformed, in: path,
          "it is a container, which this process has open; a response was expected")
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

  /// Standard input, to its end.
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
          "it has more than \(maxSize) bytes, which no response of Web Services has: real "
            + "servers send at most 200 records at once")
      }
    }
    guard !data.isEmpty else {
      throw BundleError(
        .malformed, in: name, "it is empty; a response of CloudKit Web Services is a JSON object")
    }
    return data
  }
}
