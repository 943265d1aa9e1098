import Foundation
import Testing

/// An outside validator (Python's `jsonschema`) holds the library's lines against the JSON Schema.
@Suite(
  .enabled("needs zstd and python3 with jsonschema") {
    guard Command.exists("zstd") else { return false }
    return await Command.pythonHas("jsonschema")
  })
struct LineSchemaTests {
  private static let validator = Place.inPackage("Schemas/validate.py")

  @Test("every line of a bundle with everything in it is valid")
  func richBundle() async throws {
    let folder = try TestFolder()
    let path = folder.path("rich.recordpack")
    let summary = try RichBundle.write(to: path)
    let check = try await Command(
      "sh", "-c", "zstd -dc < '\(path)' | python3 -B '\(Self.validator)'")
    #expect(check.code == 0, "\(check.output)")
    let lines = summary.files[0].index.lines + 1
    #expect(check.output == "\(lines) lines, 0 wrong\n")
  }

  @Test("lines that are wrong are refused, each of them")
  func wrongLines() async throws {
    let check = try await Command(
      "python3", "-B", Self.validator,
      input: Data(WrongLines.all.map { $0 + "\n" }.joined().utf8))
    #expect(check.code == 1)
    for (number, line) in WrongLines.all.enumerated() {
      #expect(check.output.contains("line \(number + 1): "), "accepted: \(line)")
    }
  }

  @Test("the lines that the wrong ones were made from are valid")
  func rightLines() async throws {
    let check = try await Command(
      "python3", "-B", Self.validator,
      input: Data(WrongLines.originals.map { $0 + "\n" }.joined().utf8))
    #expect(check.code == 0, "\(check.output)")
  }
}
