import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

/// Plans between two versions of an app's model.
@Suite("Plans of models")
struct ModelPlanTests {
  private typealias Entity = MirroredModel.Entity

  private func model(
    _ entities: [MirroredModel.Entity], _ originalNames: [[String]: String] = [:]
  ) -> MirroredModel {
    var model = MirroredModel(name: "m", kind: .coreData, entities: entities)
    model.originalNames = originalNames
    return model
  }

  private static let old = [
    Entity(
      "Note", attributes: [.init("title", .string), .init("done", .boolean)],
      relationships: [
        .init("tags", to: "Tag", isToMany: true, inverse: "notes"),
        .init("box", to: "Folder", inverse: "items"),
      ]),
    Entity(
      "Tag", attributes: [.init("word", .string)],
      relationships: [.init("notes", to: "Note", isToMany: true, inverse: "tags")]),
    Entity(
      "Folder", attributes: [.init("name", .string), .init("size", .integer)],
      relationships: [.init("items", to: "Note", isToMany: true, inverse: "box")]),
  ]

  private static let new = [
    Entity(
      "Page", attributes: [.init("heading", .string), .init("done", .boolean)],
      relationships: [
        .init("labels", to: "Tag", isToMany: true, inverse: "pages"),
        .init("folder", to: "Folder", inverse: "items"),
      ]),
    Entity(
      "Tag", attributes: [.init("word", .string)],
      relationships: [.init("pages", to: "Page", isToMany: true, inverse: "labels")]),
    Entity(
      "Folder", attributes: [.init("name", .string), .init("size", .integer)],
      relationships: [.init("items", to: "Page", isToMany: true, inverse: "folder")]),
  ]

  private func draft(_ old: MirroredModel, _ new: MirroredModel) -> PlanDraft {
    PlanDraft(
      from: old.fullSchema, named: "a", to: new.fullSchema, named: "b", models: (old, new))
  }

  @Test("what the model says it renames is renamed without a question, in values and links, too")
  func told() throws {
    let (old, new) = (
      model(Self.old),
      model(
        Self.new,
        [
          ["Page"]: "Note", ["Page", "heading"]: "title", ["Page", "labels"]: "tags",
          ["Page", "folder"]: "box", ["Tag", "pages"]: "notes",
        ])
    )
    let draft = draft(old, new)
    #expect(draft.questions == 0, "\(draft.yaml)")
    try Planning.resolved(draft.yaml, old.fullSchema, new.fullSchema)
    for step in [
      "- do: rename-type\n    type: CD_Note\n    to: CD_Page",
      "- do: map-values\n    type: CD_Page\n    field: CD_entityName\n    values: {\"Note\": \"Page\"}\n"
        + "    otherwise: keep",
      "field: CD_title\n    to: CD_heading", "field: CD_title_ckAsset\n    to: CD_heading_ckAsset",
      "field: CD_box\n    to: CD_folder",
      "type: CDMR\n    field: CD_relationships\n"
        + "    values: {\"tags:notes\": \"labels:pages\", \"notes:tags\": \"pages:labels\"}",
      "type: CDMR\n    field: CD_entityNames\n"
        + "    values: {\"Note:Tag\": \"Page:Tag\", \"Tag:Note\": \"Tag:Page\"}",
    ] {
      #expect(draft.yaml.contains(step), "\(step)\nin\n\(draft.yaml)")
    }
  }

  @Test("what it does not say is a question, and entity names and links follow the answer")
  func guessed() throws {
    // Only the entity has another name.
    let renamed = Self.old.map { entity in
      var entity = entity
      if entity.name == "Note" { entity.name = "Page" }
      for index in entity.relationships.indices
      where entity.relationships[index].destination == "Note" {
        entity.relationships[index].destination = "Page"
      }
      return entity
    }
    let (old, new) = (model(Self.old), model(renamed))
    let draft = draft(old, new)
    #expect(draft.questions > 0)
    #expect(draft.yaml.contains("values: {\"Note\": \"Page\"}"), "\(draft.yaml)")
    #expect(draft.yaml.contains("{\"Note:Tag\": \"Page:Tag\""), "\(draft.yaml)")
    try Planning.resolved(Planning.answered(draft.yaml), old.fullSchema, new.fullSchema)
  }

