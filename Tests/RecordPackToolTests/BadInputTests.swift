import Foundation
import Testing

@testable import RecordStore

@Suite("Bad input, as users bring it")
struct BadInputTests {
  /// What is given as a bundle, and a word of what is said about it.
  enum Bad: String, CaseIterable {
    case missing, empty, directory, jpeg, foreignZstd, truncated, damagedHeader, newer, database

    var expected: String {
      switch self {
      case .missing: "No such file"
      case .empty: "it is empty"
      case .directory: "it is a directory"
      case .jpeg: "it is a JPEG"
      case .foreignZstd: "a zstd file with other content"
      case .truncated: "the seek table at the end of the bundle is missing"
      case .damagedHeader: "damaged"
      case .newer: "use a newer recordpack"
      case .database: "another program"
      }
    }

    func make(in folder: String) throws {
      let bundle = try Samples.read("Tact.recordpack", in: folder)
      switch self {
      case .missing: break
      case .empty: try Samples.write(Data(), "bad", in: folder)
      case .directory:
        try FileManager.default.createDirectory(
          atPath: folder + "/bad", withIntermediateDirectories: false)
      case .jpeg:
        try Samples.write(
          Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]) + Data("JFIF\u{0}".utf8) + Data(count: 900), "bad",
          in: folder)
      case .foreignZstd:
        // A frame of the zstd format with a single raw block.
        let header: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0]
        try Samples.write(Data(header) + Data("hello".utf8), "bad", in: folder)
      case .truncated: try Samples.write(bundle.prefix(bundle.count * 2 / 3), "bad", in: folder)
      case .damagedHeader:
        var bytes = bundle
        bytes[12] ^= 1
        try Samples.write(bytes, "bad", in: folder)
      case .newer: try NewerBundle.write(to: folder + "/bad")
      case .database:
        try Samples.write(
          Data("SQLite format 3\u{0}".utf8) + Data([16, 0, 1, 1, 0, 64, 32, 32])
            + Data(count: 4072),
          "bad", in: folder)
      }
    }
  }

  @Test("No command reads what is no bundle, and each says what it is", arguments: Bad.allCases)
  func unreadable(_ bad: Bad) async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try bad.make(in: folder)
      for arguments in [
        ["inspect", "bad"], ["query", "bad"], ["show", "bad", "x"], ["diff", "Tact.sqlite", "bad"],
        ["import", "bad", "New.sqlite"], ["verify", "bad"],
      ] {
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.hasPrefix("recordpack: error: "))
        let isToldAsDatabase = bad == .database && !["import", "verify"].contains(arguments[0])
        if bad != .database || isToldAsDatabase {
          #expect(result.errors.contains(bad.expected), "\(arguments): \(result.errors)")
        }
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(result.output.isEmpty)
      }
      #expect(!Samples.exists("New.sqlite", in: folder))
    }
  }

  @Test(
    "Bundles whose lines are wrong are refused, and verify says why",
    arguments: BrokenBundle.allCases)
  func brokenLines(_ broken: BrokenBundle) async throws {
    try await withFolder { folder in
      try broken.write(to: folder + "/bad")
      let imported = try await ToolProcess.run("import", "bad", "New.sqlite", in: folder)
      #expect(imported.code == 2)
      #expect(imported.errors.contains(broken.expected), "\(imported.errors)")
      #expect(!Samples.exists("New.sqlite", in: folder))
      let verified = try await ToolProcess.run("verify", "bad", in: folder)
      #expect(verified.code == 1)
      #expect(verified.output.contains("bad, line "), "\(verified.output)")
    }
  }

  @Test("verify goes on behind a file that cannot be read")
  func verifySeveral() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data("x".utf8), "bad", in: folder)
      let result = try await ToolProcess.run("verify", "bad", "Tact.recordpack", in: folder)
      #expect(result.code == 2)
      #expect(result.errors.hasPrefix("recordpack: error: bad: "))
      #expect(result.output.hasPrefix("Tact.recordpack: intact"))
    }
  }

  @Test("A flipped byte is found by verify, refused by import, and recover saves the rest")
  func flippedByte() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 200)
      _ = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "Tact.recordpack", "--frame-size", "4096", in: folder)
      var bytes = try Samples.read("Tact.recordpack", in: folder)
      bytes[bytes.count / 2] ^= 0x10
      try Samples.write(bytes, "bad.recordpack", in: folder)
      let verified = try await ToolProcess.run("verify", "bad.recordpack", in: folder)
      #expect(verified.code == 1)
      #expect(verified.output.contains("damaged: 1 finding"))
      let imported = try await ToolProcess.run("import", "bad.recordpack", "New.sqlite", in: folder)
      #expect(imported.code == 2)
      #expect(!Samples.exists("New.sqlite", in: folder))
      let recovered = try await ToolProcess.run(
        "recover", "bad.recordpack", "-o", "saved.recordpack", in: folder)
      #expect(recovered.code == 1)
      #expect(recovered.output.contains("lost: frame"))
      let compared = try await ToolProcess.run(
        "diff", "Tact.sqlite", "saved.recordpack", "--json", in: folder)
      let counts = try #require(try Samples.json(compared.output)["records"] as? [String: Int])
      #expect(counts["changed"] == 0)
      #expect(counts["added"] == 0)
      let lost = try #require(counts["removed"])
      #expect(lost > 0 && lost < 60)
      #expect(try await ToolProcess.run("verify", "saved.recordpack", in: folder).code <= 1)
    }
  }

  /// What is given as a response, and a word of what is said about it.
  enum BadResponse: String, CaseIterable {
    case empty, other, deep, deepRecords, cutOff

    var text: String {
      switch self {
      case .empty: ""
      case .other: "{\"hello\":1}"
      case .deep: String(repeating: "[", count: 1_000_000)
      case .deepRecords: "{\"records\":" + String(repeating: "[", count: 1_000_000)
      case .cutOff: "{\"records\":[{\"recordName\":\"a\""
      }
    }

    var expected: String {
      switch self {
      case .empty: "it is empty"
      case .other: "expected a Web Services response"
      case .deep: "not a response"
      case .deepRecords: "128 levels"
      case .cutOff: "byte 29"
      }
    }
  }

  @Test("Responses that are none are refused, with the place", arguments: BadResponse.allCases)
  func badResponses(_ bad: BadResponse) async throws {
    try await withFolder { folder in
      let result = try await ToolProcess.run(
        "import", "--from", "web-services", "-", "New.sqlite", in: folder,
        input: Data(bad.text.utf8))
      #expect(result.code == 2)
      #expect(result.errors.contains(bad.expected), "\(result.errors)")
      #expect(result.errors.count < 1000)
      #expect(!Samples.exists("New.sqlite", in: folder))
    }
  }

  @Test("Of responses, all is imported but the values that cannot be read, and these are listed")
  func unreadableValues() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/responses", withIntermediateDirectories: false)
      func record(_ name: String, _ fields: String = "") -> String {
        let good = #""title":{"value":"good","type":"STRING"}"#
        return #"{"recordName":"\#(name)","recordType":"Event","fields":{\#(good)\#(fields)}}"#
      }
      let pages = [
        [record("a")],
        [record("b"), record("c", #","removed":null"#)],
        [record("d", #","n":{"value":1.0,"type":"INT64"}"#), record("e"), "5"],
      ]
      for (number, page) in pages.enumerated() {
        let text = #"{"records":[\#(page.joined(separator: ","))]}"#
        try Samples.write(Data(text.utf8), "responses/\(number).json", in: folder)
      }
      let result = try await ToolProcess.run(
        line: "import --from web-services responses x.sqlite", in: folder)
      #expect(result.code == 1)
      for place in [
        "responses/1.json: byte 204, at records[1].fields.removed",
        "at records[0].fields.n.value: found the number 1.0", "at records[2]: found a number",
      ] {
        #expect(result.errors.contains(place), "\(result.errors)")
      }
      let names = try await ToolProcess.shell(
        "recordpack query x.sqlite --fields recordName --json | jq -r .recordName", in: folder)
      #expect(names.output == "a\nb\nc\nd\ne\n")
      let shown = try await ToolProcess.run(line: "show x.sqlite c --json", in: folder)
      #expect(shown.output.contains("good") && !shown.output.contains("removed"))
    }
  }

  @Test("Zones and types that are not there are named, with those that are")
  func unknownSelection() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let zone = try await ToolProcess.list("Tact.recordpack", ["--zone", "Chat"], in: folder)
      #expect(zone.code == 2)
      #expect(zone.errors.contains("there is no zone 'Chat'; available: Chats, _defaultZone"))
      let type = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "x.recordpack", "--type", "Mesage", in: folder)
      #expect(type.code == 2)
      #expect(type.errors.contains("available: Chat, Message"))
      #expect(!Samples.exists("x.recordpack", in: folder))
    }
  }

  @Test("Files that are read are never written, and those that exist only with --force")
  func overwriting() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let before = try Samples.read("Tact.recordpack", in: folder)
      for arguments in [
        ["export", "Tact.sqlite", "-o", "Tact.sqlite", "--force"],
        ["recover", "Tact.recordpack", "-o", "./Tact.recordpack", "--force"],
        ["export", "Tact.sqlite", "-o", "Tact.recordpack"],
        ["export", "Tact.sqlite", "-o", "Tact.recordpack", "--to", "web-services"],
        ["recover", "Tact.recordpack", "-o", "Tact.sqlite"],
        ["show", "Tact.recordpack", "--asset", "9f86d081", "-o", "Tact.sqlite"],
      ] {
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
      }
      #expect(try Samples.read("Tact.recordpack", in: folder) == before)
      let forced = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "Tact.recordpack", "--force", "--type", "Chat", in: folder)
      #expect(forced.code == 0)
      #expect(try Samples.read("Tact.recordpack", in: folder) != before)
    }
  }

  @Test("Recover tells that its report is lost, and that the bundle is written, with 1")
  func lostReport() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
      let result = try await ToolProcess.shell(
        "recordpack recover Tact.recordpack -o s.recordpack > /dev/full", in: folder)
      #expect(result.code == 1 && Samples.exists("s.recordpack", in: folder))
      #expect(result.errors.contains("the work is done, but its report could not be written"))
    }
  }

  @Test("Recover refuses to write over its standard input")
  func ownInput() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let before = try Samples.read("Tact.recordpack", in: folder)
      let result = try await ToolProcess.shell(
        "recordpack recover - -o ./Tact.recordpack --force < Tact.recordpack", in: folder)
      #expect(result.code == 2 && result.errors.contains("this file is an input file"))
      #expect(try Samples.read("Tact.recordpack", in: folder) == before)
    }
  }

  @Test("Wrong usage exits with 2 and shows the usage; help and version with 0")
  func usage() async throws {
    try await withFolder { folder in
      for arguments in [
        ["bogus"], ["export"], ["import", "a"], ["inspect", "a", "b"],
        ["query", "a", "--since", "x"],
        ["export", "a", "-o", "b", "--split-size", "many"], ["show", "a"], ["import", "a", "-"],
      ] {
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 2, "\(arguments)")
        #expect(result.errors.hasPrefix("recordpack: error: "))
        #expect(result.errors.contains("Usage: recordpack"))
      }
      #expect(try await ToolProcess.run("--version", in: folder).code == 0)
      let help = try await ToolProcess.run("export", "--help", in: folder)
      #expect(help.code == 0 && help.errors.isEmpty && help.output.contains("EXAMPLES"))
      let script = try await ToolProcess.run("--generate-completion-script", "zsh", in: folder)
      #expect(script.code == 0 && script.output.contains("#compdef recordpack"))
    }
  }

  @Test(
    "A broken record of a container is named, with its zone and file, and all others are exported")
  func brokenRecord() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try SQLiteConnection(folder + "/Tact.sqlite").execute(
        "UPDATE record SET json = substr(json, 1, 60) WHERE name = 'message-1'")
      let result = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "x.recordpack", in: folder)
      #expect(result.code == 1)
      #expect(result.errors.contains("record 'message-1' of the zone 'Chats'"))
      #expect(result.errors.contains("Tact.sqlite'"))
      let exported = try await ToolProcess.run("query", "x.recordpack", "--count", in: folder)
      #expect(exported.output == "2\n", "\(exported)")
    }
  }
}
