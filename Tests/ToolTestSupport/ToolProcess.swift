import Foundation

// Every file of the tools' tests uses it.
@_exported import TestSupport

/// `recordpack` as users have it: a process of its own.
package struct ToolProcess {
  /// What a run left behind.
  package struct Result: Sendable {
    package var code: Int32
    package var output: String
    package var errors: String
    package var outputBytes: Data
  }

  package static let path = Place.products.appending(path: "recordpack").path

  /// A process that was started in the background ignores SIGINT, and its children do, too. The tests
  /// interrupt the tool.
  private static let takesSignals: Void = {
    for number in [SIGINT, SIGHUP] { _ = signal(number, SIG_DFL) }
  }()

  package let process = Process()
  package let end: EndOfProcess
  private let output = Pipe()
  private let errors = Pipe()

  /// - Parameters:
  ///   - folder: the working directory.
  ///   - program: what to run, for scripts around the tool.
  package init(_ arguments: [String], in folder: String, program: String = path) {
    Self.takesSignals
    end = EndOfProcess(of: process)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = Place.products.path + ":" + (environment["PATH"] ?? "")
    environment["NO_COLOR"] = nil
    process.environment = environment
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
  }

  /// Starts; call ``finish()`` afterwards.
  package func start() throws { try process.run() }

  /// Suspends until the process ends, and returns what it wrote.
  ///
  /// - Parameter limit: The number of seconds after which the process is killed.
  package func finish(limit: Double = 900) async -> Result {
    // Two pipes have to be emptied while the process runs.
    async let errorBytes = Self.readToEnd(errors)
    async let outputBytes = Self.readToEnd(output)
    await end.wait(limit: limit)
    let bytes = await outputBytes
    let errorText = await String(decoding: errorBytes, as: UTF8.self)
    let code =
      process.terminationReason == .uncaughtSignal
      ? -process.terminationStatus : process.terminationStatus
    return Result(
      code: code, output: String(decoding: bytes, as: UTF8.self), errors: errorText,
      outputBytes: bytes)
  }

  private static func readToEnd(_ pipe: Pipe) async -> Data {
    let handle = pipe.fileHandleForReading
    // Foundation keeps some processes that have ended, and their pipes with them.
    defer { try? handle.close() }
    return (try? await onThread { try handle.readToEnd() }) ?? Data()
  }

  /// Makes a process when few others run, starts it, and suspends until its end.
  ///
  /// Hundreds of processes wait for their turn. Each holds four files once it is made.
  private static func complete(_ make: () -> ToolProcess) async throws -> Result {
    await ProcessSlots.shared.take()
    let tool = make()
    do {
      try tool.start()
    } catch {
      await ProcessSlots.shared.give()
      throw error
    }
    let result = await tool.finish()
    await ProcessSlots.shared.give()
    return result
  }

  /// Runs the tool to its end, with arguments that have no spaces.
  package static func run(line: String, in folder: String) async throws -> Result {
    try await run(line.split(separator: " ").map(String.init), in: folder)
  }

  /// Runs the tool to its end.
  package static func run(
    _ arguments: String..., in folder: String, input: Data? = nil
  ) async throws -> Result {
    try await run(arguments, in: folder, input: input)
  }

  package static func run(_ arguments: [String], in folder: String, input: Data? = nil) async throws
    -> Result
  {
    let file = folder + "/.standard-input"
    try input?.write(to: URL(fileURLWithPath: file))
    defer { if input != nil { try? FileManager.default.removeItem(atPath: file) } }
    return try await complete {
      let tool = ToolProcess(arguments, in: folder)
      if input != nil { tool.process.standardInput = FileHandle(forReadingAtPath: file) }
      return tool
    }
  }

  /// Runs a line of shell.
  package static func shell(_ line: String, in folder: String) async throws -> Result {
    try await complete { ToolProcess(["-c", line], in: folder, program: "/bin/sh") }
  }
}

extension ToolProcess {
  /// Runs `query`, and returns the identities of records: database, zone, type and name with tabs
  /// between them, one record a line.
  package static func list(
    _ source: String, _ options: [String] = [], in folder: String
  ) async throws -> (code: Int32, output: String, errors: String) {
    let result = try await run(
      ["query", source, "--json", "--fields", "recordName"] + options, in: folder)
    let lines = try result.output.split(separator: "\n").map { line in
      let record = try Samples.json(String(line))
      let zone = record["zoneID"] as? [String: Any] ?? [:]
      let name = zone["ownerRecordName"] as? String ?? "__defaultOwner__"
      let owner = name == "__defaultOwner__" ? "" : "/" + name
      let parts = ["database", "recordType", "recordName"].map { record[$0] as? String ?? "" }
      return "\(parts[0])\t\(zone["zoneName"] as? String ?? "")\(owner)\t\(parts[1])\t\(parts[2])\n"
    }
    return (result.code, lines.joined(), result.errors)
  }
}
