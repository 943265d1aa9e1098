import CloudInterface
import MockCloud
import RecordModel
import RecordSchema
import Testing

/// Random saves, each answered by the server and by a plain model of the schema.
struct SchemaModelTests {
  @Test(
    "the schema is the model's, is valid, and fits all that is stored",
    arguments: ServerModelTests.seeds)
  func model(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let environment = random.chance(4) ? ContainerInfo.Environment.production : .development
    let text =
      environment == .production || random.chance(2)
      ? #"DEFINE SCHEMA RECORD TYPE Note (a STRING, b INT64, c LIST<STRING>, GRANT READ TO "_world");"#
      : nil
    let container = try MockContainer.inMemory(
      info: ContainerInfo(environment: environment, schema: text))
    let database = container.privateCloudDatabase
    try await database.modifyRecordZones(
      saving: RandomSchemaRequest.zones.map { RecordZone(zoneID: $0) }, deleting: [])
    var model = SchemaModel(
      types: text == nil ? [:] : ["Note": ["a": "STRING", "b": "INT64", "c": "LIST<STRING>"]],
      environment: environment)
    for number in 0..<20 {
      let place = "seed \(seed), request \(number)"
      let request = RandomSchemaRequest(&random)
      let before = try container.schemaText
      let expected = model.save(request.models, atomically: request.atomically)
      let answer = try await database.modifyRecords(
        saving: request.drafts, deleting: [], savePolicy: .changedKeys,
        atomically: request.atomically)
      #expect(answer.saveResults.count == request.drafts.count)
      for (recordID, result) in answer.saveResults {
        let error = result.cloudError
        #expect(error?.code == expected[recordID], "\(place): \(recordID): \(error?.message ?? "")")
      }
      try compare(container, model, place)
      if expected.count == request.drafts.count {
        #expect(try container.schemaText == before, "\(place): a trace is left")
      }
    }
    try checkStored(container, "seed \(seed)")
  }

  private func compare(
    _ container: MockContainer, _ model: SchemaModel, _ place: String
  ) throws {
    var found: [String: [String: String]] = [:]
    for type in try container.schema.recordTypes where type.name != "Users" {
      found[type.name] = Dictionary(
        uniqueKeysWithValues: type.userFields.map { ($0.name, "\($0.type)") })
    }
    let wanted = model.types
    #expect(found == wanted, "\(place)")
  }

  /// The schema has no errors, and no stored record a problem, by the rules for schemas.
  private func checkStored(_ container: MockContainer, _ place: String) throws {
    guard let text = try container.schemaText else { return }
    let document = SchemaDocument(parsing: text)
    let report = try SchemaChecker().validate(document)
    #expect(!report.fails(at: .error), "\(place): \(report.findings)")
    let validator = RecordValidator(document.schema)
    try container.store.snapshot { snapshot in
      try snapshot.forEachRecord(in: .private) { record in
        let problems = validator.problems(in: record, database: .private)
        #expect(problems.isEmpty, "\(place): \(record.recordID): \(problems)")
      }
    }
  }
}
