import Foundation
import RecordArchive
import RecordModel
import RecordSchema
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordPages

@Suite struct SchemaReferencesTests {
  /// `Message.chat → Chat` of each reference by name in a schema with these types, each with fields
  /// of the given type.
  private func guesses(
    _ types: [String: [String]], _ type: CloudSchema.FieldType = .reference
  ) -> [String] {
    let schema = CloudSchema(
      recordTypes: types.map { name, fields in
        CloudSchema.RecordType(name, fields: fields.map { CloudSchema.Field($0, type) })
      })
    return SchemaReferences(of: schema).all.map {
      "\($0.recordType).\($0.placeName) → \($0.target)"
    }
  }

  @Test(arguments: [
    "chat", "chatID", "chatRef", "chat_id", "parentChat", "originalChatReference", "chats",
    "chatIDs", "chatRecordName", "Chat",
  ])
  func aFieldIsCalledLikeItsType(field: String) {
    #expect(guesses(["Chat": [], "Message": [field]]) == ["Message.\(field) → Chat"])
  }

  @Test(arguments: ["parent", "chatter", "chatMember", "ref", "id", "author", "relatedRecords"])
  func anythingElseIsNotGuessed(field: String) {
    #expect(guesses(["Chat": [], "Message": [field]]) == [])
  }

  @Test func theLongestNameCounts() {
    let found = guesses(["Member": [], "RoomMember": [], "Call": ["toRoomMember", "toMemberRef"]])
    #expect(found == ["Call.toMemberRef → Member", "Call.toRoomMember → RoomMember"])
  }

  @Test func twoTypesOfTheSameNameAreNotGuessed() {
    #expect(guesses(["Chat": [], "Chats": [], "Message": ["chat"]]) == [])
    #expect(guesses(["CD_Chat": [], "Chat": [], "Message": ["chat"]]) == ["Message.chat → Chat"])
  }

