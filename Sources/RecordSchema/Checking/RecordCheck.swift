import RecordModel

/// A census checked against a schema: the problems that the production server would report, by
/// rule.
struct RecordCheck {
  let subscriptions: [SubscriptionRequirements]
  /// The schema that subscriptions are checked against.
  let production: SchemaIndex
  private let index: SchemaIndex
  private var groups: [SchemaRule.ID: [(problem: RecordProblem, count: RecordCensus.Count)]] = [:]

  init(
    _ census: RecordCensus, under schema: CloudSchema, production: CloudSchema,
    model: MirroredModel? = nil, environment: ContainerInfo.Environment = .production
  ) {
    subscriptions = census.subscriptions.map {
      SubscriptionRequirements(database: $0.database, subscription: $0.subscription)
    }
    self.production = SchemaIndex(production)
    index = SchemaIndex(schema)
    let validator = RecordValidator(index)
    var counts: [RecordProblem: RecordCensus.Count] = [:]
    func add(_ problem: RecordProblem, _ count: RecordCensus.Count) {
      counts[problem, default: .init()].add(count, keeping: census.maxExamples)
    }
    for type in census.types {
      guard validator.hasType(type.recordType) else {
        add(RecordValidator.unknownType(type.recordType), type.records)
        continue
      }
      for field in type.fields {
        let problem = validator.problem(
          inField: field.name, of: type.recordType, kind: field.kind, database: type.key.database)
        guard let problem else { continue }
        // The field comes into being with the first element; until then no one knows its type.
        let isUndefined =
          environment == .development && field.kind.isEmptyList
          && problem.rule == SchemaRule.recordFieldUnknown.id
        if !isUndefined { add(problem, field.count) }
      }
    }
    for (key, count) in census.problems { add(key.problem, count) }
    if let model, model.kind != .sqliteData {
      for (kind, count) in census.mirrored {
        if let problem = Self.problem(of: kind, model) { add(problem, count) }
      }
    }
    // Sorted for a stable order, because only the first of very many are listed.
    for (found, count) in counts.sorted(by: { Self.precedes($0.key, $1.key) }) {
      var problem = found
      // The known messages are those of production.
      if environment == .development { problem.serverMessage = nil }
      groups[problem.rule, default: []].append((problem, count))
    }
  }

  /// The problem that the library does not read: an object of an entity that the model lacks, or a link of
  /// relationships that it lacks.
  private static func problem(
    of kind: RecordCensus.MirroredKind, _ model: MirroredModel
  ) -> RecordProblem? {
    let known = Set(model.entities.map(\.name))
    if kind.relationships.isEmpty {
      let entity = kind.entities.first ?? ""
      if known.contains(entity), model.recordType(of: entity) == kind.recordType { return nil }
      return RecordProblem(
        .recordTypeUnknown, kind.recordType, field: CoreDataNames.entityNameField,
        "the model stores no entity '\(entity)' in '\(kind.recordType)', so the library does not read "
          + "the objects")
    }
    let sides = zip(kind.entities, kind.relationships)
    guard let missing = sides.first(where: { !model.has($1, in: $0) }) else { return nil }
    return RecordProblem(
      .relationshipDangling, kind.recordType,
      "links name the relationship '\(missing.1)' of '\(missing.0)', which the model does not have")
  }

  private static func precedes(_ lhs: RecordProblem, _ rhs: RecordProblem) -> Bool {
    func names(_ problem: RecordProblem) -> [ExactString] {
      [problem.recordType, problem.field ?? "", problem.message].map { ExactString($0) }
    }
    return names(lhs).lexicographicallyPrecedes(names(rhs))
  }

  /// Reports the problems of the collector's rule, which is one of the category DATA.
  func report(hint: String, to findings: inout FindingCollector) {
    for (problem, count) in findings.rule.flatMap({ groups[$0.id] }) ?? [] {
      let field = problem.field.flatMap { index.field(named: $0, of: problem.recordType) }
      findings.report(
        SchemaSubject(recordType: problem.recordType, field: problem.field), problem.description,
        hint: hint, at: field?.typeSpan, records: count.sample)
    }
  }
}

extension MirroredModel {
  /// Whether an entity, or one that it inherits from, has a relationship.
  fileprivate func has(_ relationship: String, in entity: String) -> Bool {
    var name: String? = entity
    var seen: Set<String> = []
    while let current = name, seen.insert(current).inserted {
      guard let found = entities.first(where: { $0.name == current }) else { return false }
      if found.relationships.contains(where: { $0.name == relationship }) { return true }
      name = found.parent
    }
    return false
  }
}
