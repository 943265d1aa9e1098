import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Work that is interrupted", .serialized)
struct InterruptionTests {
  /// Starts an import that waits in the midst of its transaction, for what a pipe yields.
  private func whileImporting(
    into container: String, in folder: String,
    _ body: (ToolProcess, _ release: () throws -> Void) async throws -> Void
  ) async throws -> ToolProcess.Result {
    // The tool may be gone before the pipe is filled.
    _ = signal(SIGPIPE, SIG_IGN)
    try Samples.write(Samples.response(records: 500), "1.json", in: folder)
    try #require(mkfifo(folder + "/2.json", 0o600) == 0)
    let tool = ToolProcess(
      ["import", "--from", "web-services", "1.json", "2.json", container], in: folder)
    try tool.start()
    // Opening the pipe waits until the tool reads it: the first file is imported then.
    let pipe = try #require(FileHandle(forWritingAtPath: folder + "/2.json"))
    try await body(tool) {
      try? pipe.write(contentsOf: Samples.response(records: 1))
      try pipe.close()
    }
    return await tool.finish()
  }

  @Test(
    "Ctrl-C leaves no new container, and says that nothing was changed",
    arguments: [SIGINT, SIGTERM])
  func newContainer(_ signal: Int32) async throws {
    try await withFolder { folder in
      let result = try await whileImporting(into: "New.sqlite", in: folder) { tool, release in
        kill(tool.process.processIdentifier, signal)
        try await Task.sleep(for: .seconds(0.5))
        try release()
      }
      #expect(result.code == 128 + signal)
      #expect(result.output.isEmpty)
      #expect(result.errors == "recordpack: interrupted; nothing was changed\n")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(left == ["1.json", "2.json"])
    }
  }

