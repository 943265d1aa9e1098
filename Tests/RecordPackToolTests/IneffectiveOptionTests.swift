import Foundation
import Testing

@Suite("Options and arguments without effect")
struct IneffectiveOptionTests {
  private func expectRefused(_ lines: [String], _ words: String, in folder: String) async throws {
    for line in lines {
      let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
      #expect(result.code == 2, "\(line)")
      #expect(result.errors.contains(words), "\(line): \(result.errors)")
    }
  }

  @Test("--color always is refused where nothing is coloured")
  func colors() async throws {
    try await withFolder { folder in
      let lines = [
        "export a.sqlite -o b.recordpack --json", "import a.recordpack b.sqlite --json",
        "inspect a.sqlite --json", "show a.sqlite x --json", "diff a.sqlite b.sqlite --json",
        "verify a.sqlite --json", "recover a.recordpack -o b.recordpack --json",
        "migrate a.sqlite --plan p.yml --dry-run --json", "migrate plan a.ckdb b.ckdb --json",
        "query a.sqlite --json", "query a.sqlite --count",
        "migrate plan a.ckdb b.ckdb", "show a.sqlite --asset 9f86d081", "fixture recipe a.ckdb",
        "fixture policy a.sqlite",
      ]
      try await expectRefused(lines.map { $0 + " --color always" }, "--color", in: folder)
      try await Samples.makeBundle(in: folder)
      for line in ["query Tact.sqlite", "inspect Tact.sqlite --json"] {
        let result = try await ToolProcess.shell("recordpack \(line) --color never", in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
      }
    }
  }

  @Test("--force, --ignore and --quiet are refused where they say nothing")
  func others() async throws {
    try await withFolder { folder in
      try await expectRefused(
        ["migrate plan a.ckdb b.ckdb --force", "migrate plan a.ckdb b.ckdb --force -o -"],
        "--force does not apply to standard output", in: folder)
      try await expectRefused(
        ["''", ",,", "' , '", "changeTag --ignore ''"].map {
          "diff a.recordpack b.recordpack --ignore \($0)"
        }, "--ignore requires the name of a system field", in: folder)
      try await expectRefused(
        ["schema diff a.ckdb b.ckdb -q"], "--quiet does not apply without --records", in: folder)
    }
  }

  @Test("standard input is named once only, by all that a command reads")
  func standardInput() async throws {
    try await withFolder { folder in
      try await expectRefused(
        [
          "schema print - - --check", "migrate plan - -",
          "import - b.sqlite --validate --schema -", "validate - --schema -", "diff - -",
          "verify - -", "schema infer - -", "schema diff - b.ckdb --records -",
        ], "standard input (-) can be read only once", in: folder)
    }
  }
}
