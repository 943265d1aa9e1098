import CloudInterface
import MockCloud
import RecordModel
import RecordSchema

/// A schema with a type "Note" that has a field of each kind that the tests need.
let noteSchema = """
  DEFINE SCHEMA
      RECORD TYPE Note (
          text      STRING QUERYABLE, // as written in the app
          count     INT64,
          price     DOUBLE,
          amount    NUMBER,
          tags      LIST<STRING>,
          prices    LIST<DOUBLE>,
          image     BYTES,
          file      ASSET,
          owner     REFERENCE,
          secret    ENCRYPTED STRING,
          GRANT WRITE TO "_creator",
          GRANT CREATE TO "_icloud",
          GRANT READ TO "_world"
      );

  """

/// A container in an environment, with a zone "Notes" in the private database.
func makeContainer(
  _ environment: ContainerInfo.Environment?, schema: String? = noteSchema, user: String? = nil,
  rules: ServerRules = .native
) async throws -> MockContainer {
  let container = try MockContainer.inMemory(
    info: ContainerInfo(
      environment: environment, schema: schema, currentUserRecordName: user), rules: rules,
    now: { testDate })
  try await container.privateCloudDatabase.save(RecordZone(zoneID: notes))
  return container
}

/// A note with one field.
func note(
  _ name: String = "n", in zoneID: ZoneID = notes, type: String = "Note", _ key: String,
  _ value: RecordValue, isEncrypted: Bool = false
) -> DraftRecord {
  var draft = DraftRecord(recordType: type, recordID: id(name, in: zoneID))
  draft.setField(key, to: value, isEncrypted: isEncrypted)
  return draft
}

extension MockContainer {
  /// The text of the schema.
  var schemaText: String? { get throws { try store.info().schema } }

  /// The schema, empty if there is none; every text that the server writes can be parsed.
  var schema: CloudSchema {
    get throws {
      guard let text = try schemaText else { return CloudSchema() }
      return try SchemaDocument(parsing: text).validSchema()
    }
  }

  func field(_ name: String, of recordType: String = "Note") throws -> CloudSchema.Field? {
    try schema.recordType(named: recordType)?.field(named: name)
  }

  /// The error with which a private database refuses to save a record; nil if it saves it.
  func refusal(of draft: DraftRecord) async -> CloudError? {
    await cloudError { try await self.privateCloudDatabase.save(draft) }
  }
}
