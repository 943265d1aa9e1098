import Foundation
import RecordBundle
import Testing

/// The commands that Format.md gives to its readers, run as they stand there.
struct FormatCommandTests {
  private static let page = try? String(
    contentsOfFile: Place.inPackage("Sources/RecordBundle/Documentation.docc/Format.md"),
    encoding: .utf8)

  /// The first block of a language that holds a word.
  private static func block(_ language: String, with word: String) -> String? {
    page?.components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .first { $0.contains(word) }
  }

  private static let isJqThere = ["bash", "zstd", "jq", "base64"].allSatisfy(Command.exists)

  @Test("zstd and jq", .enabled(if: isJqThere, "needs bash, zstd, jq and base64"))
  func jq() async throws {
    let folder = try TestFolder()
    _ = try RichBundle.write(to: folder.path("Tact.recordpack"))
    let commands = try #require(Self.block("sh", with: "jq"))
    // SHA-256 of "foo", one of the assets.
    let run = try await Command(
      "bash", "-euo", "pipefail", "-c", "cd '\(folder.path(""))'\n" + commands,
      environment: ["SHA256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"])
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("4 subscription"))
    #expect(try String(contentsOfFile: folder.path("asset"), encoding: .utf8) == "foo")
  }

  /// A reader of zstd's seekable format that was not written for bundles.
  @Test(
    "pyzstd reads the lines at any offset",
    .enabled("needs python3 with pyzstd") { await Command.pythonHas("pyzstd") })
  func seekableFormat() async throws {
    let folder = try TestFolder()
    let path = folder.path("rich.recordpack")
    var options = BundleWriter.Options()
    options.frameSize = 4 << 10
    let summary = try RichBundle.write(to: path, records: 200, options: options)
    let script = """
      import sys
      from pyzstd import SeekableZstdFile
      with SeekableZstdFile(sys.argv[1]) as file:
          whole = file.read()
          for place in range(0, len(whole), len(whole) // 20):
              file.seek(place)
              assert file.read(100) == whole[place:place + 100], place
          print(whole.count(b"\\n"), len(whole.splitlines()[-1]))
      """
    let run = try await Command("python3", "-c", script, path)
    #expect(run.code == 0, "\(run.output)")
    let last = try await Command(
      "bash", "-c", "zstd -dc < '\(path)' | tail -n 1 | head -c -1 | wc -c")
    let expected = "\(summary.files[0].index.lines + 1) \(last.output)"
    #expect(
      run.output.split(whereSeparator: \.isWhitespace)
        == expected.split(whereSeparator: \.isWhitespace))
  }

  @Test("DuckDB", .enabled("needs python3 with duckdb") { await Command.pythonHas("duckdb") })
  func duckDB() async throws {
    let folder = try TestFolder()
    let tact = try #require(Place.program("tact"))
    let tool = try #require(Place.program("recordpack"))
    let statements = try #require(Self.block("sql", with: "read_json"))
    let script = """
      set -eu
      cd '\(folder.path(""))'
      '\(tact)' t.sqlite
      '\(tool)' export t.sqlite -o Tact.recordpack
      python3 -c '
      import duckdb, sys
      for statement in sys.stdin.read().split(";"):
          if statement.strip(): print(duckdb.sql(statement))
      '
      """
    let run = try await Command("bash", "-c", script, input: Data(statements.utf8))
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("cloudkit.share"))
    #expect(run.output.contains("👍"))
  }
}
