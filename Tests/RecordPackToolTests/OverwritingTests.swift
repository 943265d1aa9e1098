import Foundation
import Testing

@Suite("What is read, and what SQLite keeps beside a container, is not written over")
struct OverwritingTests {
  private static let plans = Place.inPackage("Schemas/Tact")

  /// Runs a line of shell that is to be refused, and expects a file as it was.
  private func expectRefused(
    _ line: String, _ file: String?, _ words: String, in folder: String
  ) async throws {
    let before = try file.map { try Samples.read($0, in: folder) }
    let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
    #expect(result.code == 2, "\(line)")
    #expect(result.errors.contains(words), "\(line): \(result.errors)")
    let after = try file.map { try Samples.read($0, in: folder) }
    #expect(after == before, "\(line)")
  }

  /// Five or more files of a split bundle, `sp-00001.recordpack` and so on.
  private func makeSplit(in folder: String) async throws {
    try Samples.makeContainer(in: folder, messages: 20_000)
    let result = try await ToolProcess.shell(
      "recordpack export Tact.sqlite -o sp.recordpack --split-size 64KiB --frame-size 16KiB",
      in: folder)
    try #require(result.code == 0, "\(result.errors)")
    try #require(Samples.exists("sp-00002.recordpack", in: folder))
  }

  @Test("migrate plan refuses to write over the schemas it reads")
  func plan() async throws {
    try await withFolder { folder in
      for name in ["v1.ckdb", "v2.ckdb"] {
        try FileManager.default.copyItem(
          atPath: Self.plans + "/" + name, toPath: folder + "/" + name)
      }
      for file in ["v1.ckdb", "v2.ckdb"] {
        try await expectRefused(
          "migrate plan v1.ckdb v2.ckdb -o \(file) --force", file, "is an input file", in: folder)
      }
      try await expectRefused(
        "migrate plan - v2.ckdb -o v1.ckdb --force < v1.ckdb", "v1.ckdb",
        "is an input file", in: folder)
    }
  }

  @Test("migrate refuses to write over its plans and their schemas")
  func plans() async throws {
    try await withFolder { folder in
      try FileManager.default.copyItem(atPath: Self.plans, toPath: folder + "/Plans")
      for (plan, file) in [
        ("Plans", "Plans/v4.yml"), ("Plans/v5.yml", "Plans/v5.yml"),
        ("Plans/v5.yml", "Plans/v4.ckdb"),
      ] {
        try await expectRefused(
          "migrate Plans/v4.recordpack --plan \(plan) -o \(file) --force", file,
          "is an input file", in: folder)
      }
      let fine = try await ToolProcess.shell(
        "recordpack migrate Plans/v4.recordpack --plan Plans -o Plans/new.recordpack", in: folder)
      #expect(fine.code == 0, "\(fine.errors)")
    }
  }

