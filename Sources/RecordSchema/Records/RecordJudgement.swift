import RecordModel

/// A census checked against a schema: the problems that the production server would report, by
/// rule.
struct RecordJudgement {
  struct Group {
    var problem: RecordProblem
    var tally: RecordCensus.Tally
    /// The number of records of the type.
    var total: Int
  }

  let census: RecordCensus
  /// The schema that subscriptions are checked against.
  let production: RecordTypeTable
  private let types: RecordTypeTable
  private(set) var groups: [SchemaRule.ID: [Group]] = [:]

  init(
    _ census: RecordCensus, under schema: Schema, production: Schema,
    environment: ContainerInfo.Environment
  ) {
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
        // The field comes into being with the first element; until then no one knows its type.
        if environment == .development, field.kind.isEmptyList,
          problem.rule == SchemaRule.recordFieldUnknown.id
        {
          continue
        }
        tallies[problem, default: .init()].add(tally, keeping: census.mostExamples)
      }
    }
    for (key, tally) in census.faults {
      tallies[key.fault.problem(of: key.recordType), default: .init()]
        .add(tally, keeping: census.mostExamples)
    }
    // Sorted for a stable order, because only the first of very many are listed.
    for (found, tally) in tallies.sorted(by: { Self.precedes($0.key, $1.key) }) {
      var problem = found
      // The known messages are those of production.
      if environment == .development { problem.serverMessage = nil }
      let total = census.recordCount(ofType: problem.recordType)
      groups[problem.rule, default: []].append(
        Group(problem: problem, tally: tally, total: total))
    }
  }

  private static func precedes(_ lhs: RecordProblem, _ rhs: RecordProblem) -> Bool {
    let (own, other) = (
      [lhs.recordType, lhs.field ?? "", lhs.message],
      [rhs.recordType, rhs.field ?? "", rhs.message]
    )
    for (left, right) in zip(own, other) {
      let order = compareUTF8(left, right)
      if order != 0 { return order < 0 }
    }
    return false
  }

  /// Reports the violations of a rule in the category DATA.
  func report(_ rule: SchemaRule.ID, hint: String, to sink: inout FindingSink) {
    for group in groups[rule] ?? [] {
      let problem = group.problem
      let subject = SchemaSubject(recordType: problem.recordType, field: problem.field)
      let field = problem.field.flatMap { types.field(named: $0, of: problem.recordType) }
      sink.report(
        subject, problem.description, hint: hint, at: field?.origin?.detail,
        records: group.tally.sample)
    }
  }
}

/// The record types and fields of a schema by name. Always contains `Users`; if a name occurs more
/// than once, the first counts.
struct RecordTypeTable {
  private let types: [NameKey: Schema.RecordType]
  private let fields: [NameKey: [NameKey: Schema.Field]]

  init(_ schema: Schema) {
    let named = (schema.recordTypes + [.builtInUsers]).map { (NameKey($0.name), $0) }
    types = Dictionary(named, uniquingKeysWith: { first, _ in first })
    fields = types.mapValues { type in
      Dictionary(
        type.fields.map { (NameKey($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  subscript(name: String) -> Schema.RecordType? { types[NameKey(name)] }

  func field(named name: String, of recordType: String) -> Schema.Field? {
    fields[NameKey(recordType)]?[NameKey(name)]
  }

  /// Returns the first field of a type that has an index.
  func field(with option: Schema.IndexOptions, of recordType: String) -> Schema.Field? {
    types[NameKey(recordType)]?.fields.first { $0.options.contains(option) }
  }
}
