import Foundation
import Testing

/// The steps with code of an article, in order: a block after a line that ends with the path of a file
/// is that file, and a block of a console is commands to run.
struct Tutorial {
  /// A file to save, or commands to run.
  struct Step {
    /// The path of the file in the project.
    let name: String
    /// The path of the article.
    let article: String
    let text: String

    var isConsole: Bool { name.hasSuffix(".console") }
  }

  static let folder = "Sources/RecordPack/Documentation.docc/Tutorials"

  let steps: [Step]

  /// A tutorial by its name, or an article by its path in the package.
  init(_ article: String) throws {
    let file = article.hasSuffix(".md") ? article : "\(Self.folder)/\(article).md"
    let path = Place.inPackage(file)
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let pattern = /(?m)^(.*)\n\n```(\w+)\n((?:.*\n)*?)```$/
    steps = text.matches(of: pattern).compactMap { match in
      let file = match.1.firstMatch(of: /`([^`]+)`:$/).map { String($0.1) }
      guard match.2 == "console" || file != nil else { return nil }
      return Step(
        name: match.2 == "console" ? "\(name).console" : file ?? "", article: path,
        text: String(match.3))
    }
    try #require(!steps.isEmpty)
  }
}
