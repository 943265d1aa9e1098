import Foundation
import RecordArchive
import RecordBundle

/// How a plan names files, which is from its own folder.
struct PlanPlacement {
  /// The folder the plan will lie in; absolute.
  private let folder: [String]
  /// Whether it is known where the plan will lie, or only assumed.
  private let isKnown: Bool

  /// - Parameter output: the plan's path; nil for standard output, from which somebody puts it into
  ///   the current folder, as far as one can know.
  init(output: String?) {
    isKnown = output != nil
    folder =
      output.map { Array(Self.components($0).dropLast()) }
      ?? Self.components(FileManager.default.currentDirectoryPath)
  }

  /// What `from` or `to` of the plan says: the version, where the schema lies beside the plan under
  /// that name; else the way to the file.
  func name(ofSchema path: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else {
      // A revision of git: `main:schemas/v2.ckdb`.
      let parts = path.split(separator: ":", maxSplits: 1).map(String.init)
      return "\(Self.stem(parts.last ?? path))@\(parts.first ?? "")"
    }
    guard path.hasSuffix(".ckdb") else {
      let isArchive = ArchiveSource.isContainer(path) || (try? BundleReader(path: path)) != nil
      guard isArchive else {
        throw Failure("'\(path)': plans know schemas by names that end in .ckdb; rename the file")
      }
      return try Inputs.source(path).info().schemaVersion ?? Self.stem(path)
    }
    let way = relative(path)
    guard isKnown, !way.contains("/"), way.hasSuffix(".ckdb"), way.count > 5 else { return way }
    return String(way.dropLast(5))
  }

  /// Where the JSON Schema of plans lies, looked for around the plan; nil where it does not.
  var editorSchema: String? {
    let name = "recordpack-migration-v1.schema.json"
    for way in ["", "../", "../../", "Schemas/", "../Schemas/", "../../Schemas/"] {
      let path = "/" + folder.joined(separator: "/") + "/" + way + name
      if FileManager.default.fileExists(atPath: path) { return way + name }
    }
    return nil
  }

  private static func stem(_ path: String) -> String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  private func relative(_ path: String) -> String {
    let target = Self.components(path)
    let common = zip(folder, target).prefix { $0 == $1 }.count
    // Nobody wants to climb to the root: another tree is named from there.
    guard common > 0 || folder.isEmpty else { return "/" + target.joined(separator: "/") }
    return (Array(repeating: "..", count: folder.count - common) + target[common...])
      .joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    let start = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    var parts: [String] = []
    for part in (start + path).split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts
  }
}
