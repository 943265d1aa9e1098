import AppModel
import Foundation
import RecordSchema
import RecordText

/// Reads Swift files and folders of them, one at a time.
enum SwiftFiles {
  /// A file that was left out.
  struct Skipped {
    var name: String
    var reason: String
  }

  /// Calls a function for each Swift file at some paths, each once, sorted within a folder.
  ///
  /// Hidden files and folders are left out, such as the products of a build in `.build`, and
  /// packages that are checked out below a folder `Pods` or `Carthage`.
  ///
  /// - Returns: The files that are too large or no text, which are left out.
  /// - Throws: ``CommandError`` if a path does not exist or a file cannot be read.
  static func each(
    _ paths: [String], _ body: (_ name: String, _ bytes: [UInt8]) throws -> Void
  ) throws -> [Skipped] {
    var skipped: [Skipped] = []
    var seen: Set<String> = []
    for path in paths {
      for name in try files(at: path) {
        let identity = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
        guard seen.insert(identity).inserted else { continue }
        let bytes = try Inputs.bytes(of: name, "a Swift file", atMost: SourceScan.maxSize)
        guard bytes.count <= SourceScan.maxSize else {
          skipped.append(
            Skipped(name: name, reason: "it is larger than \(Numbers.size(SourceScan.maxSize))"))
          continue
        }
        if let broken = UTF8Check.firstBrokenSpan(in: bytes) {
          skipped.append(
            Skipped(name: name, reason: "byte \(broken.offset) is not UTF-8, as Swift code is"))
          continue
        }
        try body(name, bytes)
      }
    }
    return skipped
  }

  private static func files(at path: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError("there is no file or folder '\(path)'")
    }
    guard Inputs.isDirectory(path) else {
      guard path.hasSuffix(".swift") else {
        throw CommandError("'\(path)' is no Swift file: its name does not end in '.swift'")
      }
      return [path]
    }
    return try FolderFiles(path).swift
  }
}

/// The files of a folder that can have code or a model, sorted. Hidden files and folders are left out.
struct FolderFiles {
  private(set) var swift: [String] = []
  /// The folders of Core Data models, `.xcdatamodeld` or `.xcdatamodel`.
  private(set) var dataModels: [String] = []

  init(_ path: String) throws {
    guard let walk = FileManager.default.enumerator(atPath: path) else {
      throw CommandError("cannot read the folder '\(path)'")
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    for case let name as String in walk {
      let last = name.split(separator: "/").last.map(String.init) ?? name
      if last.hasPrefix(".") || last == "Pods" || last == "Carthage" {
        walk.skipDescendants()
      } else if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
        dataModels.append(folder + name)
        walk.skipDescendants()
      } else if name.hasSuffix(".swift"), !Inputs.isDirectory(folder + name) {
        // A folder can have such a name too, as `GRDB.swift` does.
        swift.append(folder + name)
      }
    }
    swift.sort()
    dataModels.sort()
  }
}
