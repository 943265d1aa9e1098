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
  private var entitlements: [String] = []
  /// Whether the folder has an Xcode project, which names the entitlements of its app.
  private(set) var hasProject = false

  /// Symbolic links are followed, each folder once.
  init(_ path: String) throws {
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    var seen: Set<String> = []
    try add(folder, &seen)
    swift.sort()
    dataModels.sort()
    entitlements.sort()
  }

  /// The entitlements of an app.
  struct Entitlements {
    var file: String
    var allowsCloud: Bool
    /// The first of its containers, as the file writes it.
    var container: String?
  }

  /// The entitlements of the app that has some files: those that stand nearest to them, as a folder can
  /// have several apps. Of those in the innermost folder around the files, and nearer ones, one that asks for
  /// a service of iCloud. Extensions of the app, which do not ask, may be nearer than the app's own.
  ///
  /// - Parameter files: Files in the folder; none for all of the folder.
  /// - Returns: nil if the folder has no entitlements.
  func entitlements(nearestTo files: [String] = []) throws -> Entitlements? {
    func common(_ first: [Substring], _ second: [Substring]) -> [Substring] {
      zip(first, second).prefix { $0 == $1 }.map(\.0)
    }
    let folders = files.map { $0.split(separator: "/").dropLast() }.map(Array.init)
    let folder = folders.dropFirst().reduce(folders.first ?? []) { common($0, $1) }
    let places = try entitlements.map { file in
      let owner = Array(file.split(separator: "/").dropLast())
      let shared = common(folder, owner).count
      return (read: try Self.read(file), shared: shared, isAround: shared == owner.count)
    }
    let nearest =
      places.filter(\.isAround).map(\.shared).max()
      ?? places.filter(\.read.allowsCloud).map(\.shared).max() ?? 0
    let all = places.filter { $0.shared >= nearest }.map(\.read)
    var found = all.first(where: \.allowsCloud) ?? all.first
    // The containers of several apps.
    if Set(all.compactMap(\.container)).count > 1 { found?.container = nil }
    return found
  }

  private static func read(_ file: String) throws -> Entitlements {
    let bytes = try Inputs.bytes(of: file, "a property list", atMost: 1 << 20)
    let text = String(decoding: bytes, as: UTF8.self)
    let list = text.firstRange(of: "icloud-container-identifiers</key>")
      .map { text[$0.upperBound...].prefix { $0 != "/" } }
    let container = list?.firstRange(of: "<string>")
      .map { list![$0.upperBound...].prefix { $0 != "<" } }
    return Entitlements(
      file: file, allowsCloud: text.contains("icloud-services"),
      container: container.map(String.init).flatMap { $0.isEmpty ? nil : $0 })
  }

  private mutating func add(_ folder: String, _ seen: inout Set<String>) throws {
    let real = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    guard seen.insert(real).inserted else { return }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw CommandError("cannot read the folder '\(folder)'")
    }
    for name in names where !name.hasPrefix(".") && name != "Pods" && name != "Carthage" {
      let path = folder + "/" + name
      if name.hasSuffix(".xcodeproj") { hasProject = true }
      if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
        dataModels.append(path)
      } else if Inputs.isDirectory(path) {
        // A folder can have a name such as `GRDB.swift`.
        try add(path, &seen)
      } else if name.hasSuffix(".swift") {
        swift.append(path)
      } else if name.hasSuffix(".entitlements") {
        entitlements.append(path)
      }
    }
  }
}