  @Test("serve writes its address and its requests to no input and to no file of others")
  func serve() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let made = try await ToolProcess.shell(
        "echo 'dear diary' > diary; echo '{\"a\":1}' > a.jsonl; openssl ecparam -name prime256v1 "
          + "-genkey -noout -out k.pem; openssl ec -in k.pem -pubout -out key.pem", in: folder)
      try #require(made.code == 0, "\(made.errors)")
      for (line, file, words) in [
        ("Tact.recordpack --ready-file Tact.recordpack", "Tact.recordpack", "already exists"),
        ("Tact.sqlite --request-log Tact.sqlite", "Tact.sqlite", "already exists"),
        ("--ready-file diary", "diary", "already exists and is not an address"),
        ("--request-log diary", "diary", "already exists and is not a request log"),
        ("--request-log a.jsonl", "a.jsonl", "already exists and is not a request log"),
        ("--server-key a=key.pem --ready-file key.pem", "key.pem", "already exists"),
        ("Tact.sqlite --ready-file Tact.sqlite-wal", nil, "is a file that SQLite keeps beside"),
        ("Tact.sqlite --ready-file new --request-log new", nil, "would be written twice"),
        ("Tact.sqlite --output new --request-log new", nil, "would be written twice"),
        ("--ready-file -", nil, "requires a file"),
      ] as [(String, String?, String)] {
        try await expectRefused("serve --port 0 \(line) -- touch ran", file, words, in: folder)
        #expect(!Samples.exists("ran", in: folder), "\(line)")
        #expect(!Samples.exists("new", in: folder), "\(line)")
      }
      // Files of an earlier server, and empty ones.
      let twice = try await ToolProcess.shell(
        """
        : > ready; : > log
        for i in 1 2; do
          recordpack serve --port 0 --ready-file ready --request-log log -- \
            sh -c 'curl -sS -o body "$RECORDPACK_ADDRESS/none"; grep -c "$RECORDPACK_ADDRESS" ready'
        done; grep -c path log
        """, in: folder)
      #expect(twice.output == "1\n1\n2\n", "\(twice.errors)")
    }
  }

  @Test("no command writes to the log, the index of the log or the journal of a container")
  func sideFiles() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try FileManager.default.copyItem(atPath: Self.plans, toPath: folder + "/Plans")
      for ending in ["-wal", "-shm", "-journal"] {
        let output = "Tact.sqlite\(ending)"
        for line in [
          "export Tact.sqlite -o \(output) --force",
          "export Tact.recordpack -o \(output) --to web-services --force",
          "import Tact.recordpack \(output)",
          "show Tact.recordpack --asset 9f86d081 -o \(output)",
          "schema infer Tact.recordpack -o \(output)",
          "migrate plan Plans/v1.ckdb Plans/v2.ckdb -o \(output)",
          "migrate Plans/v4.recordpack --plan Plans -o \(output)",
        ] {
          try await expectRefused(line, nil, "is a file that SQLite keeps beside", in: folder)
          #expect(!Samples.exists(output, in: folder), "\(line)")
        }
      }
      let other = try await ToolProcess.shell(
        "recordpack export Tact.sqlite -o nowhere.sqlite-wal", in: folder)
      #expect(other.code == 0, "\(other.errors)")
    }
  }

  @Test("the other files of a split bundle that is read are not written over")
  func siblings() async throws {
    try await withFolder { folder in
      try await makeSplit(in: folder)
      let (first, second) = ("sp-00001.recordpack", "sp-00002.recordpack")
      for line in [
        "schema infer \(first) -o \(second) --force",
        "export \(first) -o \(second) --to web-services --force",
        "show \(first) --asset 9f86d081 -o \(second) --force",
        "migrate \(first) --plan \(Self.plans) -o \(second) --force",
      ] {
        try await expectRefused(line, second, "is read together with '\(first)'", in: folder)
      }
      try await expectRefused(
        "migrate \(second) --plan \(Self.plans) -o sp.recordpack --split-size 1MB --force", first,
        "'\(first)' is read together with '\(second)'", in: folder)
      // Also where the set is damaged, and under another name of the file.
      try FileManager.default.removeItem(atPath: folder + "/" + first)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: second)
      try await expectRefused(
        "schema infer sp-00003.recordpack -o link --force", second, "is read together with",
        in: folder)
    }
  }

  @Test("a whole bundle whose name ends in a number has no other files")
  func numbered() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data("old".utf8), "day-00002.recordpack", in: folder)
      try FileManager.default.moveItem(
        atPath: folder + "/Tact.recordpack", toPath: folder + "/day-00001.recordpack")
      let result = try await ToolProcess.shell(
        "recordpack schema infer day-00001.recordpack -o day-00002.recordpack --force", in: folder)
      #expect(result.code == 0, "\(result.errors)")
    }
  }

  @Test("a file that is read through standard input is not written over")
  func redirected() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try await expectRefused(
        "schema infer - -o Tact.recordpack --force < Tact.recordpack", "Tact.recordpack",
        "is an input file", in: folder)
      try await expectRefused(
        "schema infer Tact.recordpack >> Tact.recordpack", "Tact.recordpack",
        "standard output is an input file", in: folder)
    }
  }
}
