import Foundation
import Testing

@testable import RecordPackTool

@Suite("Counts and messages")
struct ToolMessageTests {
  private static let plans = Place.inPackage("Schemas/Tact")

  private func run(_ line: String, in folder: String) async throws -> ToolProcess.Result {
    try await ToolProcess.shell("recordpack \(line)", in: folder)
  }

  @Test("a dry run of what needs no migration does not say that it copied")
  func dryRun() async throws {
    try await withFolder { folder in
      let result = try await run(
        "migrate \(Self.plans)/v5.recordpack --plan \(Self.plans) --dry-run", in: folder)
      #expect(
        result.code == 0
          && result.output.hasSuffix("already has the version 'v5': nothing to migrate\n"))
    }
  }

  @Test("a source that has a single plan's version already is copied")
  func singlePlan() async throws {
    try await withFolder { folder in
      let source = "\(Self.plans)/v5.recordpack"
      let result = try await run(
        "migrate \(source) --plan \(Self.plans)/v5.yml -o n.recordpack", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.output.contains("nothing to migrate; copied 88 records"))
      #expect(try await run("diff \(source) n.recordpack", in: folder).code == 0)
    }
  }

  @Test("an error names the file, option or directory that it is about, with commands to paste")
  func places() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let broken = try Samples.read("Tact.sqlite", in: folder).split(
        separator: Data("Hello 1".utf8))
      try Samples.write(
        Data(broken.joined(separator: Data("Hell\u{0}\"1".utf8))), "a b.sqlite", in: folder)
      try Samples.write(Data("recordpack".utf8), "text", in: folder)
      for (line, code, words) in [
        ("migrate None.sqlite --plan \(Self.plans) --in-place", 2, "No such file or directory"),
        ("migrate text --plan \(Self.plans) --in-place", 2, "it is plain text"),
        ("migrate Tact.recordpack --plan \(Self.plans) --in-place", 2, "to another file with -o"),
        ("inspect - < Tact.sqlite", 2, "to read a container, name its file"),
        ("schema print Tact.sqlite -o out", 2, "Unknown option '-o'"),
        ("schema print Tact.sqlite Tact.sqlite", 2, "several schemas require --check or --write"),
        ("put Tact.sqlite a.json -o out", 2, "Unknown option '-o'"),
        ("put Tact.sqlite a.json b.json", 2, "name one file"),
        ("verify 'a b.sqlite'", 1, "'recordpack recover 'a b.sqlite' -o saved.recordpack'"),
      ] as [(String, Int32, String)] {
        let result = try await run(line, in: folder)
        #expect(result.code == code, "\(line): \(result.output)")
        #expect((result.errors + result.output).contains(words), "\(line): \(result.errors)")
      }
      #if os(Linux)
        let copy = try await ToolProcess.shell(
          "TMPDIR=/proc recordpack put Tact.sqlite --type X --name x a=1 --dry-run", in: folder)
        #expect(copy.code == 2 && copy.errors.contains("'/proc'"), "\(copy.errors)")
      #endif
    }
  }

  @Test("a plan or schema that cannot be written is named, with the reason")
  func unwritable() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for command in [
        "migrate plan \(Self.plans)/v1.ckdb \(Self.plans)/v2.ckdb", "schema infer Tact.sqlite",
      ] {
        let missing = try await run("\(command) -o nodir/x.yml", in: folder)
        #expect(missing.code == 2)
        #expect(
          missing.errors.contains("nodir/x.yml")
            && missing.errors.contains("No such file or directory"), "\(missing.errors)")
        let directory = try await run("\(command) -o . --force", in: folder)
        #expect(
          directory.code == 2 && directory.errors.contains("it is a directory"),
          "\(directory.errors)")
      }
    }
  }

  @Test("a plan that replaces another keeps its permissions, and follows a link")
  func replacedPlan() async throws {
    try await withFolder { folder in
      try Samples.write(Data("old".utf8), "p.yml", in: folder)
      chmod(folder + "/p.yml", 0o640)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link.yml", withDestinationPath: "p.yml")
      let result = try await run(
        "migrate plan \(Self.plans)/v1.ckdb \(Self.plans)/v2.ckdb -o link.yml --force", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      var status = stat()
      #expect(lstat(folder + "/p.yml", &status) == 0 && status.st_mode & 0o777 == 0o640)
      let text = String(decoding: try Samples.read("p.yml", in: folder), as: UTF8.self)
      #expect(text.contains("recordpack-migration"))
    }
  }

  @Test("a type or zone that no response has is refused, and nothing is left")
  func typos() async throws {
    try await withFolder { folder in
      try Samples.write(Samples.response(records: 2), "r.json", in: folder)
      for (selection, name) in [
        ("--type Notte", "record type 'Notte'"), ("--zone Nope", "zone 'Nope'"),
        ("--zone Nope --type Note", "zone 'Nope'"),
        ("--type Note --type Tood", "record type 'Tood'"),
      ] {
        for command in [
          "import --from web-services r.json t.sqlite",
          "schema infer --from web-services r.json -o t.ckdb",
        ] {
          let result = try await run("\(command) \(selection)", in: folder)
          #expect(result.code == 2)
          #expect(
            result.errors.contains("there is no \(name)"), "\(result.errors)")
        }
      }
      #expect(!Samples.exists("t.sqlite", in: folder) && !Samples.exists("t.ckdb", in: folder))
      let fine = try await run("import --from web-services r.json t.sqlite --type Note", in: folder)
      #expect(fine.code == 0 && fine.output.contains("Imported 2 records"), "\(fine.errors)")
    }
  }

  @Test("records of empty lists pass development, and what infer makes of them")
  func emptyLists() async throws {
    try await withFolder { folder in
      try Samples.write(
        Data(
          #"{"records":[{"recordName":"x","recordType":"T","fields":{"tags":{"value":[],"type":"EMPTY_LIST"}}}]}"#
            .utf8), "r.json", in: folder)
      #expect(try await run("import -q --from web-services r.json t.sqlite", in: folder).code == 0)
      let result = try await run("validate t.sqlite --environment development", in: folder)
      #expect(result.code == 0 && result.output.contains("only empty lists"), "\(result.output)")
      #expect(try await run("schema infer -q t.sqlite -o t.ckdb", in: folder).code == 0)
      let inferred = try await run(
        "validate t.sqlite --schema t.ckdb --environment development", in: folder)
      #expect(inferred.code == 0, "\(inferred.output)")
    }
  }
}
