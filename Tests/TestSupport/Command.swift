import Foundation

/// A program that was run to its end.
package struct Command {
  /// Its exit code; 127 where there is no such program.
  package let code: Int32
  /// What it wrote to standard output, and to standard error where `mergesErrors` is true.
  package let bytes: Data

  package var output: String { String(decoding: bytes, as: UTF8.self) }

  /// Runs a program that is found on the search path.
  ///
  /// - Parameter mergesErrors: Whether ``output`` has what the program wrote to standard error.
  @discardableResult
  package init(
    _ arguments: String..., in directory: URL? = nil, environment: [String: String] = [:],
    input: Data? = nil, mergesErrors: Bool = true
  ) async throws {
    try await self.init(
      arguments, in: directory, environment: environment, input: input, mergesErrors: mergesErrors)
  }

  /// Runs a program that is found on the search path, with a list of arguments.
  @discardableResult
  package init(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:],
    input: Data? = nil, mergesErrors: Bool = true
  ) async throws {
    #if os(macOS) || os(Linux)
      let folder = try TestFolder()
      let log = try folder.write([], as: "log")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      process.currentDirectoryURL = directory
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      if let input {
        try input.write(to: URL(fileURLWithPath: folder.path("input")))
      }
      let end = EndOfProcess(of: process)
      await ProcessSlots.shared.take()
      do {
        // A file, not a pipe: what a program writes can then never block it. It is opened only now, as
        // hundreds of processes wait for a slot.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardOutput = handle
        process.standardError = mergesErrors ? handle : FileHandle.nullDevice
        process.standardInput =
          input == nil ? FileHandle.nullDevice : FileHandle(forReadingAtPath: folder.path("input"))
        defer { try? handle.close() }
        try process.run()
      } catch {
        await ProcessSlots.shared.give()
        throw error
      }
      await end.wait()
      await ProcessSlots.shared.give()
      code = process.terminationStatus
      bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    #else
      throw CocoaError(.featureUnsupported)
    #endif
  }

  /// Whether a program is on the search path.
  package static func exists(_ name: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Whether Python is there and has a module.
  package static func pythonHas(_ module: String) async -> Bool {
    (try? await Command("python3", "-c", "import \(module)").code) == 0
  }
}
