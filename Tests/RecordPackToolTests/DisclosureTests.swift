import Foundation
import Testing

@Suite("What is shown, and what is not")
struct DisclosureTests {
  @Test("Encrypted values and the keys of assets show only where they are asked for")
  func secrets() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      try Samples.makeContainer(in: folder, name: "Other.sqlite", text: "Other")
      try Samples.write(Samples.response(records: 1), "1.json", in: folder)
      try Samples.write(Samples.response(records: 1, text: "y"), "2.json", in: folder)
      for name in ["1", "2"] {
        _ = try ToolProcess.run(
          "import", "--from", "web-services", name + ".json", name + ".sqlite", in: folder)
      }
      try changeSecret(in: folder)
      for arguments in [
        ["show", "Tact.recordpack", "message-1"], ["show", "Tact.sqlite", "message-1"],
        ["show", "1.sqlite", "r0"], ["diff", "Tact.sqlite", "Changed.sqlite"],
        ["diff", "1.sqlite", "2.sqlite"], ["inspect", "Tact.sqlite"], ["list", "Tact.sqlite"],
        ["diff", "Tact.sqlite", "1.sqlite"],
      ] {
        for format in ["text", "json"] {
          let result = try ToolProcess.run(arguments + ["--format", format], in: folder)
          #expect(result.code <= 1, "\(result.errors)")
          #expect(!result.output.isEmpty)
          #expect(!(result.output + result.errors).contains(Samples.secret), "\(arguments)")
        }
      }
      for arguments in [
        ["show", "Tact.recordpack", "message-1"], ["diff", "Tact.sqlite", "Changed.sqlite"],
        ["show", "1.sqlite", "r0", "--format", "json"],
      ] {
        let result = try ToolProcess.run(arguments + ["--show-encrypted"], in: folder)
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
  private func changeSecret(in folder: String) throws {
    _ = try ToolProcess.run("import", "Tact.recordpack", "Changed.sqlite", in: folder)
    let shown = try ToolProcess.run(
      "show", "Tact.recordpack", "message-1", "--format", "json", "--show-encrypted", in: folder)
    let result = try ToolProcess.run(
      "import", "--from", "web-services", "-", "Changed.sqlite", "--on-conflict", "replace",
      in: folder, input: Self.changed(shown.output))
    try #require(result.code == 0, "\(result.errors)")
  }

  @Test("A conflict over an encrypted field names the field and no value")
  func conflict() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      let shown = try ToolProcess.run(
        "show", "Tact.recordpack", "message-1", "--format", "json", "--show-encrypted", in: folder)
      let result = try ToolProcess.run(
        "import", "--from", "web-services", "-", "Tact.sqlite", in: folder,
        input: Self.changed(shown.output))
      #expect(result.code == 2)
      #expect(result.errors.contains("they differ in secret"))
      #expect(!result.errors.contains(Samples.secret))
    }
  }

  @Test("Names from files cannot drive the terminal or break lines")
  func hostileNames() throws {
    try withFolder { folder in
      let response = """
        {"records":[{"recordName":"a\\u001b[31mb\\tc\\nd","recordType":"T\\u001b]0;x\\u0007",\
        "fields":{"f\\u001b[1m":{"type":"STRING","value":"v\\u001b[2J"}}}]}
        """
      let imported = try ToolProcess.run(
        "import", "--from", "web-services", "-", "x.sqlite", in: folder,
        input: Data(response.utf8))
      try #require(imported.code == 0, "\(imported.errors)")
      let name = "a\u{1B}[31mb\tc\nd"
      for arguments in [
        ["list", "x.sqlite"], ["inspect", "x.sqlite"], ["show", "x.sqlite", name],
      ] {
        let result = try ToolProcess.run(arguments, in: folder)
        #expect(result.code == 0, "\(result.errors)")
        #expect(!result.output.contains("\u{1B}") && !result.output.contains("\u{7}"))
      }
      let list = try ToolProcess.run("list", "x.sqlite", in: folder)
      #expect(list.output == "private\t_defaultZone\tT\\u001b]0;x\\u0007\ta\\u001b[31mb\\tc\\nd\n")
    }
  }

  @Test("Colours come when they are asked for, and not into a pipe")
  func colours() throws {
    try withFolder { folder in
      try Samples.makeBundle(in: folder)
      let plain = try ToolProcess.run("inspect", "Tact.recordpack", in: folder)
      #expect(!plain.output.contains("\u{1B}"))
      let colored = try ToolProcess.run(
        "inspect", "Tact.recordpack", "--color", "always", in: folder)
      #expect(colored.output.contains("\u{1B}["))
      #expect(plain.errors.isEmpty && colored.errors.isEmpty)
    }
  }
}
