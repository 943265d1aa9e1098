import Foundation
import RecordPack
import Testing

@Suite("Names that differ only in Unicode normalization, on the command line")
struct ExactNameTests {
  private static let composed = "\u{C9}"
  private static let decomposed = "E\u{301}"

  /// A container with zones and types of both names, and its bundle.
  private func makeSources(in folder: String) async throws {
    let container = try ContainerStore.open(path: folder + "/c.sqlite", mode: .create)
    try container.importTransaction { writer in
      for (zone, name) in [(Self.composed, "a"), (Self.decomposed, "b")] {
        let zoneID = ZoneID(zoneName: zone)
        try writer.add(RecordZone(zoneID: zoneID), to: .private)
        for type in [Self.composed, Self.decomposed] {
          let suffix = type.unicodeScalars.count
          let draft = DraftRecord(
            recordType: type, recordID: RecordID(recordName: name + "\(suffix)", zoneID: zoneID))
          try writer.add(ResultRecord(systemFields: draft.systemFields, fields: []), to: .private)
        }
      }
    }
    try container.close()
    let result = try await ToolProcess.run("export", "c.sqlite", "-o", "c.recordpack", in: folder)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test("--zone and --type take the one that is meant", arguments: ["c.sqlite", "c.recordpack"])
  func filters(source: String) async throws {
    try await withFolder { folder in
      try await makeSources(in: folder)
      let (composed, decomposed) = (Self.composed, Self.decomposed)
      let expected: [([String], [String])] = [
        (["--type", composed], ["a1", "b1"]), (["--type", decomposed], ["a2", "b2"]),
        (["--type", composed, "--type", decomposed], ["a1", "a2", "b1", "b2"]),
        (["--zone", composed], ["a1", "a2"]), (["--zone", decomposed], ["b1", "b2"]),
        (["--zone", composed + "/__defaultOwner__", "--type", decomposed], ["a2"]),
      ]
      for (options, names) in expected {
        let result = try await ToolProcess.list(source, options, in: folder)
        let found = result.output.split(separator: "\n").map {
          String($0.split(separator: "\t").last ?? "")
        }
        #expect(found.sorted() == names, "\(options) \(result.errors)")
      }
    }
  }

  @Test("diff says of a text that only its normalization changed")
  func normalization() async throws {
    try await withFolder { folder in
      for (name, text) in [("a", "caf\u{E9}"), ("b", "cafe\u{301}")] {
        let line = "put \(name).sqlite --create --type Note --name n text=\(text)"
        #expect(try await ToolProcess.run(line: line, in: folder).code == 0)
      }
      let result = try await ToolProcess.run(line: "diff a.sqlite b.sqlite", in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("changed in its Unicode normalization"))
    }
  }
}
