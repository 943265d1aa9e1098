import RecordModel

/// A census checked against a schema: the problems that the production server would report, by
/// rule.
struct RecordCheck {
  let subscriptions: [SubscriptionRequirements]
  /// The schema that subscriptions are checked against.
  let production: RecordTypeTable
  private let types: RecordTypeTable
  private var groups: [SchemaRule.ID: [(problem: RecordProblem, tally: RecordCensus.Tally)]] = [:]

  init(
    _ census: RecordCensus, under schema: CloudSchema, production: CloudSchema,
    environment: ContainerInfo.Environment
  ) {
    subscriptions = census.subscriptions.map {
      SubscriptionRequirements(database: $0.database, subscription: $0.subscription)
    }
    self.production = RecordTypeTable(production)
    types = RecordTypeTable(schema)
    let validator = RecordValidator(schema)
    var tallies: [RecordProblem: RecordCensus.Tally] = [:]
    for (key, type) in census.types {
      guard validator.hasType(key.recordType) else {
        tallies[RecordValidator.unknownType(key.recordType), default: .init()]
          .add(type.records, keeping: census.maxExamples)
        continue
      }
      for (field, tally) in type.fields {
        let problem = validator.problem(
          inField: field.name, of: key.recordType, kind: field.kind, database: key.database)
        guard let problem else { continue }
        // The field comes into being with the first element; until then no one knows its type.
        if environment == .development, field.kind.isEmptyList,
          problem.rule == SchemaRule.recordFieldUnknown.id
        {
          continue
        }
        tallies[problem, default: .init()].add(tally, keeping: census.maxExamples)
      }
    }
    for (key, tally) in census.violations {
      tallies[key.violation.problem(of: key.recordType), default: .init()]
        .add(tally, keeping: census.maxExamples)
    }
    // Sorted for a stable order, because only the first of very many are listed.
    for (found, tally) in tallies.sorted(by: { Self.precedes($0.key, $1.key) }) {
      var problem = found
      // The known messages are those of production.
      if environment == .development { problem.serverMessage = nil }
      groups[problem.rule, default: []].append((problem, tally))
    }
  }

  private static func precedes(_ lhs: RecordProblem, _ rhs: RecordProblem) -> Bool {
    func names(_ problem: RecordProblem) -> [ExactString] {
      [problem.recordType, problem.field ?? "", problem.message].map { ExactString($0) }
    }
    return names(lhs).lexicographicallyPrecedes(names(rhs))
  }

  /// Reports the violations of the sink's rule, which is one of the category DATA.
  func report(hint: String, to sink: inout FindingSink) {
    for (problem, tally) in sink.rule.flatMap({ groups[$0.id] }) ?? [] {
      let subject = SchemaSubject(recordType: problem.recordType, field: problem.field)
      let field = problem.field.flatMap { types.field(named: $0, of: problem.recordType) }
      sink.report(
        subject, SchemaRule.Note(problem.description, hint: hint), at: field?.typeSpan,
        records: tally.sample)
    }
  }
}
