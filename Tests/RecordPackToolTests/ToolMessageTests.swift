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
