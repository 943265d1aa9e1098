import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordStore
import Testing

/// The reader in Python was written from Format.md alone: where it reads what the library writes,
/// and gives every line the same bytes, page and library say the same.
@Suite(
  .enabled("needs python3, and zstandard or the zstd command") {
    guard Command.exists("python3") else { return false }
    if Command.exists("zstd") { return true }
    return await Command.pythonHas("zstandard")
  })
struct FormatReaderTests {
  private static let script = Place.inPackage("Examples/FormatReader/read_bundle.py")

  private func read(_ command: String, _ paths: [String]) async throws -> Command {
    let files = paths.map { "'\($0)'" }.joined(separator: " ")
    return try await Command(
      "sh", "-c", "python3 -B '\(Self.script)' \(command) \(files)")
  }

  @Test("finds a bundle with everything in it intact and canonical")
  func richBundle() async throws {
    let folder = try TestFolder()
    let path = folder.path("rich.recordpack")
    let summary = try RichBundle.write(to: path, records: 200)
    let check = try await read("verify", [path])
    #expect(check.code == 0, "\(check.output)")
    #expect(check.output.contains("\(summary.records) records, 3 assets"))
    #expect(check.output.contains("content hash \(summary.contentHash)"))
  }

  @Test("finds one record by the names that the index gives")
  func findsRecord() async throws {
    let folder = try TestFolder()
    let path = folder.path("rich.recordpack")
    _ = try RichBundle.write(to: path, records: 200)
    let names = ["share", "plain", "nobody"]
    let bundle = try BundleReader(path: path)
    for name in names {
      let found = try await read("find \(name)", [path])
      #expect(found.code == 0, "\(found.output)")
      #expect(
        found.output.split(separator: "\n").count == (try bundle.records(named: name).count))
    }
  }

  @Test("finds records in a bundle of many frames")
  func manyFrames() async throws {
    let folder = try TestFolder()
    let path = folder.path("large.recordpack")
    var options = BundleWriter.Options()
    options.frameSize = 4 << 10
    let summary = try RichBundle.write(to: path, records: 200, options: options)
    try #require(summary.files[0].index.frames.count >= 32)
    let check = try await read("verify", [path])
    #expect(check.code == 0, "\(check.output)")
    for (name, count) in [("share", 1), ("nobody", 0)] {
      let found = try await read("find \(name)", [path])
      #expect(found.output.split(separator: "\n").count == count)
    }
  }

  @Test("finds the files of a split bundle, in any order")
  func splitBundle() async throws {
    let folder = try TestFolder()
    var options = BundleWriter.Options()
    options.splitSize = 64 << 10
    let summary = try RichBundle.write(
      to: folder.path("rich.recordpack"), records: 200, options: options)
    try #require(summary.files.count > 2)
    let paths = summary.files.map(\.path)
    let check = try await read("verify", paths.reversed())
    #expect(check.code == 0, "\(check.output)")
    #expect(check.output.contains("content hash \(summary.contentHash)"))
    let incomplete = try await read("verify", Array(paths.dropLast()))
    #expect(incomplete.code == 1)
    #expect(incomplete.output.contains("is missing"))
  }

  @Test("knows the canonical form of a line that has another")
  func canonicalForm() async throws {
    let zone = #""zoneID":{"zoneName":"Z","ownerRecordName":"__defaultOwner__"}"#
    let start = #"{"kind":"record","database":"private",\#(zone),"recordType":"T","recordName":"n""#
    let lines = [
      (
        #"{"recordName":"n","kind":"record","fields":{"b":{"value":1.50e0,"type":"DOUBLE"},"#
          + #""a":{"type":"STRING","isEncrypted":true,"value":"\u00e9\/\u000A"}},"#
          + #""database":"private","recordType":"T",\#(zone)}"#,
        start + #","fields":{"a":{"type":"STRING","isEncrypted":true,"value":"é/\n"},"#
          + #""b":{"type":"DOUBLE","value":1.5}}}"#
      ),
      (
        start + #","z":1.0,"modified": {"timestamp":978307200000.00}, "fields":{}}"#,
        start + #","modified":{"timestamp":978307200000},"fields":{},"z":1.0}"#
      ),
    ]
    let run = try await Command(
      "python3", "-B", Place.inPackage("Examples/FormatReader/canonical.py"),
      input: Data(lines.map { $0.0 + "\n" }.joined().utf8))
    #expect(run.output == lines.map { $0.1 + "\n" }.joined())
  }

  /// The page reserves these names: such a line is another item in Web Services.
  @Test(
    "refuses a record and a zone with a member that would make another item of it, as the library",
    arguments: [
      (#""deleted":true"#, false), (#""deleted":1"#, false), (#""deleted":false"#, true),
      (#""deleted":null"#, true), (#""removed":true"#, true),
    ])
  func reservedMembers(member: String, isRead: Bool) async throws {
    let zone = #""zoneID":{"zoneName":"Z","ownerRecordName":"__defaultOwner__"}"#
    let line =
      #"{"kind":"record","database":"private",\#(zone),"recordType":"T","recordName":"n","#
      + #""fields":{},\#(member)}"#
    let run = try await Command(
      "python3", "-B", Place.inPackage("Examples/FormatReader/canonical.py"),
      input: Data((line + "\n").utf8))
    #expect((run.code == 0) == isRead, "\(run.output)")
    let record = Result {
      try ResultRecord(json: JSONParser.parse(line).dropping(["kind", "database"]))
    }
    #expect(((try? record.get()) != nil) == isRead)
  }

  @Test("sees one flipped byte, wherever it lies")
  func flippedByte() async throws {
    let folder = try TestFolder()
    let path = folder.path("rich.recordpack")
    _ = try RichBundle.write(to: path, records: 4)
    let intact = try Data(contentsOf: URL(fileURLWithPath: path))
    let damaged = folder.path("damaged.recordpack")
    for place in stride(from: 5, to: intact.count, by: intact.count / 12) {
      var data = intact
      data[place] ^= 0x10
      try data.write(to: URL(fileURLWithPath: damaged))
      let check = try await read("verify", [damaged])
      #expect(check.code == 1, "byte \(place): \(check.output)")
    }
  }

  @Test("reads the chat app's container as the library does")
  func tact() async throws {
    let program = try #require(Place.program("tact"))
    let folder = try TestFolder()
    let (store, bundle) = (folder.path("tact.sqlite"), folder.path("tact.recordpack"))
    #expect(try await Command(program, store).code == 0)
    let container = try ContainerStore.open(path: store, mode: .readOnly)
    let summary = try Archiver().export(container, to: bundle)
    let list = try await read("list", [bundle])
    #expect(list.code == 0)
    #expect(list.output.contains(summary.contentHash))
    let records = try await read("print", [bundle])
    #expect(records.output.split(separator: "\n").count == summary.records)
    #expect(!records.output.contains("See you at"), "encrypted values are nobody's business")
    let check = try await read("verify", [bundle])
    #expect(check.code == 0, "\(check.output)")
  }
}
