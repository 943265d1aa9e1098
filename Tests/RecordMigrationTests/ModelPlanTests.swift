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

  @Test("the same model has nothing to do")
  func same() {
    let draft = draft(model(Self.old), model(Self.old))
    #expect(draft.yaml.contains("[]"))
  }
}
