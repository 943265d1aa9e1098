import Foundation
import RecordSchema
import RecordText
import SourceScan

/// Reads Swift files and folders of them.
enum SwiftFiles {
  /// The maximum total size in bytes.
  private static let maxTotal = 1 << 30

  /// Returns the Swift files at some paths, each once, sorted within a folder.
  ///
  /// Hidden files and folders are left out, such as the products of a build in `.build`.
  ///
  /// Warns of files that are too large or no text, and leaves them out.
  ///
  /// - Throws: ``CommandError`` if a path does not exist, a file cannot be read, or there is no Swift file.
  static func read(_ paths: [String]) throws -> [(name: String, bytes: [UInt8])] {
    var names: [String] = []
    for path in paths { names += try files(at: path) }
    var seen: Set<String> = []
    var total = 0
    var files: [(name: String, bytes: [UInt8])] = []
    for name in names {
      let identity = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
      guard seen.insert(identity).inserted else { continue }
      let file = try Inputs.open(name)
      defer { try? file.close() }
      let bytes = try SchemaInput.read(file, "'\(name)'", atMost: SourceScan.maxSize)
      guard bytes.count <= SourceScan.maxSize else {
        ErrorReport.warn(
          "'\(name)' is larger than \(Numbers.size(SourceScan.maxSize)) and is not scanned")
        continue
      }
      if let broken = UTF8Check.firstBrokenSpan(in: bytes) {
        ErrorReport.warn(
          "'\(name)' is not scanned: byte \(broken.offset) is not UTF-8, as Swift code is")
        continue
      }
      total += bytes.count
      guard total <= maxTotal else {
        throw CommandError("the Swift files have more than \(Numbers.size(maxTotal))")
      }
      files.append((name, bytes))
    }
    guard !files.isEmpty else {
      throw CommandError("there is no Swift file in '\(paths.joined(separator: "', '"))'")
    }
    return files
  }

  private static func files(at path: String) throws -> [String] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw CommandError("there is no file or folder '\(path)'")
    }
    guard isDirectory.boolValue else {
      guard path.hasSuffix(".swift") else {
        throw CommandError("'\(path)' is no Swift file: its name does not end in '.swift'")
      }
      return [path]
    }
    guard let walk = FileManager.default.enumerator(atPath: path) else {
      throw CommandError("cannot read the folder '\(path)'")
    }
    var found: [String] = []
    for case let name as String in walk {
      if URL(fileURLWithPath: name).lastPathComponent.hasPrefix(".") {
        walk.skipDescendants()
      } else if name.hasSuffix(".swift") {
        found.append(name)
      }
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    // A folder can have such a name too, as `GRDB.swift` does.
    return found.sorted().map { folder + $0 }.filter { name in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
        && !isDirectory.boolValue
    }
  }
}
