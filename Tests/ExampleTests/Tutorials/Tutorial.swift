import Foundation
import Testing

/// The steps with code of a tutorial, in order.
struct Tutorial {
  /// A file to save, or commands to run.
  struct Step {
    /// The name that the reader sees: the path of the file in the project.
    let name: String
    /// The name of the code file.
    let file: String
    /// Where the code file lies.
    let path: String
    let text: String

    var isConsole: Bool { file.hasSuffix(".console") }
  }

  static let folder = Place.inPackage("Sources/RecordPack/Documentation.docc/Tutorials")

  let steps: [Step]

  init(_ name: String) throws {
    let text = try String(contentsOfFile: "\(Self.folder)/\(name).tutorial", encoding: .utf8)
    let pattern = /@Code\(name: "([^"]+)", file: "([^"]+)"\)/
    steps = try text.matches(of: pattern).map { match in
      let file = String(match.2)
      let path = try #require(Self.paths[file], "there is no code file '\(file)'")
      return Step(
        name: String(match.1), file: file, path: path,
        text: try String(contentsOfFile: path, encoding: .utf8))
    }
    try #require(!steps.isEmpty)
    #expect(text.components(separatedBy: "@Code(").count == steps.count + 1)
    #expect(text.components(separatedBy: "@Step {").count == steps.count + 1)
  }

  /// The steps of an article: a block after a line that ends with the path of a file is that file, and a
  /// block of a console is commands to run.
  init(article path: String) throws {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let path = Place.inPackage(path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let pattern = /(?m)^(.*)\n\n```(\w+)\n((?:.*\n)*?)```$/
    steps = text.matches(of: pattern).compactMap { match in
      let file = match.1.firstMatch(of: /`([^`]+)`:$/).map { String($0.1) }
      guard match.2 == "console" || file != nil else { return nil }
      let name = match.2 == "console" ? "\(name).console" : file ?? ""
      return Step(name: name, file: name, path: path, text: String(match.3))
    }
    try #require(!steps.isEmpty)
  }

  /// The path of each code file: in a catalogue, a file is found by its name alone.
  private static let paths: [String: String] = {
    var paths: [String: String] = [:]
    for path in FileManager.default.subpaths(atPath: folder) ?? [] {
      paths[(path as NSString).lastPathComponent] = "\(folder)/\(path)"
    }
    return paths
  }()
}
