import Foundation

/// Programs of others that judge our output.
enum OutsideTool {
  /// Whether python 3 is there, with its module `jsonschema`.
  static let hasPython = (try? run("import jsonschema, xml.dom.minidom", "").status) == 0

  static let absence = "python3 with the module jsonschema is not installed"

  /// Runs a piece of Python with text on its standard input.
  static func run(
    _ program: String, _ input: String, arguments: [String] = []
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let standardInput = Pipe()
    let output = Pipe()
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    // Inputs and outputs here are far below what a pipe holds, but the writer must not wait.
    let writer = standardInput.fileHandleForWriting
    DispatchQueue.global().async {
      try? writer.write(contentsOf: Data(input.utf8))
      try? writer.close()
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
