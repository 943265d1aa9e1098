import ArgumentParser
import Foundation
import RecordCoding
import RecordPack
import RecordText
import StoreTestSupport
import Testing

@testable import RecordPackTool

@Suite("What put saves")
struct PutMergeTests {
  private let container: ContainerStore
  private var database: TestDatabase { container.database(.private) }

  init() throws { container = try ContainerStore.inMemory() }

  /// Saves records of a file.
  @discardableResult
  private func put(
    _ json: String, _ arguments: [String] = [], _ validation: Archiver.Validation? = nil
  ) throws -> PutResult {
    try put(arguments, validation) { save in
      try RecordInput.forEachRecord(in: Data(json.utf8), named: "a.json", save)
    }
  }

  /// Saves the fields of a command line in the record `n`.
  @discardableResult
  private func assign(_ fields: String..., arguments: [String] = []) throws -> PutResult {
    try put(arguments, nil) { save in
      var record = InputRecord(place: "the arguments")
      (record.recordName, record.recordType) = ("n", "T")
      record.fields = try fields.map(FieldAssignment.parse)
      try save(record)
    }
  }

  private func put(
    _ arguments: [String], _ validation: Archiver.Validation?,
    _ give: ((InputRecord) throws -> Void) throws -> Void
  ) throws -> PutResult {
    let options = try PutOptions.parse(arguments)
    return try container.transaction { transaction in
      var run = try PutRun(
        transaction: transaction, options: options, validation: validation, container: "a")
      try give { try run.save($0) }
      return try run.finish()
    }
  }

  /// The record `n` as `show` writes it.
  private func shown(secrets: Bool = false) throws -> String {
    let record = try database.record(for: RecordID(recordName: "n"))
    return try RecordDisclosure(showEncrypted: secrets).line(record, .private).compactText
  }

  private func importRecord(_ members: String) throws {
    let json = #"{"recordName":"n","recordType":"T","recordChangeTag":"1",\#(members)}"#
    let record = try ResultRecord(json: JSONParser.parse(json), DecodingContext())
    try container.importTransaction { try $0.add(record, to: .private) }
  }

  private func expectFailure(_ words: String, _ body: () throws -> Void) {
    do {
      try body()
      Issue.record("no error: \(words)")
    } catch {
      #expect("\(error)".contains(words), "\(error)")
    }
  }

  @Test("A name alone changes a reference, and leaves its action and zone")
  func reference() throws {
    try put(
      #"{"recordName":"n","recordType":"T","fields":{"ref":{"type":"REFERENCE","value":"#
        + #"{"recordName":"a","action":"DELETE_SELF","zoneID":{"zoneName":"Other"}}}}}"#,
      ["--unchecked"])
    #expect(try assign("ref=a", arguments: ["--unchecked"]).changes.map(\.kind) == [.unchanged])
    #expect(try assign("ref=b", arguments: ["--unchecked"]).changes.map(\.kind) == [.changed])
    let line = try shown()
    #expect(line.contains(#""recordName":"b","zoneID":{"zoneName":"Other""#))
    #expect(line.contains("DELETE_SELF"))
  }

