import Foundation
import Testing

@Suite("What is shown, and what is not")
struct DisclosureTests {
  @Test("Encrypted values and the keys of assets show only where they are asked for")
  func secrets() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.makeContainer(in: folder, name: "Other.sqlite", text: "Other")
      try Samples.write(Samples.response(records: 1), "1.json", in: folder)
      try Samples.write(Samples.response(records: 1, text: "y"), "2.json", in: folder)
      for name in ["1", "2"] {
        _ = try await ToolProcess.run(
          "import", "--from", "web-services", name + ".json", name + ".sqlite", in: folder)
      }
      try Samples.write(Samples.recording, "calls.recording", in: folder)
      try await changeSecret(in: folder)
      for arguments in [
        ["show", "Tact.recordpack", "message-1"], ["show", "Tact.sqlite", "message-1"],
        ["show", "1.sqlite", "r0"], ["diff", "Tact.sqlite", "Changed.sqlite"],
        ["diff", "1.sqlite", "2.sqlite"], ["inspect", "Tact.sqlite"], ["query", "Tact.sqlite"],
        ["diff", "Tact.sqlite", "1.sqlite"], ["query", "Tact.sqlite"], ["query", "1.sqlite"],
        ["query", "Tact.recordpack", "--fields", "secret,text", "--sort", "secret"],
        ["query", "1.sqlite", "--fields", "file"], ["calls", "calls.recording"],
      ] {
        for format in [[], ["--json"]] {
          let result = try await ToolProcess.run(arguments + format, in: folder)
          #expect(result.code <= 1, "\(result.errors)")
          #expect(!result.output.isEmpty)
          #expect(!(result.output + result.errors).contains(Samples.secret), "\(arguments)")
        }
      }
      for arguments in [
        ["show", "Tact.recordpack", "message-1"], ["diff", "Tact.sqlite", "Changed.sqlite"],
        ["show", "1.sqlite", "r0", "--json"],
        ["query", "Tact.sqlite", "--type", "Message"],
        ["query", "1.sqlite", "--json"], ["calls", "calls.recording", "--json"],
        ["query", "Tact.sqlite", "--fields", "secret", "--format", "csv"],
      ] {
        let result = try await ToolProcess.run(arguments + ["--show-encrypted"], in: folder)
        #expect(result.output.contains(Samples.secret), "\(arguments)")
      }
    }
  }

  /// A response with the record of a line, and another value in its encrypted field.
  private static func changed(_ line: String) -> Data {
    let record = line.replacing("\"kind\":\"record\",\"database\":\"private\",", with: "")
      .replacing("\(Samples.secret) 1", with: "\(Samples.secret) 2")
    return Data("{\"records\":[\(record)]}".utf8)
  }

  /// `Changed.sqlite`: `Tact.sqlite` with another value in an encrypted field.
  private func changeSecret(in folder: String) async throws {
    _ = try await ToolProcess.run("import", "Tact.recordpack", "Changed.sqlite", in: folder)
    let shown = try await ToolProcess.run(
      "show", "Tact.recordpack", "message-1", "--json", "--show-encrypted", in: folder)
    let result = try await ToolProcess.run(
      "import", "--from", "web-services", "-", "Changed.sqlite", "--on-conflict", "replace",
      in: folder, input: Self.changed(shown.output))
    try #require(result.code == 0, "\(result.errors)")
  }

  @Test("A conflict over an encrypted field names the field and no value")
  func conflict() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let shown = try await ToolProcess.run(
        "show", "Tact.recordpack", "message-1", "--json", "--show-encrypted", in: folder)
      let result = try await ToolProcess.run(
        "import", "--from", "web-services", "-", "Tact.sqlite", in: folder,
        input: Self.changed(shown.output))
      #expect(result.code == 2)
      #expect(result.errors.contains("they differ in secret"))
      #expect(!result.errors.contains(Samples.secret))
    }
  }

  @Test("Keys and encrypted values in members that nobody knows stay hidden, too")
  func unknownMembers() async throws {
    let members = [
      #""pluginFields":{"a":[{"wrappingKey":"SECRET"}]}"#, #""wrappingKey":"SECRET""#,
      #""later":{"type":"STRING","isEncrypted":true,"value":"SECRET"}"#,
      #""olderFields":{"text":{"type":"ENCRYPTED_STRING","value":"SECRET"}}"#,
    ]
    let fields = [
      #""new":{"type":"HOLOGRAM","value":{"wrappingKey":"SECRET"}}"#,
      #""file":{"type":"ASSETID","value":{"fileChecksum":"A","size":1,"wrappingKey":"SECRET"}}"#,
      #""list":{"type":"UNKNOWN_LIST","value":[{"x":{"wrappingKey":"SECRET"}}]}"#,
      #""hidden":{"type":"STRING","isEncrypted":true,"value":"SECRET","copy":"SECRET"}"#,
      #""wrappingKey":{"type":"STRING","value":"a field may have any name"}"#,
    ]
    try await withFolder { folder in
      for (name, secret) in [("1", "\(Samples.secret) one"), ("2", "\(Samples.secret) two")] {
        let response = """
          {"records":[{"recordName":"r","recordType":"T",\(members.joined(separator: ",")),\
          "fields":{\(fields.joined(separator: ","))}}]}
          """
        let imported = try await ToolProcess.run(
          "import", "--from", "web-services", "-", name + ".sqlite", in: folder,
          input: Data(response.replacing("SECRET", with: secret).utf8))
        try #require(imported.code == 0, "\(imported.errors)")
      }
      _ = try await ToolProcess.run("export", "1.sqlite", "-o", "1.recordpack", in: folder)
      for arguments in [
        ["show", "1.sqlite", "r"], ["show", "1.recordpack", "r"], ["diff", "1.sqlite", "2.sqlite"],
        ["query", "1.sqlite"], ["inspect", "1.recordpack"],
        ["diff", "1.sqlite", "2.sqlite", "--stat"],
        ["import", "1.recordpack", "2.sqlite"],
      ] {
        for format in [[], ["--json"]] {
          let result = try await ToolProcess.run(arguments + format, in: folder)
          #expect(!(result.output + result.errors).isEmpty)
          #expect(!(result.output + result.errors).contains(Samples.secret), "\(arguments)")
        }
      }
      let shown = try await ToolProcess.run("show", "1.sqlite", "r", "--json", in: folder)
      #expect(shown.output.contains("a field may have any name"))
      let difference = try await ToolProcess.run(
        "diff", "1.sqlite", "2.sqlite", "--json", in: folder)
      for name in ["pluginFields", "later", "olderFields", "new", "list", "hidden"] {
        #expect(difference.output.contains("\"\(name)\""), "\(name)")
      }
      for format in [[], ["--json"]] {
        for arguments in [["show", "1.sqlite", "r"], ["diff", "1.sqlite", "2.sqlite"]] {
          let all = try await ToolProcess.run(arguments + format + ["--show-encrypted"], in: folder)
          #expect(all.output.contains(Samples.secret), "\(arguments)")
        }
      }
    }
  }

  @Test("keys that zones have are in no difference")
  func zoneKeys() async throws {
    try await withFolder { folder in
      for name in ["1", "2"] {
        let response = """
          {"zones":[{"zoneID":{"zoneName":"Z"},"wrappingKey":"\(Samples.secret)\(name)",\
          "note":"\(name)"}]}
          """
        let imported = try await ToolProcess.run(
          "import", "--from", "web-services", "-", name + ".sqlite", in: folder,
          input: Data(response.utf8))
        try #require(imported.code == 0, "\(imported.errors)")
      }
      for (format, words) in [
        ("", "wrappingKey"), ("--json", "wrappingKey"), ("--format html", "zone"),
      ] {
        let result = try await ToolProcess.run(line: "diff 1.sqlite 2.sqlite \(format)", in: folder)
        #expect(result.code == 1, "\(result.errors)")
        #expect(result.output.contains(words))
        #expect(!result.output.contains(Samples.secret), "\(format)")
      }
      let all = try await ToolProcess.run(
        "diff", "1.sqlite", "2.sqlite", "--json", "--show-encrypted", in: folder)
      #expect(
        all.output.contains(Samples.secret + "1") && all.output.contains(Samples.secret + "2"))
    }
  }

  @Test("JSON output holds no raw C1 controls and no marks of direction")
  func controlsInJSON() async throws {
    try await withFolder { folder in
      let name = "a\u{9B}31m\u{202E}b\u{200F}\u{2066}"
      let response = """
        {"records":[{"recordName":"\(name)","recordType":"\(name)","note":"\(name)",\
        "fields":{"f\u{85}":{"type":"STRING","value":"\(name)"}}}]}
        """
      for (file, text) in [("x", response), ("y", response.replacing("31m", with: "32m"))] {
        let imported = try await ToolProcess.run(
          "import", "--from", "web-services", "-", file + ".sqlite", in: folder,
          input: Data(text.utf8))
        try #require(imported.code == 0, "\(imported.errors)")
      }
      for arguments in [
        ["query", "x.sqlite"], ["inspect", "x.sqlite"], ["show", "x.sqlite", name],
        ["diff", "x.sqlite", "y.sqlite"], ["show", "x.sqlite", "a"],
        ["validate", "x.sqlite", "--environment", "development"],
      ] {
        for format in [[], ["--json"]] {
          let result = try await ToolProcess.run(arguments + format, in: folder)
          let text = result.output + result.errors
          #expect(!text.isEmpty, "\(arguments)")
          let hostile: [Unicode.Scalar] = ["\u{9B}", "\u{202E}", "\u{200F}", "\u{2066}", "\u{85}"]
          #expect(!text.unicodeScalars.contains { hostile.contains($0) }, "\(arguments) \(format)")
        }
      }
      // What a program reads out of the JSON is the name as it is.
      let list = try await ToolProcess.run("query", "x.sqlite", "--json", in: folder)
      #expect(try Samples.json(list.output)["recordName"] as? String == name)
    }
  }

  @Test("Names from files cannot drive the terminal or break lines")
  func hostileNames() async throws {
    try await withFolder { folder in
      let response = """
        {"records":[{"recordName":"a\\u001b[31mb\\tc\\nd","recordType":"T\\u001b]0;x\\u0007",\
        "fields":{"f\\u001b[1m":{"type":"STRING","value":"v\\u001b[2J"}}}]}
        """
      let imported = try await ToolProcess.run(
        "import", "--from", "web-services", "-", "x.sqlite", in: folder,
        input: Data(response.utf8))
      try #require(imported.code == 0, "\(imported.errors)")
      let name = "a\u{1B}[31mb\tc\nd"
      for arguments in [
        ["query", "x.sqlite"], ["inspect", "x.sqlite"], ["show", "x.sqlite", name],
      ] {
        let result = try await ToolProcess.run(arguments, in: folder)
        #expect(result.code == 0, "\(result.errors)")
        #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{7}"))
      }
      let list = try await ToolProcess.run("query", "x.sqlite", "--fields", "zoneName", in: folder)
      #expect(list.output.contains("a\\u001b[31mb\\tc\\nd  T\\u001b]0;x\\u0007  _defaultZone\n"))
    }
  }

  @Test("Colours come when they are asked for, and not into a pipe")
  func colours() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let plain = try await ToolProcess.run("inspect", "Tact.recordpack", in: folder)
      #expect(!plain.output.contains("\u{1B}"))
      let colored = try await ToolProcess.run(
        "inspect", "Tact.recordpack", "--color", "always", in: folder)
      #expect(colored.output.contains("\u{1B}["))
      #expect(plain.errors.isEmpty && colored.errors.isEmpty)
    }
  }
}
