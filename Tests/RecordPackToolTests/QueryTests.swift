import Foundation
import RecordModel
import RecordText
import Testing

@testable import RecordPackTool

@Suite("Queries")
struct QueryTests {
  /// Runs lines of the tool and compares what they write, or the beginning of their errors.
  private func expect(
    _ facts: [(line: String, code: Int32, output: String)], in folder: String
  ) async throws {
    for (line, code, output) in facts {
      let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
      #expect(result.code == code, "\(line): \(result.errors)")
      let text = code == 2 ? result.errors : result.output
      let isExpected = code == 2 ? text.contains(output) : text == output
      #expect(isExpected, "\(line): \(text.debugDescription)")
    }
  }

  @Test("A table has the common fields of the first records, sorted and limited as asked")
  func tables() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        try await expect(
          [
            (
              "query \(source) --type Message", 0,
              """
              recordName  recordType  number  secret       text     chat
              message-1   Message          1  <encrypted>  Hello 1  chat-1
              message-2   Message          2  <encrypted>  Hello 2  chat-1

              """
            ),
            (
              "query \(source) --sort -number --fields number,zoneName", 0,
              """
              recordName  recordType  number  zoneName
              message-2   Message          2  Chats
              message-1   Message          1  Chats
              chat-1      Chat                Chats

              """
            ),
            (
              "query \(source) --sort number --fields number --limit 1", 0,
              "recordName  recordType  number\nmessage-1   Message          1\n"
            ),
            (
              "query \(source) --where \"number = 2 and zoneName = 'Chats'\" --fields text --format csv",
              0, "recordName,recordType,text\r\nmessage-2,Message,Hello 2\r\n"
            ),
            (
              "query \(source) --name 'm*' --fields title,secret --format csv", 0,
              "recordName,recordType,title,secret\r\nmessage-1,Message,,<encrypted>\r\n"
                + "message-2,Message,,<encrypted>\r\n"
            ),
            (
              "query \(source) --name message-2 --name chat-1 --fields secret --show-encrypted", 0,
              """
              recordName  recordType  secret
              chat-1      Chat
              message-2   Message     \(Samples.secret) 2

              """
            ),
            ("query \(source) --count --where 'has number'", 0, "2\n"),
            (
              "query \(source) --count --json", 0,
              "{\"format\":\"recordpack.query\",\"version\":1,\"count\":3}\n"
            ),
            (
              "query \(source) --count --where \"modificationDate > '2025-10-09T08:53:19Z'\"",
              0, "3\n"
            ),
            (
              "query \(source) --count --where \"modificationDate > '2025-10-09T08:53:21Z'\"",
              0, "0\n"
            ),
            (
              "query \(source) --name '*-1' --limit 1 --fields zoneName --format csv", 0,
              "recordName,recordType,zoneName\r\nchat-1,Chat,Chats\r\n"
            ),
            ("query \(source) --assets --where 'has number' --format csv", 0, "sha256,size\r\n"),
          ], in: folder)
      }
    }
  }

  @Test("Sorted records decide the columns by those that are shown, with that of the sort")
  func sortedColumns() async throws {
    try await withFolder { folder in
      func record(_ name: String, _ fields: String) -> String {
        #"{"recordName":"\#(name)","recordType":"T","fields":{\#(fields)}}"#
      }
      let records =
        (10..<35).map { record("a\($0)", #""x":{"value":\#($0)},"z":{"value":"t"}"#) }
        + [record("b1", #""y":{"value":1}"#), record("b2", #""x":{"value":99},"y":{"value":2}"#)]
      try Samples.write(Data(records.joined(separator: "\n").utf8), "r.json", in: folder)
      let made = try await ToolProcess.run(
        line: "put T.sqlite r.json --create --environment development", in: folder)
      try #require(made.code == 0, "\(made.errors)")
      try await expect(
        [
          (
            "query T.sqlite --sort y --limit 1", 0,
            "recordName  recordType  y\nb1          T           1\n"
          ),
          (
            "query T.sqlite --sort -y --limit 2 --format csv", 0,
            "recordName,recordType,y\r\nb2,T,2\r\nb1,T,1\r\n"
          ),
          (
            "query T.sqlite --sort -x --limit 2 --format csv", 0,
            "recordName,recordType,x\r\nb2,T,99\r\na34,T,34\r\n"
          ),
          (
            "query T.sqlite --sort -recordName --limit 1 --format csv", 0,
            "recordName,recordType,x,y\r\nb2,T,99,2\r\n"
          ),
          (
            "query T.sqlite --sort y --limit 1 --fields x --format csv", 0,
            "recordName,recordType,x\r\nb1,T,\r\n"
          ),
        ], in: folder)
    }
  }

  @Test("JSON has whole records as show does, or the chosen members and fields")
  func json() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let whole = try await ToolProcess.run(
        "query", "Tact.recordpack", "--json", "--type", "Message", in: folder)
      let shown = try await ToolProcess.shell(
        "for i in 1 2; do recordpack show Tact.recordpack message-$i --json; done", in: folder)
      #expect(whole.output == shown.output && !whole.output.contains(Samples.secret))
      let part = try await ToolProcess.run(
        "query", "Tact.recordpack", "--json", "--fields", "text,modificationDate", "--name",
        "message-1",
        in: folder)
      let object = try Samples.json(part.output)
      let names = ["database", "zoneID", "recordType", "recordName", "modified", "fields"]
      #expect(Set(object.keys) == Set(names))
      let fields = try #require(object["fields"] as? [String: Any])
      #expect(fields.keys.sorted() == ["text"])
    }
  }

  @Test("A condition without a value is reported with its record; names are checked")
  func failures() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let result = try await ToolProcess.run(
          "query", source, "--where", "number(text) > 1", "--count", in: folder)
        #expect(result.code == 1 && result.output == "0\n")
        #expect(
          result.errors.contains(
            "--where, column 1: the string is not a number, in private Chats Message message-1"))
        #expect(result.errors.contains("2 records left out"))
        // A name is there whether or not the condition holds.
        let others = try await ToolProcess.list(
          source, ["--name", "mess*", "--where", "text = 'nothing'"], in: folder)
        #expect(others.code == 0 && others.output.isEmpty && others.errors.isEmpty)
      }
      let missing = try await ToolProcess.list("Tact.sqlite", ["--name", "chat-2"], in: folder)
      #expect(missing.code == 1 && missing.errors.contains("did you mean 'chat-1'?"))
      let pattern = try await ToolProcess.list("Tact.sqlite", ["--name", "x*"], in: folder)
      #expect(pattern.code == 1 && pattern.errors.contains("has a name like 'x*'"))
      try await expect(
        [
          (
            "query Tact.sqlite --where 'nmber > 1'", 2, "column 1: no record of the selection has a"
          ),
          ("query Tact.sqlite --where 'integer(1 + nmber) = 1'", 2, "column 13: no record"),
          (
            "query Tact.sqlite --where 'number >'", 2,
            "--where, column 9: expected a field or a value, found the end"
          ),
          ("query Tact.sqlite --where 'length(length) > 1'", 2, "--where, column 8: no record"),
          (
            "query Tact.sqlite --where 'has creatoinDate'", 2,
            "field 'creatoinDate'; did you mean 'creationDate'"
          ),
          ("query Tact.sqlite --fields txt", 2, "field 'txt'; did you mean 'text'?"),
          ("query Tact.sqlite --sort -recordname", 2, "did you mean 'recordName'?"),
          (
            "query Tact.sqlite --type Chat --where 'has number'", 2,
            "has a field 'number'; the fields"
          ),
          ("query Tact.sqlite --sort -", 2, "--sort requires the name"),
          ("query Tact.sqlite --fields a,,b", 2, "--fields requires the name"),
          ("query Tact.sqlite --limit 0", 2, "--limit must be at least 1"),
          ("query Tact.sqlite --sort photo", 2, "is of type ASSET, which has no order"),
        ], in: folder)
    }
  }

  @Test("Records found by name or within a limit need no intact frames elsewhere")
  func frames() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder, messages: 4000)
      _ = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "Tact.recordpack", "--frame-size", "16KiB", in: folder)
      var bytes = try Samples.read("Tact.recordpack", in: folder)
      let middle = bytes.count * 3 / 4
      for index in middle..<middle + 64 { bytes[index] ^= 0x55 }
      try Samples.write(bytes, "Tact.recordpack", in: folder)
      for line in [
        "query Tact.recordpack --type Message --name message-1 --count",
        "show Tact.recordpack message-1 --type Message",
        "query Tact.recordpack --type Message --limit 3", "query Tact.recordpack --limit 3",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
      }
      #expect(
        try await ToolProcess.run(line: "query Tact.recordpack --count", in: folder).code == 2)
    }
  }

  @Test("Lines of CSV quote what RFC 4180 says, and tell missing from empty")
  func csv() async {
    let line = CSV.line(["a", "b,c", "d\"e", "f\ng", "h\ri", "", nil, " j", "東京"])
    #expect(line == "a,\"b,c\",\"d\"\"e\",\"f\ng\",\"h\ri\",\"\",,\" j\",東京")
    // A quotation mark and a combining mark are one character.
    #expect(Array(CSV.line(["\"\u{301}"]).utf8) == Array("\"\"\"\u{301}\"".utf8))
  }

  @Test("Values become cells that programs can read")
  func cells() throws {
    let hidden = RecordDisclosure(showEncrypted: false)
    let reference = Reference(recordID: RecordID(recordName: "a"), action: .deleteSelf)
    let facts: [(RecordValue, String)] = [
      (.double(0.1), "0.1"), (.bytes(Data([0xFF, 0])), "/wA="),
      (.stringList(["a", "\""]), #"["a","\""]"#),
      (.timestamp(Date(timeIntervalSince1970: 1.5)), "1970-01-01T00:00:01.500Z"),
      (.reference(reference), "a"), (.location(Location(latitude: 1.5, longitude: -2)), "1.5,-2.0"),
      (.emptyList, "[]"), (.int64(-1), "-1"),
    ]
    for (value, text) in facts { #expect(try value.cellText(hidden) == text) }
    let lists: [(RecordValue, String, String)] = [
      (.stringList(["a", "b"]), #"["a","b"]"#, "a, b"), (.int64List([1, 2]), "[1,2]", "1, 2"),
      (.referenceList([reference]), #"["a"]"#, "a"), (.emptyList, "[]", ""),
      (.assetList([Asset(sha256: "ab", size: 1)]), #"["ab"]"#, "ab"),
      (
        .timestampList([Date(timeIntervalSince1970: 1.5)]), #"["1970-01-01T00:00:01.500Z"]"#,
        "1970-01-01T00:00:01.500Z"
      ),
    ]
    for (value, text, words) in lists {
      #expect(try value.cellText(hidden) == text)
      #expect(try value.cellText(hidden, inWords: true) == words)
    }
    #expect(QueryColumn(argument: "field('parent')").fieldName == "parent")
    #expect(QueryColumn(argument: "parent").fieldName == nil)
  }
}
