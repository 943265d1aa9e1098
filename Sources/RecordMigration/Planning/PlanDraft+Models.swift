import RecordModel
import RecordSchema

// Models of Core Data and SwiftData: what their versions say of objects and links.
extension PlanDraft {
  /// Returns the record types that the model says it renames, by their former names.
  func toldTypes(
    _ from: [CloudSchema.RecordType], _ to: [CloudSchema.RecordType]
  ) -> [RenameGuess.Pair<CloudSchema.RecordType>] {
    (renames?.types ?? [:]).sorted { $0.key < $1.key }.compactMap { old, new in
      guard let from = from.first(where: { $0.name == old }),
        let to = to.first(where: { $0.name == new })
      else { return nil }
      return .init(from: from, to: to)
    }
  }

  /// Writes the step for the names of entities that objects have as a value.
  mutating func renameEntities(of type: String) {
    let names = renames?.entities(of: type) ?? []
    guard !names.isEmpty else { return }
    for (old, new, others) in names where !others.isEmpty {
      ask(
        .renamedType, [type], [], candidate: new,
        "The model says that '\(new)' and \(Phrase.list(others.map { "'\($0)'" })) were '\(old)'. Do "
          + "all its objects become objects of '\(new)'? If not, change each step for '\(new)'.")
    }
    map(CoreDataNames.entityNameField, of: type, names.map { ($0.from, $0.to) })
  }

  private mutating func map(
    _ field: String, of type: String, _ values: [(String, String)], where condition: String? = nil
  ) {
    var seen: Set<String> = []
    let pairs = values.filter { seen.insert($0.0).inserted && $0.0 != $0.1 }
      .map { "\(PlanText.string($0.0)): \(PlanText.string($0.1))" }
    guard !pairs.isEmpty else { return }
    step(
      "map-values",
      [("type", PlanText.quoted(type)), ("field", PlanText.quoted(field))]
        + (condition.map { [("where", PlanText.string($0))] } ?? [])
        + [("values", "{\(pairs.joined(separator: ", "))}"), ("otherwise", "keep")])
  }

  /// Writes the steps for the links of many-to-many relationships, which name entities and
  /// relationships.
  mutating func renameLinks() {
    let links = renames?.links.filter { !$0.isLost } ?? []
    var asked: Set<[String]> = []
    for link in links
    where link.isGuess && asked.insert(link.sides + link.relationships.to).inserted {
      let (old, new) = (link.relationships.from, link.relationships.to)
      ask(
        .renamedField, [CoreDataNames.linkType], [old[0]], candidate: new[0],
        "Is '\(link.entities.to[0]).\(new[0])' the new name of the many-to-many relationship "
          + "'\(old[0])'? It is the only new one to '\(link.entities.to[1])'.")
    }
    func values(_ names: (from: [String], to: [String])) -> [(String, String)] {
      Array(zip(Self.halves(names.from), Self.halves(names.to)))
    }
    renameRelationships(
      links.flatMap { zip(Self.halves($0.entities.from), values($0.relationships)) })
    map(
      CoreDataNames.linkEntitiesField, of: CoreDataNames.linkType,
      links.flatMap { values($0.entities) })
  }

  /// Writes the steps for the names of relationships in links, by the entities of their objects.
  /// Relationships of other entities may have the same names, and keep them or get others.
  private mutating func renameRelationships(_ links: [(String, (String, String))]) {
    let (field, type) = (CoreDataNames.linkRelationshipsField, CoreDataNames.linkType)
    let pairs = Set(links.map { [$0.1.0, $0.1.1] })
    // The way back needs the former name of each new one.
    guard (0...1).contains(where: { side in Set(pairs.map { $0[side] }).count < pairs.count })
    else {
      return map(field, of: type, links.map(\.1))
    }
    let entities = Dictionary(grouping: links, by: \.0).mapValues {
      Dictionary($0.map(\.1)) { first, _ in first }
    }
    let groups = Dictionary(grouping: entities.keys.sorted()) { entities[$0] ?? [:] }
    for (values, names) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      map(
        field, of: type, values.sorted { $0.key < $1.key },
        where: Self.condition(CoreDataNames.linkEntitiesField, isIn: names))
    }
  }

  /// Writes the question about objects whose entity the new version does not store in their record
  /// type.
  mutating func removeEntities(of type: String, now newType: String) {
    for (entity, place) in renames?.strays(of: type, now: newType) ?? [] {
      let advice =
        place.map {
          "Does 'merge-types' with this condition move them to '\($0)', where the model "
            + "stores them now, or are they left behind?"
        } ?? "Are they left behind?"
      ask(
        .removedType, [newType], [],
        "Records of '\(newType)' are objects of '\(entity)', which the model does not have there "
          + "any more. \(advice)", stepsAreComments: true)
      leaveBehind(newType, where: [(CoreDataNames.entityNameField, [entity])])
    }
  }

  /// Writes the question about links of many-to-many relationships that the new version does not
  /// have.
  mutating func removeLinks() {
    let links = Dictionary(grouping: renames?.links ?? [], by: { Set($0.relationships.from) })
    let groups = links.values.sorted {
      $0[0].relationships.from.lexicographicallyPrecedes($1[0].relationships.from)
    }
    for links in groups {
      let lost = links.filter(\.isLost)
      guard let link = lost.first else { continue }
      let isWhole = lost.count == links.count
      let sides = zip(isWhole ? link.sides : link.entities.from, link.relationships.from)
        .map { "'\($0).\($1)'" }
      ask(
        .removedField, [CoreDataNames.linkType], [],
        "The many-to-many relationship \(Phrase.list(sides)) was removed, and the library does not "
          + "read its links. Are they left behind, or do they become those of another relationship "
          + "(map-values)?", stepsAreComments: true)
      let names = (CoreDataNames.linkRelationshipsField, Self.halves(link.relationships.from))
      let entities = (
        CoreDataNames.linkEntitiesField, lost.flatMap { Self.halves($0.entities.from) }
      )
      leaveBehind(CoreDataNames.linkType, where: isWhole ? [names] : [names, entities])
    }
  }

  private mutating func leaveBehind(_ type: String, where values: [(field: String, [String])]) {
    let condition = values.map { Self.condition($0.field, isIn: $0.1) }.joined(separator: " and ")
    step(
      "leave-behind",
      [("type", PlanText.quoted(type)), ("where", PlanText.string(condition))], isComment: true)
  }

  private static func condition(_ field: String, isIn names: [String]) -> String {
    "contains([\(names.map(PlanText.string).joined(separator: ", "))], \(field))"
  }

  /// Returns the two values of a link, which has its sides in either order.
  private static func halves(_ names: [String]) -> [String] {
    [names, names.reversed()].map {
      $0.joined(separator: String(CoreDataNames.linkSeparator))
    }
  }
}
