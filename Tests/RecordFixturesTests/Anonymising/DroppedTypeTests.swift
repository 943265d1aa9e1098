import Foundation
import RecordArchive
import RecordModel
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Dropped types")
struct DroppedTypeTests {
  private let maker: SourceMaker
  private static let shared = ZoneID(zoneName: "Shared")

  init() throws { maker = try SourceMaker() }

  private static func reference(_ name: String) -> Reference {
    Reference(recordID: RecordID(recordName: name, zoneID: SourceMaker.zoneID))
  }

  private func source() throws -> ArchiveSource {
    var shared = SourceMaker.record("shared", [:]).systemFields
    shared.share = Self.reference("share")
    return try maker.source(
      [
        SourceMaker.record("log", "Log", ["line": .string("x")]),
        SourceMaker.record("note", ["text": .string("x")]),
        SourceMaker.record(
          "message", "Message", parent: "log",
          [
            "one": .reference(Self.reference("log")), "kept": .reference(Self.reference("note")),
            "some": .referenceList([Self.reference("log"), Self.reference("note")]),
            "all": .referenceList([Self.reference("log")]),
          ]),
        SourceMaker.record("share", Share.recordType),
        ResultRecord(systemFields: shared, fields: []),
      ]
    ) { writer in
      let share = RecordID(recordName: Share.zoneWideRecordName, zoneID: Self.shared)
      try writer.add(
        RecordZone(zoneID: Self.shared, share: Reference(recordID: share)), to: .private)
      try writer.add(
        ResultRecord(
          systemFields: SystemFields(recordID: share, recordType: Share.recordType), fields: []),
        to: .private)
    }
  }

  @Test(
    "go with the references, parents and shares that lead to their records",
    arguments: [
      "types: {cloudkit.share: drop, Log: drop, Note: {text: text}}",
      "types: {'*': drop, Message: , Note: {text: text}}",
    ])
  func references(_ yaml: String) throws {
    let (report, records, path) = try maker.run(yaml, source())
    #expect(Set(records.map(\.recordType)) == ["Message", "Note"] && report.records == 3)
    // A parent, two references, one in a list, the share of a record and the share of a zone.
    #expect(report.droppedReferences == 6)
    let message = try #require(records.first { $0.recordType == "Message" })
    #expect(message.parent == nil && message.fields.map(\.name) == ["kept", "some"])
    let note = try #require(message["kept"] as Reference?)
    #expect(message["some"] as [Reference]? == [note])
    #expect(records.contains { $0.recordID == note.recordID })
    #expect(records.allSatisfy { $0.share == nil })
    #expect(try ArchiveSource.open([path]).zones().allSatisfy { $0.zone.share == nil })
  }

  @Test("are the types without rules, where '*' is dropped; and none without it")
  func others() throws {
    let (report, records, _) = try maker.run("default: keep\ntypes: {'*': drop}", source())
    #expect(records.isEmpty && report.records == 0)
    let kept = try maker.run("default: redact", source())
    #expect(kept.records.count == 6 && kept.report.droppedReferences == 0)
    #expect(kept.records.contains { $0.share != nil } && kept.records.contains { $0.parent != nil })
  }
}