  @Test(
    "Called off or killed, an import leaves an existing container as it was",
    arguments: [SIGINT, SIGKILL])
  func existingContainer(_ signal: Int32) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let result = try await whileImporting(into: "Tact.sqlite", in: folder) { tool, release in
        kill(tool.process.processIdentifier, signal)
        try await Task.sleep(for: .seconds(0.5))
        try release()
      }
      #expect(result.code == (signal == SIGINT ? 130 : -SIGKILL))
      let compared = try await ToolProcess.run("diff", "Tact.sqlite", "Tact.recordpack", in: folder)
      #expect(compared.code == 0, "\(compared.output)")
    }
  }

  @Test("Ctrl-C ends what waits for input that does not come", arguments: [0, 100])
  func waiting(_ bytes: Int) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try #require(mkfifo(folder + "/in", 0o600) == 0)
      let bundle = try Data(contentsOf: URL(filePath: folder + "/Tact.recordpack"))
      for arguments in [
        ["recover", "in", "-o", "out.recordpack"],
        ["import", "--from", "web-services", "in", "c.sqlite"],
      ] {
        let tool = ToolProcess(arguments, in: folder)
        try tool.start()
        // A pipe that nobody writes to, or one that has begun to yield a bundle.
        let writer = bytes == 0 ? -1 : open(folder + "/in", O_WRONLY)
        if writer >= 0 {
          _ = bundle.prefix(bytes).withUnsafeBytes { write(writer, $0.baseAddress, bytes) }
        }
        try await Task.sleep(for: .seconds(0.4))
        kill(tool.process.processIdentifier, SIGINT)
        let result = await tool.finish()
        if writer >= 0 { close(writer) }
        #expect(result.code == 130, "\(arguments): \(result.errors)")
        #expect(result.errors.contains("nothing was changed"), "\(result.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == ["Tact.recordpack", "Tact.sqlite", "in"])
      }
    }
  }

  @Test("Ctrl-C right after the start is not lost")
  func early() async throws {
    try await withFolder { folder in
      try #require(mkfifo(folder + "/in", 0o600) == 0)
      let tool = ToolProcess(["import", "--from", "web-services", "in", "c.sqlite"], in: folder)
      try tool.start()
      kill(tool.process.processIdentifier, SIGINT)
      let result = await tool.finish(limit: 120)
      // The tool ends by itself, or the signal has its usual effect.
      #expect([130, -SIGINT].contains(result.code), "\(result.errors)")
    }
  }

  @Test("Interrupted while it only reads, the tool says so, too")
  func reading() async throws {
    try await withFolder { folder in
      try #require(mkfifo(folder + "/in", 0o600) == 0)
      let tool = ToolProcess(["query", "in"], in: folder)
      try tool.start()
      let pipe = try #require(FileHandle(forWritingAtPath: folder + "/in"))
      try await Task.sleep(for: .seconds(0.3))
      kill(tool.process.processIdentifier, SIGINT)
      let result = await tool.finish()
      try pipe.close()
      #expect(result.code == 130)
      #expect(result.errors == "recordpack: interrupted; nothing was changed\n")
    }
  }

  @Test("Interrupted while they read, delete and a dry run leave the container's file alone")
  func readingContainer() async throws {
    try await withFolder { folder in
      try LargeContainer.make(at: folder + "/a.sqlite")
      let before = try Samples.read("a.sqlite", in: folder)
      let records = (0..<20_000).map { #"{"recordName":"x\#($0)","recordType":"T","fields":{}}"# }
      try Samples.write(Data(records.joined(separator: "\n").utf8), "in.jsonl", in: folder)
      for line in ["delete a.sqlite n1", "put a.sqlite in.jsonl --dry-run"] {
        let tool = ToolProcess(line.split(separator: " ").map(String.init), in: folder)
        try tool.start()
        while tool.process.isRunning, !Samples.exists("a.sqlite-shm", in: folder) { usleep(500) }
        kill(tool.process.processIdentifier, SIGINT)
        let result = await tool.finish()
        #expect(result.code == 130, "\(line): \(result.errors)")
        #expect(result.errors == "recordpack: interrupted; nothing was changed\n")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(left == ["a.sqlite", "in.jsonl"], "\(line)")
        #expect(try Samples.read("a.sqlite", in: folder) == before)
      }
    }
  }

  @Test(
    "Interrupted while it shows a container, the tool leaves no log beside the file",
    arguments: [
      "query a.sqlite", "query a.sqlite --count --where has(text)", "query a.sqlite --json",
      "export a.sqlite -o b.recordpack", "changes a.sqlite --zone Notes", "verify a.sqlite",
      "diff a.sqlite a.sqlite", "fixture policy a.sqlite", "fixture check a.sqlite a.sqlite",
    ])
  func showing(line: String) async throws {
    try await withFolder { folder in
      try LargeContainer.make(at: folder + "/a.sqlite")
      let before = try Samples.read("a.sqlite", in: folder)
      let tool = ToolProcess(line.split(separator: " ").map(String.init), in: folder)
      try tool.start()
      while tool.process.isRunning, !Samples.exists("a.sqlite-shm", in: folder) { usleep(500) }
      kill(tool.process.processIdentifier, SIGINT)
      let result = await tool.finish()
      // It may be done before the signal arrives.
      #expect([0, 130].contains(result.code), "\(result.errors)")
      #expect(result.code == 130 || !line.hasPrefix("fixture"), "it takes seconds")
      if result.code == 130 {
        #expect(result.errors.contains("interrupted; nothing was changed"))
        #expect(!result.errors.contains("error: "))
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names == ["a.sqlite"] || result.code == 0 && names == ["a.sqlite", "b.recordpack"])
      #expect(try Samples.read("a.sqlite", in: folder) == before)
    }
  }

  @Test(
    "A report that is lost is told apart from the work, which is done", .enabled(if: hasFullDevice))
  func lostReport() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for (command, file) in [
        ("import Tact.recordpack New.sqlite", "New.sqlite"),
        ("export Tact.sqlite -o New.recordpack", "New.recordpack"),
      ] {
        let result = try await ToolProcess.shell("recordpack \(command) > /dev/full", in: folder)
        #expect(result.code == 1, "\(command)")
        #expect(result.errors.contains("the work is done, but its report could not be written"))
        #expect(try await ToolProcess.run("diff", "Tact.sqlite", file, in: folder).code == 0)
      }
    }
  }

  @Test(
    "Whatever is written, a lost report is exit code 1; of a dry run it is the work",
    .enabled(if: hasFullDevice))
  func lostReports() async throws {
    let plans = Place.inPackage("Schemas/Tact")
    try await withFolder { folder in
      try Samples.write(
        Data("DEFINE SCHEMA RECORD TYPE T (a STRING, GRANT READ TO \"_world\");".utf8), "a.ckdb",
        in: folder)
      for (command, code) in [
        ("recover \(plans)/v1.recordpack -o r.recordpack", 1 as Int32),
        ("migrate \(plans)/v4.recordpack --plan \(plans) -o m.recordpack", 1),
        ("migrate \(plans)/v4.recordpack --plan \(plans) --dry-run", 2),
        ("migrate plan \(plans)/v1.ckdb \(plans)/v2.ckdb -o p.yml --json", 1),
        ("migrate plan \(plans)/v1.ckdb \(plans)/v2.ckdb", 2),
        ("schema print --write a.ckdb", 1),
        ("schema print a.ckdb", 2),
      ] {
        let result = try await ToolProcess.shell("recordpack \(command) > /dev/full", in: folder)
        #expect(result.code == code, "\(command)")
        let isDone = result.errors.contains("the work is done, but its report could not be written")
        #expect(isDone == (code == 1), "\(command): \(result.errors)")
      }
      for name in ["r.recordpack", "m.recordpack", "p.yml"] {
        #expect(Samples.exists(name, in: folder))
      }
    }
  }

  @Test("A reader that has gone ends the tool quietly")
  func brokenPipe() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 3000)
      for command in ["query Tact.sqlite", "export Tact.sqlite -o -", "show Tact.sqlite chat-1"] {
        // The reader ends at once; the tool begins when it has.
        let result = try await ToolProcess.shell(
          "{ sleep 0.3; recordpack \(command) --json; echo $? >&2; } | true", in: folder)
        #expect(result.errors == "141\n", "\(command)")
      }
    }
  }

  @Test("A full disk is an error, and leaves nothing behind", .enabled(if: hasFullDevice))
  func fullDisk() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for command in [
        "query Tact.sqlite", "inspect Tact.sqlite", "export Tact.sqlite -o -",
        "diff Tact.sqlite Tact.recordpack", "show Tact.sqlite chat-1",
      ] {
        let result = try await ToolProcess.shell("recordpack \(command) > /dev/full", in: folder)
        #expect(result.code == 2, "\(command)")
        #expect(result.errors.contains("No space left on device"), "\(command)")
      }
    }
  }

  private static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

  @Test("Closed standard descriptors are not mistaken for files")
  func closedDescriptors() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let exported = try await ToolProcess.shell(
        "recordpack export Tact.sqlite -o x.recordpack <&- >&-", in: folder)
      // The report is lost, the work is not.
      #expect(exported.code == 1)
      #expect(try await ToolProcess.run("verify", "x.recordpack", in: folder).code == 0)
    }
  }
}
