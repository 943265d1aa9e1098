import Foundation

/// A program that was run to its end.
struct Command {
  /// Its exit code; 127 where there is no such program.
  let code: Int32
  /// What it wrote to standard output and standard error.
  let output: String

  /// Runs a program that is found on the search path.
  @discardableResult
  init(
    _ arguments: String..., in directory: URL? = nil, environment: [String: String] = [:],
    input: String? = nil
  ) throws {
    let folder = try TemporaryFolder()
    let log = folder.path("log")
    FileManager.default.createFile(atPath: log, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A file, not a pipe: what a program writes can then never block it.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
    process.standardOutput = handle
    process.standardError = handle
    process.standardInput = FileHandle.nullDevice
    if let input {
      try Data(input.utf8).write(to: URL(fileURLWithPath: folder.path("input")))
      process.standardInput = FileHandle(forReadingAtPath: folder.path("input"))
    }
    try process.run()
    process.waitUntilExit()
    code = process.terminationStatus
    output = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
  }

  /// Whether a program is on the search path.
  static func exists(_ name: String) -> Bool {
    (try? Command("which", name).code) == 0
  }

  /// Whether Python has a module.
  static func pythonHas(_ module: String) -> Bool {
    (try? Command("python3", "-c", "import \(module)").code) == 0
  }
}

/// A folder that ends with the test.
final class TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("ExampleTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// Where things lie.
enum Place {
  /// The root of the package.
  static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func inPackage(_ path: String) -> String {
    package.appendingPathComponent(path).path
  }

  /// A program of this package, built together with the tests; nil where it is not there.
  static func program(_ name: String) -> String? {
    let bundles = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let executable = Bundle.main.executableURL?.deletingLastPathComponent()
    return ([executable, own].compactMap { $0 } + bundles)
      .map { $0.appendingPathComponent(name).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