  @Test(
    "links of a removed many-to-many relationship are a question, and left behind with its answer")
  func removedLinks() throws {
    var entities = Self.old
    entities[0].relationships.append(
      .init("readers", to: "Folder", isToMany: true, inverse: "notes"))
    entities[2].relationships.append(
      .init("notes", to: "Note", isToMany: true, inverse: "readers"))
    // A relationship that another one replaced, whose inverse leads to one object.
    var single = entities
    single[1].relationships[0].isToMany = false
    var removed = entities
    removed[0].relationships.removeAll { $0.name == "tags" }
    removed[1].relationships.removeAll()
    for new in [single, removed] {
      let (old, new) = (model(entities), model(new))
      let draft = draft(old, new)
      #expect(draft.asked.contains { $0.text.contains("'Note.tags' and 'Tag.notes'") })
      let plan = try Planning.resolved(
        Planning.answered(draft.yaml), old.fullSchema, new.fullSchema)
      #expect(
        try links(["Note:Tag tags:notes", "Note:Folder readers:notes"], plan) == [
          "Note:Folder readers:notes"
        ], "\(draft.yaml)")
    }
  }

  @Test(
    "of two removed relationships with the same names, the links of the right one are left behind")
  func removedLinkOfTwo() throws {
    func entities(_ name: String, _ other: String) -> [Entity] {
      [
        Entity(
          name, relationships: [.init("tags", to: other, isToMany: true, inverse: "items")]),
        Entity(other, relationships: [.init("items", to: name, isToMany: true, inverse: "tags")]),
      ]
    }
    let kept = entities("Note", "Tag")
    let (old, new) = (model(kept + entities("Page", "Label")), model(kept))
    let draft = draft(old, new)
    let plan = try Planning.resolved(Planning.answered(draft.yaml), old.fullSchema, new.fullSchema)
    #expect(
      try links(["Note:Tag tags:items", "Label:Page items:tags"], plan) == ["Note:Tag tags:items"])
  }

  @Test("a relationship that moved to a parent keeps its links without a question")
  func movedUp() throws {
    var entities = Self.old
    let tags = entities[0].relationships.remove(at: 0)
    entities[0].parent = "Item"
    var before = Self.old
    before[0].parent = "Item"
    let draft = draft(
      model(before + [Entity("Item")]),
      model(entities + [Entity("Item", relationships: [tags])]))
    #expect(draft.questions == 0, "\(draft.yaml)")
  }

  @Test(
    "links name the entities of their objects: those of a renamed or removed sub-entity follow it")
  func inheritedLinks() throws {
    func model(_ entities: Entity..., names: [[String]: String] = [:]) -> MirroredModel {
      self.model(
        entities + [
          Entity(
            "Item",
            relationships: [.init("tags", to: "Tag", isToMany: true, inverse: "items")]),
          Entity(
            "Tag",
            relationships: [.init("items", to: "Item", isToMany: true, inverse: "tags")]),
        ], names)
    }
    let (book, film) = (Entity("Book", parent: "Item"), Entity("Film", parent: "Item"))
    let old = model(book, film)
    let all = ["Book:Tag tags:items", "Tag:Film items:tags", "Item:Tag tags:items"]
    let movie = model(book, Entity("Movie", parent: "Item"), names: [["Movie"]: "Film"])
    let renamed = draft(old, movie)
    #expect(renamed.questions == 0)
    #expect(
      renamed.yaml.contains(
        "field: CD_entityNames\n"
          + "    values: {\"Film:Tag\": \"Movie:Tag\", \"Tag:Film\": \"Tag:Movie\"}"),
      "\(renamed.yaml)")
    let removed = draft(old, model(book))
    let plan = try Planning.resolved(
      Planning.answered(removed.yaml), old.fullSchema, model(book).fullSchema)
    #expect(try links(all, plan) == [all[0], all[2]], "\(removed.yaml)")
  }

  @Test("objects of an entity that left its record type are a question")
  func strays() throws {
    func model(_ entities: Entity...) -> MirroredModel { self.model(entities) }
    let item = Entity("Item", attributes: [.init("name", .string)])
    let book = Entity("Book", parent: "Item")
    let old = model(item, book, Entity("Film", parent: "Item"))
    let gone = draft(old, model(item, book))
    #expect(gone.questions == 1)
    #expect(gone.yaml.contains(#"where: "contains([\"Film\"], CD_entityName)""#), "\(gone.yaml)")
    let moved = draft(old, model(item, book, Entity("Film", attributes: [.init("name", .string)])))
    #expect(moved.asked.contains { $0.text.contains("'CD_Film', where the model") })
    let renamed = self.model([item, book, Entity("Movie", parent: "Item")], [["Movie"]: "Film"])
    #expect(draft(old, renamed).questions == 0)
  }

  @Test("objects of an entity that got a parent are merged into the record type of the parent")
  func parents() throws {
    let name = MirroredModel.Attribute("name", .string)
    let (old, new) = (
      model([Entity("Book", attributes: [name]), Entity("Film", attributes: [name])]),
      model([
        Entity("Item", attributes: [name]), Entity("Book", parent: "Item"),
        Entity("Film", attributes: [name]),
      ])
    )
    let draft = draft(old, new)
    // Only the types, not their entities, look like a rename.
    #expect(draft.yaml.contains("CD_Book") && draft.yaml.contains("CD_Item"), "\(draft.yaml)")
    #expect(!draft.yaml.contains("\"Book\": \"Item\""), "\(draft.yaml)")
    try Planning.resolved(Planning.answered(draft.yaml), old.fullSchema, new.fullSchema)
  }

  /// The links that a plan keeps, of `ENTITIES RELATIONSHIPS`.
  private func links(_ values: [String], _ plan: MigrationPlan) throws -> [String] {
    let migrator = try Migrator([plan.migration])
    return try values.filter { value in
      let halves = value.split(separator: " ").map { RecordValue.string(String($0)) }
      let link = Sample.record(
        CoreDataNames.linkType, "l1",
        [
          CoreDataNames.linkEntitiesField: halves[0],
          CoreDataNames.linkRelationshipsField: halves[1],
        ])
      var report = migrator.emptyReport()
      return try !migrator.migrate(
        link, in: .private, environment: Sample.environment, report: &report
      ).isEmpty
    }
  }

  @Test("names that fields exchange or pass on follow the model, and so do their values")
  func exchanged() throws {
    func model(_ names: [String], _ originalNames: [[String]: String] = [:]) -> MirroredModel {
      self.model(
        [Entity("Note", attributes: names.map { .init($0, .integer) })], originalNames)
    }
    func migrated(_ new: MirroredModel) throws -> [String: RecordValue] {
      let old = model(["a", "b", "c"])
      let draft = draft(old, new)
      let plan = try Planning.resolved(
        Planning.answered(draft.yaml), old.fullSchema, new.fullSchema)
      let migrator = try Migrator([plan.migration])
      var report = migrator.emptyReport()
      let note = Sample.record(
        "CD_Note", "n1", ["CD_a": .int64(1), "CD_b": .int64(2), "CD_c": .int64(3)])
      let results = try migrator.migrate(
        note, in: .private, environment: Sample.environment, report: &report)
      return Dictionary(uniqueKeysWithValues: results[0].fields.map { ($0.name, $0.value) })
    }
    #expect(
      try migrated(
        model(["b", "c", "d"], [["Note", "b"]: "a", ["Note", "c"]: "b", ["Note", "d"]: "c"]))
        == ["CD_b": .int64(1), "CD_c": .int64(2), "CD_d": .int64(3)])
    #expect(
      try migrated(model(["a", "b", "c"], [["Note", "a"]: "b", ["Note", "b"]: "a"]))
        == ["CD_a": .int64(2), "CD_b": .int64(1), "CD_c": .int64(3)])
    #expect(
      try migrated(
        model(["a", "b", "c"], [["Note", "b"]: "a", ["Note", "c"]: "b", ["Note", "a"]: "c"]))
        == ["CD_b": .int64(1), "CD_c": .int64(2), "CD_a": .int64(3)])
    // Another attribute replaces 'b', whose values are dropped.
    #expect(
      try migrated(model(["b", "c"], [["Note", "b"]: "a"])) == [
        "CD_b": .int64(1), "CD_c": .int64(3),
      ])
    let replaced = draft(model(["a", "b", "c"]), model(["b", "c"], [["Note", "b"]: "a"]))
    #expect(replaced.asked.map(\.fields) == [["CD_b"]], "\(replaced.yaml)")
  }

  @Test("a name that only one entity of a tree changes is a question")
  func partly() {
    let item = Entity("Item")
    let (book, film) = (
      Entity("Book", parent: "Item", attributes: [.init("x", .integer)]),
      Entity("Film", parent: "Item", attributes: [.init("x", .integer)])
    )
    let renamed = Entity("Film", parent: "Item", attributes: [.init("y", .integer)])
    let draft = draft(
      model([item, book, film]), model([item, book, renamed], [["Film", "y"]: "x"]))
    #expect(draft.questions == 1 && !draft.yaml.contains("rename-field"), "\(draft.yaml)")
  }

  @Test("the same model has nothing to do")
  func same() {
    let draft = draft(model(Self.old), model(Self.old))
    #expect(draft.yaml.contains("[]"))
  }
}