  @Test func aPrefixOfAllTypesDoesNotCount() {
    #expect(
      guesses(["CD_Chat": [], "CD_Message": ["CD_chat"]]) == ["CD_Message.CD_chat → CD_Chat"])
    #expect(guesses(["TKChat": [], "TKMessage": ["chat"]]) == ["TKMessage.chat → TKChat"])
  }

  @Test func aTextRefersIfItIsAnIdentifierAndNothingElse() {
    let types = ["Chat": ["chatID"], "Message": ["chat", "chatID", "oldChatID", "userID"]]
    #expect(guesses(types, .string) == ["Message.chatID → Chat"])
    #expect(guesses(types, .encrypted(.string)) == [])
    #expect(guesses(types, .int64) == [])
  }

  @Test func pluralsOfCommonEndingsAreKnown() {
    let found = guesses([
      "Category": [], "Box": [], "Class": [], "Status": [],
      "Item": ["categories", "boxes", "class", "classes", "status"],
    ])
    #expect(
      found == [
        "Item.boxes → Box", "Item.categories → Category", "Item.class → Class",
        "Item.classes → Class", "Item.status → Status",
      ])
  }

  @Test func recordsSayMoreThanNames() throws {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType("Chat"),
      CloudSchema.RecordType(
        "Message", fields: [.init("chat", .reference), .init("related", .list(of: .reference))]),
    ])
    let container = try ContainerStore.inMemory()
    let zone = ZoneID(zoneName: "Zone")
    try container.database(.private).save([RecordZone(zoneID: zone)])
    func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zone) }
    var drafts = [DraftRecord(recordType: "Chat", recordID: id("c"))]
    for number in 0..<3 {
      var message = DraftRecord(recordType: "Message", recordID: id("m\(number)"))
      message["related"] = [
        Reference(recordID: id("c"), action: .none), Reference(recordID: id("gone"), action: .none),
      ]
      message.parent = Reference(recordID: id("c"), action: .none)
      drafts.append(message)
    }
    try container.database(.private).save(drafts)
    let scanned = try SchemaReferences(scanning: .container(container))
    let found = SchemaReferences(of: schema, records: scanned)
    #expect(found.counts == ["Chat": 1, "Message": 3])
    #expect(
      found.all == [
        SchemaReference(from: "Message", .field("chat"), to: "Chat", .name),
        SchemaReference(from: "Message", .field("related"), to: "Chat", .records(3)),
        SchemaReference(from: "Message", .parent, to: "Chat", .records(3)),
      ])
  }

  @Test func relationshipsOfAModelAreDrawn() {
    let model = MirroredModel(
      name: "m", kind: .coreData,
      entities: [
        .init(
          "Note",
          relationships: [
            .init("tags", to: "Tag", isToMany: true, inverse: "notes"),
            .init("folder", to: "Folder", inverse: "notes"),
          ]),
        .init("Tag", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "tags")]),
        .init(
          "Folder", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "folder")]),
      ])
    let references = SchemaReferences(of: model.fullSchema, model: model)
    #expect(
      references.all == [
        SchemaReference(from: "CD_Note", .field("CD_folder"), to: "CD_Folder", .model),
        SchemaReference(
          from: "CD_Note", .field("CD_tags"), to: "CD_Tag", .model, inverse: "CD_notes"),
      ])
    let diagram = SchemaDiagram(model.fullSchema, references: references, title: "m")
    #expect(diagram.references.count == 2)
    #expect(diagram.mermaid.contains("CD_Folder") && diagram.mermaid.contains("CD_tags"))
  }

  /// People with passports, who follow each other in a list, and are married.
  static let people = MirroredModel(
    name: "m", kind: .coreData,
    entities: [
      .init(
        "Person",
        attributes: [.init("passportID", .uuid)],
        relationships: [
          .init("passport", to: "Passport", inverse: "owner"),
          .init("next", to: "Person", inverse: "previous"),
          .init("previous", to: "Person", inverse: "next"),
          .init("spouse", to: "Person", inverse: "spouse"),
          .init("mother", to: "Person", inverse: "children"),
          .init("children", to: "Person", isToMany: true, inverse: "mother"),
        ]),
      .init("Document", relationships: [.init("owner", to: "Person", inverse: "passport")]),
      .init("Passport", parent: "Document", attributes: [.init("number", .string)]),
    ])

  @Test func aPairOfInversesIsOneReferenceAlsoIfOneSideInheritsIt() {
    #expect(
      SchemaReferences(of: Self.people.fullSchema, model: Self.people).all.map(\.text) == [
        "CD_Document.CD_owner ↔ CD_Person.CD_passport, by the model",
        "CD_Person.CD_mother → CD_Person, by the model",
        "CD_Person.CD_next ↔ CD_Person.CD_previous, by the model",
        "CD_Person.CD_spouse ↔ CD_Person.CD_spouse, by the model",
      ])
  }

  @Test func whatRecordsHaveOfARelationshipIsCountedForItsPair() {
    let records = SchemaReferences([
      SchemaReference(from: "CD_Person", .field("CD_passport"), to: "CD_Document", .records(7)),
      SchemaReference(from: "CD_Document", .field("CD_owner"), to: "CD_Person", .records(8)),
      SchemaReference(from: "CD_Person", .field("CD_previous"), to: "CD_Person", .records(5)),
      // The number of a passport that is also the name of a record.
      SchemaReference(from: "CD_Document", .field("CD_number"), to: "CD_Person", .records(1)),
    ])
    let found = SchemaReferences(of: Self.people.fullSchema, records: records, model: Self.people)
    #expect(
      found.all.map(\.text) == [
        "CD_Document.CD_owner ↔ CD_Person.CD_passport, in 8 records",
        "CD_Person.CD_mother → CD_Person, by the model",
        "CD_Person.CD_next ↔ CD_Person.CD_previous, in 5 records",
        "CD_Person.CD_spouse ↔ CD_Person.CD_spouse, by the model",
      ])
  }

  @Test func aTextCalledLikeATypeRepeatsNoKnownReference() {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType("Chat"),
      CloudSchema.RecordType(
        "Message",
        fields: [.init("chatID", .string), .init("room", .reference), .init("oldChat", .reference)]),
    ])
    #expect(
      SchemaReferences(of: schema).all.map(\.placeName) == ["chatID", "oldChat"])
    let records = SchemaReferences([
      SchemaReference(from: "Message", .field("room"), to: "Chat", .records(7))
    ])
    #expect(
      SchemaReferences(of: schema, records: records).all.map(\.placeName) == ["oldChat", "room"])
  }

  @Test func relationshipsOfCoreDatasRecordsAreCounted() throws {
    let container = try ContainerStore.inMemory()
    let zone = ZoneID(zoneName: CoreDataNames.zoneName)
    try container.database(.private).save([RecordZone(zoneID: zone)])
    func record(_ type: String, _ name: String, _ fields: [String: String]) -> DraftRecord {
      var draft = DraftRecord(
        recordType: type, recordID: RecordID(recordName: name, zoneID: zone))
      for (field, value) in fields { draft[field] = value }
      return draft
    }
    try container.database(.private).save([
      record("CD_Folder", "F", ["CD_entityName": "Folder", "CD_name": "N"]),
      record("CD_Note", "N", ["CD_entityName": "Note", "CD_folder": "F", "CD_title": "none"]),
      record("CD_Tag", "T", ["CD_entityName": "Tag"]),
      record(
        "CDMR", "L",
        [
          "CD_entityNames": "Note:Tag", "CD_recordNames": "N:T", "CD_relationships": "tags:notes",
        ]),
    ])
    let scanned = try SchemaReferences(scanning: .container(container))
    #expect(
      scanned.all == [
        // A name that is also that of a record.
        SchemaReference(from: "CD_Folder", .field("CD_name"), to: "CD_Note", .records(1)),
        SchemaReference(from: "CD_Note", .field("CD_folder"), to: "CD_Folder", .records(1)),
        SchemaReference(from: "CD_Note", .field("CD_tags"), to: "CD_Tag", .records(1)),
      ])
  }

  @Test func neighboursAreFoundInBothDirections() {
    let references = SchemaReferences(
      [("A", "B"), ("B", "C"), ("D", "C")].map {
        SchemaReference(from: $0.0, .field("f"), to: $0.1, .name)
      })
    #expect(references.types(around: ["B"], within: 0) == ["B"])
    #expect(references.types(around: ["B"], within: 1) == ["A", "B", "C"])
    #expect(references.types(around: ["B"], within: 9) == ["A", "B", "C", "D"])
  }
}
