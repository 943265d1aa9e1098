import Foundation
import Testing

@testable import RecordPackTool

@Suite("recordpack put")
struct PutToolTests {
  private func put(
    _ line: String, in folder: String, code: Int32 = 0
  ) async throws -> ToolProcess.Result {
    let result = try await ToolProcess.shell("recordpack put Tact.sqlite \(line)", in: folder)
    #expect(result.code == code, "\(line): \(result.errors)")
    #expect(!(result.output + result.errors).contains(Samples.secret), "\(line)")
    return result
  }

  private func show(_ name: String, in folder: String) async throws -> [String: Any] {
    let line = try await ToolProcess.run(
      "show", "Tact.sqlite", name, "--json", "--show-encrypted", in: folder)
    return try Samples.json(line.output)
  }

  private func value(_ record: [String: Any], _ field: String) -> Any? {
    ((record["fields"] as? [String: Any])?[field] as? [String: Any])?["value"]
  }

  @Test("Fields of the command line make a record, and change one")
  func fields() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      try Samples.write(Data("picture".utf8), "p.bmp", in: folder)
      let added = try await put(
        "--type Chat --name c2 --zone Chats title='A = b' count:=3 photo@=p.bmp "
          + #"when:='{"type":"TIMESTAMP","value":0}' by:='{"recordName":"chat-1"}'"#, in: folder)
      #expect(added.output.contains("+ private Chats Chat c2\n"))
      var record = try await show("c2", in: folder)
      #expect(value(record, "title") as? String == "A = b")
      #expect(value(record, "count") as? Int == 3)
      #expect((value(record, "by") as? [String: Any])?["recordName"] as? String == "chat-1")
      let asset = try await ToolProcess.shell(
        "recordpack show Tact.sqlite --asset $(printf picture | sha256sum | cut -c1-64)",
        in: folder)
      #expect(asset.output == "picture")
      let created = record["created"] as? [String: Any]

      let changed = try await put(
        "--name c2 --zone Chats when=2025-01-31 by=c9 count:=3 --unset photo", in: folder)
      #expect(changed.output.contains("~ private Chats Chat c2: by, when, photo (removed)\n"))
      record = try await show("c2", in: folder)
      #expect(value(record, "when") as? Int == 1_738_281_600_000)
      #expect(value(record, "photo") == nil)
      #expect(value(record, "title") as? String == "A = b")
      #expect((record["created"] as? NSDictionary) == (created as NSDictionary?))
      let same = try await put("--name c2 --zone Chats count:=3", in: folder)
      #expect(same.output.contains("0 added, 0 changed, 1 unchanged"))
      let replaced = try await put(
        "--name c2 --zone Chats --type Chat title=New --replace", in: folder)
      #expect(replaced.output.contains("title, by (removed), count (removed), when (removed)"))
    }
  }

  @Test("Records are saved under CloudKit's rules, unless they are to be saved unchecked")
  func rules() async throws {
    try await withFolder { folder in
      let schema = """
        DEFINE SCHEMA
          RECORD TYPE Event (title STRING, GRANT WRITE, CREATE, READ TO "_creator");
        """
      try Samples.write(Data(schema.utf8), "s.ckdb", in: folder)
      let deployed = try await ToolProcess.run(
        line: "schema deploy s.ckdb p.sqlite --create", in: folder)
      try #require(deployed.code == 0, "\(deployed.errors)")
      let create = "d.sqlite --create --container iCloud.com.example.d --environment development"
      let at = #"'at:={"type":"TIMESTAMP","value":0}'"#
      let created = try await ToolProcess.shell(
        "recordpack put \(create) --type Event --name e1 \(at)", in: folder)
      #expect(created.code == 0, "\(created.errors)")
      #expect(created.output.contains("+ schema Event\n"))
      let share = #"{"recordName":"s","recordType":"cloudkit.share","fields":{}}"#
      try Samples.write(Data(share.utf8), "share.json", in: folder)
      let x = String(repeating: "x", count: 1_100_000)
      let reference = #"'r:={"type":"REFERENCE","value":{"recordName":"","action":"NONE"}}'"#
      let lost =
        #"{"recordName":"l","recordType":"Event","fields":{},"parent":{"recordName":"none"}}"#
      try Samples.write(Data(lost.utf8), "lost.json", in: folder)
      let large = #"{"recordName":"l","recordType":"Event","fields":{"t":{"value":"\#(x)"}}}"#
      try Samples.write(Data(large.utf8), "large.json", in: folder)
      let asset = #"'a:={"type":"ASSETID","value":{"fileChecksum":"x","size":3}}'"#
      let encrypted = reference.replacing(#","value""#, with: #","isEncrypted":true,"value""#)
        .replacing(#""""#, with: #""a""#)
      // The remedy is there if --unchecked saves the record.
      for (line, words, isLifted) in [
        ("p.sqlite --type Event none=x", "create or modify field 'none' in record 'Event'", true),
        (
          "p.sqlite --type Evant title=x", "Cannot create new type Evant in production schema", true
        ),
        (#"d.sqlite --type Event --name e2 'at:={"type":"STRING","value":"x"}'"#, "at", true),
        ("d.sqlite share.json", "cannot be shared", true),
        ("d.sqlite lost.json", "the parent of record 'l', 'none', is not in", true),
        ("d.sqlite --type Event --name e4 at=text", "at", false),
        ("d.sqlite --type Event --name _x title=x", "reserved for the server", false),
        ("d.sqlite --type Event --name é title=x", "recordNameCharacters", false),
        ("d.sqlite --type Event --name \(x.prefix(256)) title=x", "recordNameLength", false),
        ("d.sqlite --type Event --name e2 _title=x", "Unprivileged attempt", false),
        ("d.sqlite --type Event --name e2 'ti tle=x'", "keyCharacters", false),
        ("d.sqlite --type 'My Event' --name e3 title=x", "Did not find record type", false),
        ("d.sqlite large.json", "record too large", false),
        ("d.sqlite --type Event \(asset)", "has an asset without content", false),
        (#"d.sqlite --type Event 'l:={"latitude":100,"longitude":2}'"#, "locationRange", false),
        ("d.sqlite --type Event \(encrypted)", "encryptableType", false),
        (
          "d.sqlite --database public --type Event --zone Z --create-zone title=x", "default zone",
          nil
        ),
        ("d.sqlite --type Event \(reference)", "an empty name", false),
      ] as [(String, String, Bool?)] {
        let result = try await ToolProcess.shell("recordpack put \(line)", in: folder)
        #expect(result.code == 2, "\(line): \(result.output)")
        #expect(result.errors.contains(words), "\(line): \(result.errors)")
        guard let isLifted else { continue }
        #expect(
          result.errors.contains("; --unchecked saves it") == isLifted,
          "\(line): \(result.errors)")
        let saved = try await ToolProcess.shell("recordpack put \(line) --unchecked", in: folder)
        #expect((saved.code == 0) == isLifted, "\(line): \(saved.errors)")
      }
      let verified = try await ToolProcess.run(line: "verify d.sqlite", in: folder)
      #expect(verified.code == 1 && verified.output.contains("it is a share"))
    }
  }

  @Test("The order of records in a file does not matter to references")
  func order() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      func record(_ name: String, _ parent: String?) -> String {
        let reference = parent.map { #","parent":{"recordName":"\#($0)","action":"NONE"}"# } ?? ""
        return #"{"recordName":"\#(name)","recordType":"Chat","fields":{}\#(reference)}"#
      }
      let records = [record("child", "root"), record("root", nil)].joined(separator: "\n")
      try Samples.write(Data(records.utf8), "r.json", in: folder)
      let saved = try await put("r.json --zone Chats", in: folder)
      #expect(saved.output.contains("2 added"))
      try Samples.write(Data(record("lost", "nobody").utf8), "l.json", in: folder)
      let lost = try await put("l.json --zone Chats", in: folder, code: 2)
      #expect(lost.errors.contains("'l.json', line 1, record 'lost'"))
      // A record that is given twice is saved twice.
      let twice = [record("x", nil), record("x", "root")].joined(separator: "\n")
      try Samples.write(Data(twice.utf8), "t.json", in: folder)
      #expect(
        try await put("t.json --zone Chats", in: folder).output.contains("1 added, 1 changed"))
    }
  }

  @Test("The sign of a field is found before a combining mark")
  func combiningMark() throws {
    let argument = "title=\u{301}e"
    #expect(FieldAssignment.isOne(argument))
    let (name, value) = try FieldAssignment.parse(argument)
    #expect(name == "title")
    guard case .text(let text) = value else {
      Issue.record("not a text: \(value)")
      return
    }
    #expect(Array(text.unicodeScalars) == ["\u{301}", "e"])
  }

  @Test("A record that is as given leaves the container's file as it is, to the byte and the date")
  func nothing() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let path = folder + "/Tact.sqlite"
      func date() throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
      }
      _ = try await put("--name c2 --zone Chats --type Chat title=A", in: folder)
      let (before, changed) = (try Samples.read("Tact.sqlite", in: folder), try date())
      let same = try await put("--name c2 --zone Chats title=A", in: folder)
      #expect(same.output.contains("0 added, 0 changed, 1 unchanged"))
      let (after, last) = (try Samples.read("Tact.sqlite", in: folder), try date())
      #expect(after == before && last == changed)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left == ["Tact.sqlite"])
    }
  }

  @Test("What show writes goes back, with and without encrypted values")
  func roundTrip() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      for options in ["", " --show-encrypted"] {
        let same = try await put(
          "--replace < $(recordpack show Tact.sqlite message-1 --json\(options) > a.json; echo a.json)",
          in: folder)
        #expect(same.output.contains("0 added, 0 changed, 1 unchanged"), "\(options)")
      }
      let edited = try await ToolProcess.shell(
        "recordpack show Tact.sqlite message-1 --json | sed s/Hello/Bye/ | "
          + "recordpack put Tact.sqlite --json", in: folder)
      #expect(edited.code == 0, "\(edited.errors)")
      #expect(edited.output.contains(#""fields":["text"],"removed":[]"#))
      let record = try await show("message-1", in: folder)
      #expect(value(record, "text") as? String == "Bye 1")
      #expect(value(record, "secret") as? String == "\(Samples.secret) 1")
      // The copy was read before that save.
      let stale = try await put("a.json", in: folder, code: 2)
      #expect(stale.errors.contains("'a.json', line 1, record 'message-1': it was saved after"))
      _ = try await put("a.json --ignore-change-tags", in: folder)
      #expect(value(try await show("message-1", in: folder), "text") as? String == "Hello 1")
    }
  }

  @Test("A bundle's records, put into its container, change nothing")
  func bundleLines() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      guard Command.exists("zstd") else { return }
      let before = try await ToolProcess.run(
        "show", "Tact.sqlite", "message-1", "--json", in: folder)
      _ = try await ToolProcess.shell(
        #"zstd -qdc < Tact.recordpack | grep '^{"kind":"record"' > a.jsonl"#, in: folder)
      let result = try await put("a.jsonl", in: folder)
      #expect(result.output.contains("0 added, 0 changed, 3 unchanged"))
      let after = try await ToolProcess.run(
        "show", "Tact.sqlite", "message-1", "--json", in: folder)
      #expect(after.output == before.output)
    }
  }

  /// Records that cannot be saved, and words of the error.
  static let wrong: [(json: String, words: String)] = [
    ("", "is empty"), ("3", "found a digit"), ("[{}]", "it has no member 'fields'"),
    (#"{"recordType":"T","recordName":"a","fields":{}} {"recordType":"T"#, "'a.json', line 1"),
    (
      "{\"recordType\":\"T\",\"recordName\":\"a\",\"fields\":{}}\n{\"recordType\":1}",
      "'a.json', line 2: recordType: found a number, expected a string"
    ),
    (#"{"records":[]}"#, "import --from web-services"),
    (#"{"kind":"zone","database":"private"}"#, "a line of the kind 'zone'"),
    (#"{"recordType":"T","recordName":"a","deleted":true}"#, "recordpack delete"),
    (#"{"recordType":"T","recordName":"a","database":"x"}"#, "expected public, private or shared"),
    (#"{"recordType":"T","recordName":"a","fields":{"b":3}}"#, "fields.b: found a number"),
    (#"{"recordType":"T","recordName":"a","fields":{"b":{}}}"#, "field 'b' has no value"),
    (
      #"{"recordType":"T","recordName":"a","fields":{"b":{"type":"STRING","isEncrypted":true}}}"#,
      "use --show-encrypted"
    ),
    (
      #"{"recordType":"T","recordName":"a","zoneID":{"zoneName":"Z"},"fields":{}}"#,
      "zone 'Z' is not in the private database; --create-zone creates it"
    ),
    (
      #"{"recordType":"T","recordName":"chat-1","zoneID":{"zoneName":"Chats"},"fields":{}}"#,
      "it exists with the type 'Chat', not 'T'"
    ),
    (
      #"{"recordName":"message-1","zoneID":{"zoneName":"Chats"},"#
        + #""fields":{"secret":{"type":"STRING","value":"x"}}}"#,
      "field 'secret' is encrypted in the stored record"
    ),
    (
      #"{"recordName":"message-1","zoneID":{"zoneName":"Chats"},"#
        + #""fields":{"secret":{"value":{"the-hidden-word":1}}}}"#, "at fields.secret.value"
    ),
    (#"{"recordType":"T","recordName":"a","fields":{"b c":{"value":1}}}"#, "record 'a'"),
    (#"{"recordName":"a","fields":{}}"#, "a new record needs a type"),
    (
      #"{"recordName":5,"recordType":"T","fields":{}}"#,
      "'a.json', line 1: recordName: found a number, expected a string"
    ),
    (
      #"{"recordName":null,"recordType":"T","fields":{}}"#,
      "recordName: found null, expected a string"
    ),
    (
      #"{"recordName":"a","recordType":["T"],"fields":{}}"#,
      "recordType: found an array, expected a string"
    ),
    (#"{"recordName":"a","recordType":"T","zoneID":null,"fields":{}}"#, "at zoneID"),
    (
      #"{"recordName":"a","recordType":"T","database":null,"fields":{}}"#,
      "found null, expected public, private or shared"
    ),
    (#"{"recordName":"a","recordType":"T","fields":null}"#, "fields: found null"),
    (
      #"{"recordName":"a","recordType":"T","fields":{"b":{"value":12345678901234567891}}}"#,
      "field 'b' has an integer of more than 64 bits"
    ),
  ]

  @Test("An error in any record saves none of them, and names the record and its line")
  func nothingHalf() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let before = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "before.recordpack", in: folder)
      #expect(before.code == 0)
      let good = #"{"recordType":"T","recordName":"good","fields":{}}"#
      for (json, words) in Self.wrong {
        let text = json.isEmpty ? "" : json.replacing("[{}]", with: "[\(good),{}]")
        try Samples.write(Data(text.utf8), "a.json", in: folder)
        let result = try await put("a.json", in: folder, code: 2)
        #expect(result.errors.contains(words), "\(json): \(result.errors)")
      }
      for (line, words) in [
        ("a=b", "fields require --type or --name"), ("a.json b.json", "name one file"),
        ("--name x", "a new record needs a type"), ("--type T a.json", "is not a field"),
        ("--type T a=1 a:=2", "field 'a' is given twice"), ("--type T =x", "without a name"),
        ("--type T a:=x", "text is written 'a=TEXT'"), ("--type T a@=nowhere", "No such file"),
        ("--type T --unset a", "--unset requires --name"),
        ("--name message-1 --zone Chats number=three", "its type is INT64; write NAME:=JSON"),
        ("--name chat-1 --zone Chats --create-only title=x", "it exists in zone 'Chats'"),
        ("--type T --container x", "--container does not apply without --create"),
        ("--type T --schema x", "--schema does not apply without --validate"),
        ("--type T --create", "already exists"), ("--type T --create --dry-run", "already exists"),
      ] {
        let result = try await put(line, in: folder, code: 2)
        #expect(result.errors.contains(words), "\(line): \(result.errors)")
      }
      _ = try await put("--type Chat wrong=x --validate", in: folder, code: 1)
      _ = try await put("--type Chat title=x --name new --validate --dry-run", in: folder)
      let same = try await ToolProcess.run("diff", "before.recordpack", "Tact.sqlite", in: folder)
      #expect(same.code == 0, "\(same.output)")
    }
  }

  @Test("A container and a zone are created only where that is asked for")
  func creating() async throws {
    try await withFolder { folder in
      let line = "recordpack put New.sqlite --type T --name a b=c --zone Z"
      for (options, code) in [
        ("", 2), (" --create", 2), (" --create --create-zone --dry-run", 0),
      ] as [(String, Int32)] {
        #expect(try await ToolProcess.shell(line + options, in: folder).code == code, "\(options)")
        #expect(!Samples.exists("New.sqlite", in: folder), "\(options)")
      }
      let result = try await ToolProcess.shell(
        line + " --create --create-zone --container iCloud.a --environment development --validate",
        in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let shown = try await ToolProcess.run("inspect", "New.sqlite", "--json", in: folder)
      #expect(shown.output.contains(#""container":"iCloud.a","environment":"development""#))
      let schema = try await ToolProcess.run("schema", "print", "New.sqlite", in: folder)
      #expect(schema.output.contains("b STRING") || schema.output.contains("STRING QUERYABLE"))
      #expect(try await ToolProcess.run("verify", "New.sqlite", in: folder).code == 0)
    }
  }
  @Test("A zone whose name has a slash is found before a zone of an owner")
  func slash() async throws {
    try await withFolder { folder in
      let made = try await ToolProcess.shell(
        """
        echo '{"recordType":"T","recordName":"a","zoneID":{"zoneName":"A/B"},"fields":{}}' > a.json
        recordpack put New.sqlite a.json --create --create-zone --quiet &&
        recordpack put New.sqlite --type T --name b c=1 --zone A/B --create-zone --quiet
        """, in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let zones = try await ToolProcess.run("inspect", "New.sqlite", "--json", in: folder)
      #expect(!zones.output.contains(#""ownerRecordName":"B""#))
      let changes = try await ToolProcess.run("changes", "New.sqlite", "--zone", "A/B", in: folder)
      #expect(changes.code == 0 && changes.output.contains("b"), "\(changes.errors)")
    }
  }
}
