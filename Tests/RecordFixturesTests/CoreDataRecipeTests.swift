import Foundation
import RecordArchive
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

/// Schemas as Core Data's mirroring makes them.
@Suite("A recipe for the records of Core Data")
struct CoreDataRecipeTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE CDMR ( CD_entityNames STRING, CD_recordNames STRING, CD_relationships STRING );
      RECORD TYPE CD_Folder (
        CD_entityName STRING, CD_title STRING, CD_title_ckAsset ASSET, CD_id STRING,
        CD_moveReceipt BYTES, CD_moveReceipt_ckAsset ASSET
      );
      RECORD TYPE CD_Note ( CD_entityName STRING, CD_folder STRING, CD_body STRING );
    """

  @Test("knows the roles of fields")
  func roles() throws {
    let schema = try GenerationSamples.schema(Self.schema)
    func roles(_ name: String) throws -> [String: CoreDataNames.FieldRole] {
      let type = try #require(schema.recordType(named: name))
      let fields = Set(type.fields.map(\.name))
      return type.fields.reduce(into: [:]) {
        $0[$1.name] = CoreDataNames.role(of: $1.name, in: name, type: $1.type, among: fields)
      }
    }
    #expect(
      try roles("CDMR") == [
        "CD_entityNames": .modelNames, "CD_recordNames": .recordNames,
        "CD_relationships": .modelNames,
      ])
    #expect(
      try roles("CD_Folder") == [
        "CD_entityName": .modelNames, "CD_title_ckAsset": .largeValue, "CD_id": .recordNameOrUUID,
        "CD_moveReceipt": .moveReceipt, "CD_moveReceipt_ckAsset": .largeValue,
      ])
    // Without fields of files, a text may be an attribute.
    #expect(try roles("CD_Note") == ["CD_entityName": .modelNames])
    #expect(CoreDataNames.role(of: "CD_x", in: "Note", type: .string, among: []) == nil)
  }

  @Test("makes records that Core Data can read, without links that lead nowhere")
  func records() throws {
    let (reader, _) = try GenerationSamples.bundle(
      GenerationSamples.generation(nil, schema: Self.schema), in: folder)
    let records = try GenerationSamples.records(reader)
    #expect(records.keys.sorted() == ["CD_Folder", "CD_Note"])
    for record in try #require(records["CD_Folder"]) {
      #expect(record.recordID.zoneID.zoneName == CoreDataNames.zoneName)
      #expect(record.recordID.recordName.count == 36)
      #expect(record["CD_entityName"] == "Folder")
      #expect(record.fields.map(\.name).sorted() == ["CD_entityName", "CD_id", "CD_title"])
    }
    // A relationship is the name of the other record, as text.
    let folders = Set((records["CD_Folder"] ?? []).map(\.recordID.recordName))
    for record in try #require(records["CD_Note"]) {
      #expect(folders.contains(try #require(record["CD_folder"] as String?)))
    }
  }

  /// The records that a recipe makes for the schema of the sample.
  private func generate(_ recipe: String) throws -> (ArchiveSource, [String: [ResultRecord]]) {
    let (reader, _) = try GenerationSamples.bundle(
      GenerationSamples.generation(recipe, schema: MirroredSample.schema), in: folder)
    let source = ArchiveSource.bundle(reader)
    #expect(try source.checkRelationships(named: "made").problems.isEmpty)
    return (source, try GenerationSamples.records(reader))
  }

  @Test("Links join different pairs of records, of each relationship in turn")
  func links() throws {
    let zone = "zone: \(CoreDataNames.zoneName), names: uuid"
    let links = "{links: [CD_Tag.notes = CD_Note.tags, CD_Note.next = CD_Note.last]}"
    let (source, records) = try generate(
      """
      recordpack-recipe: 1
      types:
        CD_Note: {\(zone), count: 3}
        CD_Tag: {\(zone), count: 2}
        CDMR:
          zone: \(CoreDataNames.zoneName)
          count: 8
          fields:
            CD_entityNames: \(links)
            CD_relationships: \(links)
            CD_recordNames: \(links)
      """)
    let made = try #require(records["CDMR"]).compactMap(\.mirroredLink)
    #expect(made.count == 8 && Set(made).count == 8)
    // In the order of the entities, then of the relationships.
    #expect(
      Set(made.map { $0.sides.map { "\($0.entity).\($0.relationship)" } })
        == [["Note.tags", "Tag.notes"], ["Note.last", "Note.next"]])
    let objects = try #require(records["CD_Note"]).map { (DatabaseScope.private, $0) }
    let found = try source.relationships(of: objects.map { (database: $0, record: $1) }).found
    #expect(found.values.contains { $0.linked["tags"]?.count == 2 })
  }

  @Test("Paired references say the same on both sides")
  func paired() throws {
    let zone = "zone: \(CoreDataNames.zoneName), names: uuid"
    let (_, records) = try generate(
      """
      recordpack-recipe: 1
      types:
        CD_Note: {\(zone), count: 3, fields: {CD_folder: {reference: CD_Folder, paired: true}}}
        CD_Folder: {\(zone), count: 2, fields: {CD_name: {reference: CD_Note, paired: true}}}
      """)
    let folders = try #require(records["CD_Folder"])
    let notes = try #require(records["CD_Note"])
    for folder in folders {
      let note = notes.first { $0.recordID.recordName == folder["CD_name"] as String? }
      #expect(note?["CD_folder"] as String? == folder.recordID.recordName)
    }
    #expect(notes.count { $0.field(named: "CD_folder") == nil } == 1)
  }

  @Test("A recipe like a source has its relationships and links, in Core Data's zone")
  func like() throws {
    let schema = try GenerationSamples.schema(MirroredSample.schema)
    let text = try FixtureRecipe.starter(for: schema, like: try MirroredSample.source())
    for name in [MirroredSample.folder, "Plans", "unfinished"] { #expect(!text.contains(name)) }
    #expect(text.contains("CD_folder: {reference: CD_Folder}"))
    let (_, records) = try generate(text)
    #expect(records.mapValues(\.count) == ["CD_Folder": 1, "CD_Note": 2, "CD_Tag": 2, "CDMR": 3])
    for record in records.values.joined() {
      #expect(record.recordID.zoneID == ZoneID(zoneName: CoreDataNames.zoneName))
    }
    for note in try #require(records["CD_Note"]) {
      #expect(note["CD_folder"] as String? == records["CD_Folder"]?.first?.recordID.recordName)
    }
    #expect(
      try #require(records["CDMR"]).allSatisfy { $0.mirroredLink?.sides[0].relationship == "tags" })
  }

  @Test("Links without records to join, and in other fields, are refused")
  func refusedLinks() throws {
    let home = "zone: \(CoreDataNames.zoneName), count: 1"
    for (types, message) in [
      (
        "{CDMR: {\(home), fields: {CD_recordNames: {links: [CD_Note.tags = CD_Tag.notes]}}}}",
        "needs records of 'CD_Note'"
      ),
      (
        "{CD_Note: {\(home), fields: {CD_title: {links: [CD_Note.a = CD_Note.b]}}}}",
        "links are in CD_entityNames"
      ),
      (
        "{CDMR: {\(home), fields: {CD_recordNames: {links: [CD_Note.tags]}}}}",
        "a relationship and its inverse are written"
      ),
    ] {
      let error = #expect(throws: FixtureError.self) {
        _ = try generate("recordpack-recipe: 1\ntypes: \(types)\n")
      }
      #expect("\(error as Any)".contains(message), "\(error as Any)")
    }
  }

  @Test("A model says which fields are flags, identifiers and relationships")
  func model() throws {
    let model = MirroredModel(
      name: "Notes", kind: .coreData,
      entities: [
        .init(
          "Note",
          attributes: [
            .init("amount", .boolean), .init("words", .uuid), .init("state", .composite),
          ],
          relationships: [
            .init("shelf", to: "Folder", inverse: "notes"),
            .init("labels", to: "Tag", isToMany: true, inverse: "notes"),
            .init("cover", to: "Cover", inverse: "note"),
          ]),
        .init("Draft", parent: "Note", attributes: [.init("reason", .string)]),
        .init("Cover", relationships: [.init("note", to: "Note", inverse: "cover")]),
        .init(
          "Folder", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "shelf")]),
        .init(
          "Tag", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "labels")]),
      ])
    let schema = model.fullSchema
    let recipe = FixtureRecipe(for: schema, model)
    let (reader, _) = try GenerationSamples.bundle(
      try Generation(schema: schema, recipe: recipe), in: folder)
    let source = ArchiveSource.bundle(reader)
    #expect(try source.checkRelationships(named: "made").problems.isEmpty)
    let records = try GenerationSamples.records(reader)
    #expect(
      records.keys.sorted() == ["CDMR", "CD_Cover", "CD_Folder", "CD_Note", "CD_Tag"])
    let covers = try #require(records["CD_Cover"])
    for note in try #require(records["CD_Note"]) {
      #expect(note["CD_entityName"] == "Note")
      #expect([0, 1].contains(note["CD_amount"] as Int?))
      #expect((note["CD_words"] as String?).flatMap(UUID.init(uuidString:)) != nil)
      // What only the library encodes, and what other entities have.
      #expect(note.field(named: "CD_state") == nil && note.field(named: "CD_reason") == nil)
      let cover = covers.first { $0.recordID.recordName == note["CD_cover"] as String? }
      #expect(cover?["CD_note"] == note.recordID.recordName)
      let shelf = try #require(note["CD_shelf"] as String?)
      #expect(records["CD_Folder"]?.contains { $0.recordID.recordName == shelf } == true)
    }
    let links = try #require(records["CDMR"]).compactMap(\.mirroredLink)
    #expect(links.count == 3)
    #expect(links.allSatisfy { $0.sides.map(\.relationship) == ["labels", "notes"] })
  }

  @Test("Objects are of the first entity that is not abstract, with all that it inherits")
  func inheritance() throws {
    var thing = MirroredModel.Entity(
      "Thing", attributes: [.init("kind", .string), .init("number", .integer)],
      relationships: [.init("home", to: "Shelf", isOptional: false, inverse: nil)])
    thing.isAbstract = true
    thing.uniqueConstraints = [["kind"], ["number"]]
    var nothing = MirroredModel.Entity("Nothing", attributes: [.init("name", .string)])
    nothing.isAbstract = true
    let model = MirroredModel(
      name: "Things", kind: .coreData,
      entities: [
        thing, nothing, .init("Book", parent: "Thing", attributes: [.init("title", .string)]),
        .init("Film", parent: "Thing", attributes: [.init("minutes", .integer)]),
        .init(
          "Shelf", relationships: [.init("first", to: "Book", inverse: nil)]),
      ])
    let recipe = FixtureRecipe(for: model.fullSchema, model, records: 5)
    let (reader, _) = try GenerationSamples.bundle(
      try Generation(schema: model.fullSchema, recipe: recipe), in: folder)
    let records = try GenerationSamples.records(reader)
    #expect(records.keys.sorted() == ["CD_Shelf", "CD_Thing"])
    let things = try #require(records["CD_Thing"])
    #expect(
      things.allSatisfy { $0["CD_entityName"] == "Book" && $0.field(named: "CD_home") != nil })
    #expect(things.allSatisfy { $0.field(named: "CD_minutes") == nil })
    #expect(Set(things.compactMap { $0["CD_kind"] as String? }).count == 5)
    #expect(Set(things.compactMap { $0["CD_number"] as Int? }).count == 5)
    #expect(records["CD_Shelf"]?.allSatisfy { $0.field(named: "CD_first") != nil } == true)
  }
}
