import Foundation
import RecordModel
import Testing

@testable import RecordSchema

@Suite("The object of a mirrored record")
struct MirroredObjectTests {
  private let zoneID = ZoneID(zoneName: CoreDataNames.zoneName)

  private func record(
    _ type: String, _ name: String, _ fields: [String: any RecordValueConvertible],
    encrypted: Set<String> = []
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zoneID), recordType: type),
      fields: fields.map {
        Field(name: $0, value: $1.recordValue, isEncrypted: encrypted.contains($0))
      })
  }

  private func note(
    _ fields: [String: any RecordValueConvertible], encrypted: Set<String> = []
  ) -> ResultRecord { record("CD_Note", "n", fields, encrypted: encrypted) }

  private func names(_ record: ResultRecord) -> [String] { record.asObject().allKeys() }

  @Test("A record without the name of its entity stays as it is")
  func others() {
    for type in ["Note", "CDMR", "CD_M2M_Note_tags"] {
      let other = record(type, "n", ["CD_entityName": "Note", "CD_title": "x"])
      #expect(other.asObject() == other)
    }
    let album = record("CD_Album", "a", ["CD_title": "Blue"])
    #expect(album.asObject() == album)
    let covered = record(
      "CD_Note", "n", ["CD_entityName": "Note"], encrypted: ["CD_entityName"])
    #expect(covered.asObject() == covered)
  }

  @Test("Fields have the names of attributes, unless they are none or the name is taken")
  func attributes() {
    #expect(
      names(
        note([
          "CD_entityName": "Note", "CD_title": "x", "CD_moveReceipt": Data(),
          "CD_moveReceipt_ckAsset": Asset(size: 1, fileChecksum: "a"), "own": "y",
          "CD_": "z", "CD__ckAsset": "z",
        ])) == ["CD_", "CD__ckAsset", "CD_moveReceipt", "CD_moveReceipt_ckAsset", "own", "title"])
    #expect(
      names(note(["CD_entityName": "Note", "CD_title": "x", "title": "y"]))
        == ["CD_title", "title"])
  }

  @Test("A file stands for its attribute, and beside a value for itself")
  func files() {
    let file = Asset(size: 1, fileChecksum: "a")
    let long = note(["CD_entityName": "Note", "CD_text_ckAsset": file]).asObject()
    #expect(long.field(named: "text")?.value == .asset(file))
    #expect(
      names(note(["CD_entityName": "Note", "CD_text_ckAsset": file, "CD_text": "x"]))
        == ["CD_text_ckAsset", "text"])
  }

  @Test("A text is a relationship if it names an object of the zone and is not encrypted")
  func toOne() throws {
    var relationships = MirroredObject.Relationships()
    relationships.targets = ["f": "Folder", "n": "Note"]
    let record = note(
      ["CD_entityName": "Note", "CD_folder": "f", "CD_title": "t", "CD_code": "f", "CD_id": "n"],
      encrypted: ["CD_code"])
    #expect(record.possibleTargets.map(\.name.string) == ["f", "t"])
    let object = try #require(MirroredObject(record, relationships))
    let folder = try #require(object.record.field(named: "folder"))
    #expect(
      folder.value
        == .reference(Reference(recordID: RecordID(recordName: "f", zoneID: zoneID))))
    #expect(object.destination(of: folder) == "to Folder")
    #expect(object.record["title"] as String? == "t")
    #expect(object.record["id"] as String? == "n")
    #expect(object.record.field(named: "code")?.isEncrypted == true)
    #expect(object.record.field(named: "code")?.value == .string("f"))
  }

  @Test("A link names two objects and their relationships, or is none")
  func links() throws {
    func link(_ entities: String, _ names: String, _ relationships: String) -> MirroredLink? {
      record(
        "CDMR", "l",
        [
          "CD_entityNames": entities, "CD_recordNames": names, "CD_relationships": relationships,
        ]
      ).mirroredLink
    }
    let link1 = try #require(link("Note:Tag", "n:t", "tags:notes"))
    let (note, tag) = (link1.sides[0].recordID, link1.sides[1].recordID)
    #expect(link1.targets(of: note).map(\.target) == [tag])
    #expect(link1.targets(of: note).map(\.relationship) == ["tags"])
    #expect(link1.targets(of: tag).map(\.relationship) == ["notes"])
    // An object that is linked with itself has both sides.
    let own = try #require(link("Note:Note", "n:n", "before:after"))
    #expect(own.targets(of: note).map(\.relationship) == ["before", "after"])
    for (a, b, c) in [("Note", "n:t", "a:b"), ("A:B", "n:", "a:b"), ("A:B", "n:t:u", "a:b")] {
      #expect(link(a, b, c) == nil)
    }
  }

  // MARK: Missing objects

  private func problems(_ records: [ResultRecord]) throws -> [String] {
    let names = Set(records.map { CompactName($0.recordID.recordName) })
    var check = RelationshipCheck(source: "test")
    for record in records { try check.add(record, in: .private, among: names) }
    return check.problems.map { "\($0.problem.field ?? "-") \($0.sample.count)" }
  }

  private static let missing = "0F000000-0000-4000-8000-00000000000B"

  @Test("Values of a relationship that name no record are reported; other identifiers are not")
  func danglingValues() throws {
    let folder = record("CD_Folder", "f", ["CD_entityName": "Folder"])
    func note(_ name: String, _ fields: [String: any RecordValueConvertible]) -> ResultRecord {
      record("CD_Note", name, fields.merging(["CD_entityName": "Note"]) { a, _ in a })
    }
    #expect(
      try problems([
        folder, note("a", ["CD_place": "f"]),
        note("b", ["CD_place": Self.missing, "CD_id": Self.missing]),
      ]) == ["CD_place 1"])
    // By its name alone.
    #expect(try problems([folder, note("b", ["CD_folder": Self.missing])]) == ["CD_folder 1"])
    // A text that the user wrote, the record's own name, and fields without any target.
    #expect(
      try problems([
        folder, note("a", ["CD_place": "f"]), note("b", ["CD_place": "somewhere"]),
        note("c", ["CD_id": "c", "CD_other": Self.missing]),
      ]) == [])
  }

  @Test("Objects and links that the model does not have are reported")
  func unknownEntities() throws {
    let model = MirroredModel(
      name: "m", kind: .coreData,
      entities: [
        .init("Note", relationships: [.init("tags", to: "Tag", isToMany: true, inverse: "notes")]),
        .init("Memo", parent: "Note"),
        .init("Tag", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "tags")]),
      ])
    func link(_ name: String, _ relationships: String) -> ResultRecord {
      record(
        "CDMR", name,
        [
          "CD_entityNames": "Memo:Tag", "CD_recordNames": "n:t",
          "CD_relationships": relationships,
        ])
    }
    let records = [
      record("CD_Note", "n", ["CD_entityName": "Note"]),
      record("CD_Note", "m", ["CD_entityName": "Memo"]),
      record("CD_Note", "o", ["CD_entityName": "OldNote"]),
      record("CD_Tag", "t", ["CD_entityName": "Tag"]), link("a", "tags:notes"),
      link("b", "labels:notes"),
    ]
    var census = RecordCensus(source: "test")
    var check = RelationshipCheck(source: "test")
    let names = Set(records.map { CompactName($0.recordID.recordName) })
    for record in records {
      try census.add(record, in: .private)
      try check.add(record, in: .private, among: names)
    }
    check.add(to: &census)
    let report = try SchemaChecker().validate(census, against: SchemaDocument(model))
    #expect(
      report.findings.map { "\($0.rule) \($0.subject)" } == [
        "RELATIONSHIP_DANGLING CDMR", "RECORD_TYPE_UNKNOWN CD_Note.CD_entityName",
      ])
  }

  @Test("Links that lead nowhere, or cannot be read, are reported")
  func danglingLinks() throws {
    let note = record("CD_Note", "n", ["CD_entityName": "Note"])
    func link(_ names: String) -> ResultRecord {
      record(
        "CDMR", "l",
        [
          "CD_entityNames": "Note:Tag", "CD_recordNames": names,
          "CD_relationships": "tags:notes",
        ])
    }
    #expect(try problems([note, link("n:t"), link("n:n")]) == ["- 1"])
    #expect(try problems([note, link("n")]) == ["- 1"])
  }
}
