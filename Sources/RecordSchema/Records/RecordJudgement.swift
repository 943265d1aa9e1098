import RecordModel

/// A census held against a schema: what the production server would refuse, by rule.
struct RecordJudgement {
  struct Group {
    var problem: RecordProblem
    var tally: RecordCensus.Tally
    /// How many records of the type there are.
    var total: Int
  }

  let census: RecordCensus
  /// The schema that subscriptions are held against.
  let production: RecordTypeTable
  private let types: RecordTypeTable
  private(set) var groups: [SchemaRule.ID: [Group]] = [:]

  init(_ census: RecordCensus, under schema: Schema, production: Schema) {
    self.census = census
    self.production = RecordTypeTable(production)
    types = RecordTypeTable(schema)
    let validator = RecordValidator(schema)
    var tallies: [RecordProblem: RecordCensus.Tally] = [:]
    for (key, type) in census.types {
      guard validator.hasType(key.recordType) else {
        tallies[RecordValidator.unknownType(key.recordType), default: .init()]
          .add(type.records, keeping: census.mostExamples)
        continue
      }
      for (field, tally) in type.fields {
        let problem = validator.problem(
          inField: field.name, of: key.recordType, kind: field.kind, database: key.database)
        guard let problem else { continue }
        tallies[problem, default: .init()].add(tally, keeping: census.mostExamples)
      }
    }
    for (problem, tally) in tallies {
      let total = census.recordCount(ofType: problem.recordType)
      groups[problem.rule, default: []].append(
        Group(problem: problem, tally: tally, total: total))
    }
  }

  /// Reports what breaks a rule of the category DATA.
  func report(_ rule: SchemaRule.ID, hint: String, to sink: inout FindingSink) {
    for group in groups[rule] ?? [] {
      let problem = group.problem
      let subject = SchemaSubject(recordType: problem.recordType, field: problem.field)
      let field = problem.field.flatMap { types[problem.recordType]?.field(named: $0) }
      sink.report(
        subject, problem.description, hint: hint, at: field?.origin?.detail,
        records: group.tally.sample)
    }
  }
}

/// The record types of a schema by name; `Users` always, and the first of those with one name.
struct RecordTypeTable {
  private let types: [String: Schema.RecordType]

  init(_ schema: Schema) {
    let named = (schema.recordTypes + [.builtInUsers]).map { ($0.name, $0) }
    types = Dictionary(named, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> Schema.RecordType? { types[name] }
}
