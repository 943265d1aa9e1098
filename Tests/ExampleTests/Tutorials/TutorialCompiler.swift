import Foundation
import Testing

/// Compiles the Swift files of a tutorial after each step, against the modules of this build.
final class TutorialCompiler {
  #if os(Linux)
    static var isAvailable: Bool { Command.exists("swiftc") }
  #else
    static var isAvailable: Bool { false }
  #endif

  private let folder: TestFolder
  /// Where the newest version of each file is, by its name.
  private var files: [String: String] = [:]

  init() throws {
    folder = try TestFolder()
    // SwiftPM generates this for a target with resources.
    try folder.write(
      Array("import Foundation\nextension Bundle { static var module: Bundle { .main } }\n".utf8),
      as: "Resources.swift")
  }

  func compile(_ step: Tutorial.Step) async throws {
    if step.name == "Package.swift" { return try await checkManifest(step) }
    files[step.name] = try folder.write(
      Array(step.text.utf8), as: step.name.replacing("/", with: "-"))
    let sources = paths(in: "Sources/")
    if !sources.isEmpty {
      try await compile(
        ["-emit-module", "-enable-testing", "-module-name", "TodoApp", "-emit-module-path"]
          + [folder.path("TodoApp.swiftmodule")] + sources, step)
    }
    let tests = paths(in: "Tests/")
    if step.name.hasPrefix("Tests/") {
      try await compile(
        ["-typecheck", "-module-name", "TodoAppTests", folder.path("Resources.swift")] + tests, step
      )
    }
  }

  private func paths(in place: String) -> [String] {
    files.filter { $0.key.hasPrefix(place) }.values.sorted()
  }

  private func compile(_ arguments: [String], _ step: Tutorial.Step) async throws {
    let products = Place.products
    let checkouts = products.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "checkouts")
    let maps = [
      Place.inPackage("Sources/CZstd"), Place.inPackage("Sources/CCrypto"),
      Place.inPackage("Sources/CSystemSQLite"),
      checkouts.appending(path: "Yams/Sources/CYaml/include").path,
    ]
    var options = ["-swift-version", "6", "-warnings-as-errors", "-I", folder.path("")]
    options += ["-I", products.appending(path: "Modules").path]
    options += maps.flatMap { ["-Xcc", "-I", "-Xcc", $0, "-I", $0] }
    let response = (options + arguments).map { "\"\($0)\"" }.joined(separator: "\n")
    let swiftc = try await Command(
      "swiftc", "@" + folder.write(Array(response.utf8), as: "options"))
    #expect(swiftc.code == 0, "\(step.name):\n\(swiftc.output)")
  }

  private func checkManifest(_ step: Tutorial.Step) async throws {
    try folder.write(Array(step.text.utf8), as: "Package.swift")
    let dump = try await Command("swift", "package", "--package-path", folder.path, "dump-package")
    #expect(dump.code == 0, "\(step.name):\n\(dump.output)")
  }
}