  @Test("A Boolean is an integer, the first time, the second, and in a list")
  func booleans() throws {
    try assign("done:=true", "list:=[true,2]")
    let same = try assign("done:=true", "list:=[true,2]", #"done2:={"type":"INT64","value":false}"#)
    #expect(same.changes.map(\.fields) == [["done2"]])
    let line = try shown()
    #expect(line.contains(#""done":{"type":"INT64","value":1}"#))
    #expect(line.contains(#""list":{"type":"INT64_LIST","value":[1,2]}"#))
    #expect(line.contains(#""done2":{"type":"INT64","value":0}"#))
  }

  @Test("An integer that no type has is refused, unless a type is given")
  func largeIntegers() throws {
    for text in ["12345678901234567891", "[1,-12345678901234567891]"] {
      expectFailure("field 'a' has an integer of more than 64 bits") { try assign("a:=\(text)") }
    }
    try assign("a:=9223372036854775807", "b:=12345678901234567891.0", "c:=1e30", "d:=-0")
    try assign("b:=12345678901234567891")
    #expect(try shown().contains(#""a":{"type":"INT64","value":9223372036854775807}"#))
  }

  @Test("A null of an unknown type stays; any other removes the field")
  func null() throws {
    try importRecord(#""fields":{"b":{"type":"FANCY","value":null}}"#)
    #expect(try put(shown()).changes.map(\.kind) == [.unchanged])
    #expect(try put(shown(), ["--replace"]).changes.map(\.kind) == [.unchanged])
    #expect(try shown().contains("FANCY"))
    try put(#"{"recordName":"m","recordType":"T","fields":{"c":{"value":1},"d":{"value":1}}}"#)
    let removed = try put(
      #"{"recordName":"m","fields":{"c":{"type":"INT64","value":null},"d":null}}"#)
    #expect(removed.changes.map(\.removed) == [["c", "d"]])
  }

  @Test("What show hides comes back, also with --replace, and after other members are changed")
  func hidden() throws {
    try importRecord(
      #""wrappingKey":"K0","m":{"x":{"wrappingKey":"K1","b":1},"y":[2]},"fields":{"f":"#
        + #"{"type":"STRING","value":"a","mm":{"wrappingKey":"K2","b":1},"wrappingKey":"K3"},"l":"#
        + #"{"type":"ASSET_LIST","value":[{"fileChecksum":"AQ==","size":1,"wrappingKey":"QUFB"},"#
        + #"{"fileChecksum":"AQ==","size":1,"wrappingKey":"QkJC"},"#
        + #"{"fileChecksum":"Ag==","size":1,"wrappingKey":"Q0ND"}]}}"#)
    let whole = try shown(secrets: true)
    let hidden = try shown()
    #expect(!hidden.contains("wrappingKey"))
    for arguments in [[], ["--replace"]] {
      #expect(try put(hidden, arguments).changes.map(\.kind) == [.unchanged])
      #expect(try put(whole, arguments).changes.map(\.kind) == [.unchanged])
    }
    let edited = hidden.replacing(#""value":"a""#, with: #""value":"z""#)
      .replacing(#""y":[2]"#, with: #""y":[3]"#)
    #expect(edited != hidden)
    #expect(try put(edited, ["--replace"]).changes.map(\.fields) == [["f", "m"]])
    let after = try shown(secrets: true)
    for key in ["K0", "K1", "K2", "K3", "QUFB", "QkJC", "Q0ND"] {
      #expect(after.contains("\"\(key)\""), "\(key): \(after)")
    }
  }

  /// Stored JSON, an edited copy without secrets, and the result.
  static let restored: [(stored: String, given: String, result: String)] = [
    // An asset gets the key of the one at the same index, if it is the same.
    (
      #"[{"a":1,"wrappingKey":"A"},{"a":1,"wrappingKey":"B"},{"a":2,"wrappingKey":"C"}]"#,
      #"[{"a":2},{"a":1},{"a":2},{"a":1}]"#,
      #"[{"a":2},{"a":1,"wrappingKey":"B"},{"a":2,"wrappingKey":"C"},{"a":1}]"#
    ),
    // A key that is given stays.
    (
      #"[{"a":1,"wrappingKey":"A"},{"a":1,"wrappingKey":"B"}]"#,
      #"[{"a":1,"wrappingKey":"B"},{"a":1}]"#,
      #"[{"a":1,"wrappingKey":"B"},{"a":1,"wrappingKey":"B"}]"#
    ),
    // A key belongs to its content.
    (#"[{"a":1,"wrappingKey":"A"}]"#, #"[{"a":2}]"#, #"[{"a":2}]"#),
    (#"{"a":1,"b":2,"wrappingKey":"A"}"#, #"{"b":2,"a":1}"#, #"{"b":2,"a":1,"wrappingKey":"A"}"#),
  ]

  @Test("Hidden keys go back to what they belong to", arguments: restored.indices)
  func restoring(_ index: Int) throws {
    let (stored, given, result) = Self.restored[index]
    let restored = try JSONParser.parse(given)
      .restoringKeys(of: JSONParser.parse(stored), isContent: true)
    #expect(restored.compactText == result)
  }

  @Test("A copy of a record that was deleted is not created again, unless that is asked for")
  func deleted() throws {
    try assign("a=x")
    let copy = try shown()
    _ = try database.deleteRecords([RecordID(recordName: "n")])
    expectFailure("a record of this name was deleted") { try put(copy) }
    #expect(try put(copy, ["--create-only"]).changes.map(\.kind) == [.added])
    _ = try database.deleteRecords([RecordID(recordName: "n")])
    #expect(try put(copy, ["--ignore-change-tags"]).changes.map(\.kind) == [.added])
  }

  @Test("Validation judges each record as it is at the end; what is created is reported")
  func endState() throws {
    container.schema = "DEFINE SCHEMA RECORD TYPE T (a STRING, GRANT READ TO \"_world\");"
    let twice =
      #"{"recordName":"n","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{"typo":{"value":1}}}"#
      + #"{"recordName":"n","zoneID":{"zoneName":"Z"},"fields":{"typo":null}}"#
    for environment in [ContainerInfo.Environment.production, .development] {
      let result = try put(
        twice, ["--create-zone", "--unchecked"], Archiver.Validation(environment: environment))
      #expect(result.schemaChanges.isEmpty)
      #expect(result.zones.map(\.zoneID.zoneName) == (environment == .production ? ["Z"] : []))
    }
    let one = #"{"recordName":"n","recordType":"T","fields":{"new":{"value":1}}}"#
    let added = try put(one, ["--unchecked"], Archiver.Validation(environment: .development))
    #expect(added.schemaChanges.map(\.subject.description) == ["T.new"])
    #expect(throws: ArchiveError.self) {
      try put(one.replacing("new", with: "other"), ["--unchecked"], Archiver.Validation())
    }
  }

  @Test("A record without a change tag is changed, as after an import of a response")
  func untagged() async throws {
    try await withFolder { folder in
      let response = """
        {"records":[{"recordName":"x","recordType":"T",
          "fields":{"s":{"value":"a","type":"STRING"},"t":{"value":"kept","type":"STRING"}}}]}
        """
      try Samples.write(Data(response.utf8), "r.json", in: folder)
      let made = try await ToolProcess.run(
        "import", "--from", "web-services", "r.json", "c.sqlite", in: folder)
      #expect(made.code == 0, "\(made)")
      let put = try await ToolProcess.run("put", "c.sqlite", "--name", "x", "s=b", in: folder)
      #expect(put.code == 0, "\(put)")
      let shown = try await ToolProcess.run("show", "c.sqlite", "x", "--json", in: folder)
      #expect(shown.output.contains("\"b\"") && shown.output.contains("kept"), "\(shown)")
      #expect(shown.output.contains("recordChangeTag"))
    }
  }
}

extension ContainerStore {
  fileprivate var schema: String? {
    get { try? info().schema }
    set {
      guard var info = try? info() else { return }
      info.schema = newValue
      try? setInfo(info)
    }
  }
}
