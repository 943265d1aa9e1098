import RecordPack
import Testing

/// The code of the article about schemas and environments, run.
struct ServerSchemaSnippetTests {
  private let schema = "DEFINE SCHEMA RECORD TYPE Todo (title STRING, GRANT READ TO \"_world\");"

  @Test("what production refuses is saved after a deployment")
  func deployment() async throws {
    var todo = DraftRecord(recordType: "Todo")
    todo["order"] = 1
    let production = try MockContainer.inMemory(
      info: ContainerInfo(environment: .production, schema: schema))
    do {
      try await production.privateCloudDatabase.save(todo)
    } catch let error as CloudError where error.code == .invalidArguments {
      print(error.message)
    }
    #expect(try await production.privateCloudDatabase.records(ofType: "Todo").isEmpty)
    let development = try MockContainer.inMemory(
      info: ContainerInfo(environment: .development, schema: schema))
    try await development.privateCloudDatabase.save(todo)
    try await production.deploySchema(from: development)
    try await production.privateCloudDatabase.save(todo)
    #expect(try await production.privateCloudDatabase.records(ofType: "Todo").count == 1)
  }
}
