import Foundation
import Testing

/// A folder in which the steps of a tutorial are done.
final class TutorialProject {
  private let folder: TestFolder
  private let root: URL
  private let environment: [String: String]
  private var lastCode: Int32 = 0

  init(_ name: String) throws {
    folder = try TestFolder()
    root = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    // Tutorials name a clone beside the project.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("RecordPack"), withDestinationPath: Place.package.path)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    environment = [
      "PATH": Place.products.path + ":" + path, "GITHUB_ACTIONS": "", "GITHUB_STEP_SUMMARY": "",
      "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t",
      "GIT_COMMITTER_EMAIL": "t@example.com",
    ]
  }

  /// Does the steps in order.
  func follow(_ tutorial: Tutorial) async throws {
    for step in tutorial.steps {
      if step.isConsole { try await run(step) } else { try save(step) }
    }
  }

  /// Runs commands that prepare the steps.
  func run(_ commands: String...) async throws {
    for line in commands {
      let command = try await Command("bash", "-c", line, in: root, environment: environment)
      try #require(command.code == 0, "\(line): \(command.output)")
    }
  }

  func save(_ step: Tutorial.Step) throws {
    let url = root.appending(path: step.name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(step.text.utf8).write(to: url)
  }

  /// Runs each line that begins with `$`. The lines up to the next are what it prints.
  private func run(_ step: Tutorial.Step) async throws {
    var shown = ""
    let commands = step.text.split(separator: "\n").filter { $0.hasPrefix("$ ") }.map {
      String($0.dropFirst(2))
    }
    for (index, line) in commands.enumerated() {
      let command = try await Command(
        "bash", "-c", "(exit \(lastCode)); \(line)", in: root, environment: environment)
      shown += "$ \(line)\n" + command.output
      lastCode = command.code
      let isTold = index + 1 < commands.count && commands[index + 1] == "echo $?"
      #expect(command.code == 0 || isTold, "\(line): \(command.output)")
    }
    if ProcessInfo.processInfo.environment["RECORDPACK_UPDATE_EXPECTATIONS"] != nil {
      let old = try String(contentsOfFile: step.article, encoding: .utf8)
      try Data(old.replacing(step.text, with: shown).utf8)
        .write(to: URL(fileURLWithPath: step.article))
    } else {
      #expect(Self.withoutSizes(shown) == Self.withoutSizes(step.text), "\(step.name)")
    }
  }

  /// Sizes and digests of compressed files depend on the version of libzstd.
  private static func withoutSizes(_ text: String) -> String {
    text.replacing(/[0-9.]+ (bytes|kB|times)/, with: "N").replacing(/[0-9a-f]{64}/, with: "D")
  }

  /// Checks that the fixtures of the compiled tests are those that the tutorial makes.
  func checkFixtures() async throws {
    let made = root.appending(path: "Tests/TodoAppTests/Fixtures")
    let kept = Place.package.appending(path: "Tests/Tutorials/TodoAppTests/Fixtures")
    for name in FileManager.default.subpaths(atPath: made.path) ?? [] {
      let paths = [made, kept].map { $0.appending(path: name).path }
      if name.hasSuffix(".recordpack") {
        let tool = try #require(Place.program("recordpack"))
        let difference = try await Command(tool, "diff", paths[0], paths[1])
        #expect(difference.code == 0, "\(difference.output)")
      } else if !name.hasSuffix("Schemas") {
        #expect(
          FileManager.default.contentsEqual(atPath: paths[0], andPath: paths[1]), "\(name)")
      }
    }
  }
}
