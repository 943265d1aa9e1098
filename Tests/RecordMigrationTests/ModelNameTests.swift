import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

/// Plans of models in which a name is that of another element than before.
@Suite("Plans of models that use names again")
struct ModelNameTests {
  private typealias Entity = MirroredModel.Entity

  private func model(
    _ entities: [MirroredModel.Entity], _ originalNames: [[String]: String] = [:]
  ) -> MirroredModel {
    var model = MirroredModel(name: "m", kind: .coreData, entities: entities)
    model.originalNames = originalNames
    return model
  }

  private func entities(_ names: String..., parent: String? = nil) -> [MirroredModel.Entity] {
    names.map { name in
      let attribute = String(name.lowercased().prefix(1))
      return Entity(name, parent: parent, attributes: [.init(attribute, .string)])
    }
  }

  private func draft(_ old: MirroredModel, _ new: MirroredModel) -> PlanDraft {
    PlanDraft(
      from: old.fullSchema, named: "a", to: new.fullSchema, named: "b", models: (old, new))
  }

  /// The results of the answered plan, as `TYPE` and the values of the fields in the order of their
  /// names.
  private func migrated(
    _ records: [(type: String, fields: [String: String])], _ old: MirroredModel,
    _ new: MirroredModel
  ) throws -> [[String]] {
    let yaml = draft(old, new).yaml
    let plan = try Planning.resolved(Planning.answered(yaml), old.fullSchema, new.fullSchema)
    let migrator = try Migrator([plan.migration])
    var report = migrator.emptyReport()
    return try records.flatMap { type, fields in
      try migrator.migrate(
        Sample.record(type, "r", fields.mapValues { .string($0) }), in: .private,
        environment: Sample.environment, report: &report)
    }.map { record in
      [record.recordType]
        + record.fields.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.value)" }
    }
  }

  private func object(_ entity: String, in type: String) -> (String, [String: String]) {
    (type, [CoreDataNames.entityNameField: entity])
  }

  private func named(_ entity: String, _ type: String) -> [String] {
    [type, "\(CoreDataNames.entityNameField)=\(RecordValue.string(entity))"]
  }

  @Test("entities that exchange or pass on their names take their records with them")
  func exchangedEntities() throws {
    let old = model(entities("Note", "Page", "Box"))
    let objects = ["Note", "Page", "Box"].map { object($0, in: "CD_\($0)") }
    func plan(_ names: [String: String]) throws -> [[String]] {
      let paths = names.map { ([$0.key], $0.value) }
      let new = model(
        ["Note", "Page", "Box", "Leaf"].filter { $0 != "Leaf" || names[$0] != nil }.map { name in
          var entity = entities(names[name] ?? name)[0]
          entity.name = name
          return entity
        }, Dictionary(uniqueKeysWithValues: paths))
      return try migrated(objects, old, new)
    }
    #expect(
      try plan(["Note": "Page", "Page": "Note"])
        == [named("Page", "CD_Page"), named("Note", "CD_Note"), named("Box", "CD_Box")])
    #expect(
      try plan(["Note": "Page", "Page": "Box", "Box": "Note"])
        == [named("Box", "CD_Box"), named("Note", "CD_Note"), named("Page", "CD_Page")])
    // 'Note' is a new entity.
    #expect(
      try plan(["Page": "Note", "Leaf": "Page"])
        == [named("Page", "CD_Page"), named("Leaf", "CD_Leaf"), named("Box", "CD_Box")])
    // 'Page' was removed.
    #expect(try plan(["Page": "Note"]) == [named("Page", "CD_Page"), named("Box", "CD_Box")])
  }

  @Test("a record type follows its entity, not a sub-entity that got a record type of its own")
  func formerRoot() throws {
    let old = model(entities("Note") + entities("Page", parent: "Note"))
    var new = entities("Leaf", "Book")
    (new[0].attributes[0].name, new[1].attributes[0].name) = ("p", "n")
    let draft = draft(old, model(new, [["Leaf"]: "Page", ["Book"]: "Note"]))
    #expect(draft.yaml.contains("type: CD_Note\n    to: CD_Book"), "\(draft.yaml)")
  }

  @Test("objects of a removed entity are left behind before another one gets its name")
  func passedOn() throws {
    let item = entities("Item")
    let old = model(item + entities("Film", "Movie", parent: "Item"))
    let new = model(
      item + entities("Film", parent: "Item"), [["Film"]: "Movie", ["Film", "f"]: "m"])
    let objects = [object("Film", in: "CD_Item"), object("Movie", in: "CD_Item")]
    #expect(try migrated(objects, old, new) == [named("Film", "CD_Item")])
  }

  @Test("objects that are merged into the record type of a parent get the new name of their entity")
  func merged() throws {
    let item = entities("Item")
    var volume = entities("Book", parent: "Item")
    volume[0].name = "Volume"
    let (old, new) = (
      model(item + entities("Book")), model(item + volume, [["Volume"]: "Book"])
    )
    #expect(try migrated([object("Book", in: "CD_Book")], old, new) == [named("Volume", "CD_Item")])
  }

  @Test("links of a relationship that keeps its name stay when one of other entities loses it")
  func linksOfTwo() throws {
    func pair(_ name: String, _ relationship: String) -> [MirroredModel.Entity] {
      [
        Entity(
          name,
          relationships: [.init(relationship, to: name + "Tag", isToMany: true, inverse: "items")]),
        Entity(
          name + "Tag",
          relationships: [.init("items", to: name, isToMany: true, inverse: relationship)]),
      ]
    }
    let (entityNames, relationships) = (
      CoreDataNames.linkEntitiesField, CoreDataNames.linkRelationshipsField
    )
    func link(_ entities: String, _ names: String) -> (String, [String: String]) {
      (CoreDataNames.linkType, [entityNames: entities, relationships: names])
    }
    let old = model(pair("Note", "tags") + pair("Page", "tags"))
    for other in ["tags", "words"] {
      let names = [["Note", "labels"]: "tags", ["Page", "words"]: "tags"]
      let new = model(pair("Note", "labels") + pair("Page", other), names)
      let links = [link("Note:NoteTag", "tags:items"), link("PageTag:Page", "items:tags")]
      let expected = [("Note:NoteTag", "labels:items"), ("PageTag:Page", "items:\(other)")].map {
        [
          CoreDataNames.linkType, "\(entityNames)=\(RecordValue.string($0.0))",
          "\(relationships)=\(RecordValue.string($0.1))",
        ]
      }
      #expect(draft(old, new).questions == 0)
      #expect(try migrated(links, old, new) == expected)
    }
  }

  @Test("an attribute that another one replaces under its name takes its values with it")
  func replacedAttribute() throws {
    func note(_ names: String..., parent: String? = nil) -> MirroredModel.Entity {
      Entity("Note", parent: parent, attributes: names.map { .init($0, .string) })
    }
    let old = model([note("a")])
    let records = [("CD_Note", ["CD_a": "1"])]
    let expected = [["CD_Note", "CD_b=\(RecordValue.string("1"))"]]
    let new = model([note("b", "a")], [["Note", "b"]: "a"])
    #expect(try migrated(records, old, new) == expected)
    #expect(draft(old, new).asked.map(\.kind) == [.newField])
    // The parent has the one, and its sub-entity the other.
    var page = entities("Page", parent: "Note")
    let before = model([note("a")] + page)
    page[0].attributes.append(.init("a", .string))
    #expect(
      try migrated(records, before, model([note("b")] + page, [["Note", "b"]: "a"])) == expected)
  }

  @Test("links of a relationship that another one replaces under its name go with it")
  func replacedRelationship() throws {
    func model(_ names: [String], _ originalNames: [[String]: String] = [:]) -> MirroredModel {
      self.model(
        [
          Entity(
            "Note",
            relationships: names.map {
              .init($0, to: "Tag", isToMany: true, inverse: "of" + $0)
            }),
          Entity(
            "Tag",
            relationships: names.map {
              .init("of" + $0, to: "Note", isToMany: true, inverse: $0)
            }),
        ], originalNames)
    }
    let new = model(
      ["tags", "labels"], [["Note", "labels"]: "tags", ["Tag", "oflabels"]: "oftags"])
    let draft = draft(model(["tags"]), new)
    #expect(draft.questions == 0)
    #expect(draft.yaml.contains("\"tags:oftags\": \"labels:oflabels\""), "\(draft.yaml)")
  }

  @Test("two entities with one former name are a question, and the second gets no objects of it")
  func rivals() throws {
    let old = model(entities("Note"))
    func named(_ name: String, parent: String? = nil) -> MirroredModel.Entity {
      Entity(name, parent: parent, attributes: [.init("n", .string)])
    }
    let roots = draft(
      old, model([named("Memo"), named("Page")], [["Memo"]: "Note", ["Page"]: "Note"]))
    #expect(roots.asked.map(\.kind) == [.renamedType])
    #expect(roots.asked.map(\.candidate) == ["Memo"])
    #expect(roots.yaml.contains("'Memo' and 'Page' were 'Note'"), "\(roots.yaml)")
    #expect(!roots.yaml.contains("\"Note\": \"Page\""), "\(roots.yaml)")
    let parts = draft(
      model(entities("Item") + [named("Note", parent: "Item")]),
      model(
        entities("Item") + [named("Memo", parent: "Item"), named("Page", parent: "Item")],
        [["Memo"]: "Note", ["Page"]: "Note"]))
    #expect(parts.asked.map(\.kind) == [.renamedType], "\(parts.yaml)")
  }

  @Test("two attributes with one former name are a question")
  func rivalAttributes() throws {
    let old = model([Entity("Note", attributes: [.init("a", .string)])])
    let new = model(
      [Entity("Note", attributes: [.init("b", .string), .init("c", .string)])],
      [["Note", "b"]: "a", ["Note", "c"]: "a"])
    let draft = draft(old, new)
    #expect(draft.asked.map(\.kind) == [.renamedField, .newField], "\(draft.yaml)")
    #expect(draft.asked[0].candidate == "CD_b")
    #expect(draft.asked[0].text.contains("the model says the same of 'CD_c'"))
  }

  @Test("a former name that the former version also gives is that of the same element")
  func sameFormerName() {
    let names = [
      ["Note"]: "Page", ["Page"]: "Note", ["Note", "n"]: "m", ["Note", "m"]: "n",
      ["Page", "p"]: "q",
    ]
    var current = entities("Note", "Page")
    current[0].attributes.append(.init("m", .string))
    #expect(draft(model(current, names), model(current, names)).yaml.contains("[]"))
    // The next name has the same former name.
    var next = current
    next[1].name = "Leaf"
    next[1].attributes[0].name = "l"
    let later = model(next, [["Leaf"]: "Note", ["Leaf", "l"]: "q"])
    let draft = draft(model(current, names), later)
    #expect(draft.questions == 0)
    #expect(draft.yaml.contains("type: CD_Page\n    to: CD_Leaf"), "\(draft.yaml)")
    #expect(draft.yaml.contains("field: CD_p\n    to: CD_l"), "\(draft.yaml)")
  }

  @Test("a guess for a field whose name another one gets comes before the rename of that one")
  func guessInChain() throws {
    let old = model([Entity("Note", attributes: [.init("a", .string), .init("text", .string)])])
    let new = model(
      [Entity("Note", attributes: [.init("text", .string), .init("textOld", .string)])],
      [["Note", "text"]: "a"])
    #expect(
      try migrated([("CD_Note", ["CD_a": "1", "CD_text": "2"])], old, new) == [
        [
          "CD_Note", "CD_text=\(RecordValue.string("1"))",
          "CD_textOld=\(RecordValue.string("2"))",
        ]
      ])
  }

  @Test("a step for several types comes after the step of one type that frees the new name")
  func sharedSteps() throws {
    func entities(_ first: String, _ second: String...) -> [MirroredModel.Entity] {
      [
        Entity("Ant", attributes: [.init(first, .string)]),
        Entity("Bear", attributes: second.map { .init($0, .string) }),
      ]
    }
    let (old, new) = (
      model(entities("a", "a", "b")),
      model(
        entities("b", "b", "c"),
        [["Ant", "b"]: "a", ["Bear", "b"]: "a", ["Bear", "c"]: "b"])
    )
    let records = [("CD_Ant", ["CD_a": "1"]), ("CD_Bear", ["CD_a": "1", "CD_b": "2"])]
    let (one, two) = (RecordValue.string("1"), RecordValue.string("2"))
    #expect(
      try migrated(records, old, new)
        == [["CD_Ant", "CD_b=\(one)"], ["CD_Bear", "CD_b=\(one)", "CD_c=\(two)"]])
    #expect(draft(old, new).questions == 0)
  }

  @Test("two relationships that get the same name have a way back")
  func linksOfOneName() throws {
    func entities(_ note: String, _ page: String) -> [MirroredModel.Entity] {
      [("Note", note), ("Page", page)].flatMap { name, relationship in
        [
          Entity(
            name,
            relationships: [
              .init(relationship, to: name + "Tag", isToMany: true, inverse: "items")
            ]),
          Entity(
            name + "Tag",
            relationships: [.init("items", to: name, isToMany: true, inverse: relationship)]),
        ]
      }
    }
    let (old, new) = (
      model(entities("tags", "words")),
      model(entities("all", "all"), [["Note", "all"]: "tags", ["Page", "all"]: "words"])
    )
    let plan = try Planning.resolved(draft(old, new).yaml, old.fullSchema, new.fullSchema)
    #expect(throws: Never.self) { try plan.migration.reversed() }
  }
}
