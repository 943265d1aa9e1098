import Foundation
import RecordModel
import Testing

@testable import RecordSchema

@Suite("Records held against a schema")
struct RecordValidatorTests {
  static let note = ZoneID(zoneName: "Notes")

  /// A value of each type that records can hold.
  static let values: [(ValueKind, RecordValue)] = {
    let reference = Reference(recordID: RecordID(recordName: "r"), action: .none)
    let asset = Asset(sha256: "00", size: 1)
    let place = Location(latitude: 1, longitude: 2)
    let plain: [RecordValue] = [
      .string("a"), .int64(1), .double(1.5), .timestamp(Date(timeIntervalSinceReferenceDate: 1)),
      .bytes(Data([1])), .location(place), .reference(reference), .asset(asset),
      .stringList(["a"]), .int64List([1]), .doubleList([1.5]),
      .timestampList([Date(timeIntervalSinceReferenceDate: 1)]), .bytesList([Data([1])]),
      .locationList([place]), .referenceList([reference]), .assetList([asset]), .emptyList,
      .unknown(type: "PACKAGE", json: RawJSON.null),
    ]
    return plain.flatMap { value in
      [false, true].map { (ValueKind(typeName: value.typeName, isEncrypted: $0), value) }
    }
  }()

  static let fieldTypes: [CloudSchema.FieldType] = CloudSchema.Primitive.allCases.flatMap {
    primitive in
    [false, true].flatMap { isList in
      [false, true].map { CloudSchema.FieldType(primitive, isList: isList, isEncrypted: $0) }
    }
  }

  /// What the rules say, written down a second time and in another way.
  static func expected(
    _ kind: ValueKind, _ type: CloudSchema.FieldType?, _ database: DatabaseScope
  ) -> SchemaRule.ID? {
    let isFile = kind.typeName.hasPrefix("ASSET") || kind.typeName.hasPrefix("REFERENCE")
    if kind.isEncrypted, isFile { return "RECORD_ENCRYPTED_UNSUPPORTED" }
    if kind.isEncrypted, database == .public { return "RECORD_ENCRYPTED_PUBLIC" }
    guard let type else { return "RECORD_FIELD_UNKNOWN" }
    if kind.typeName == "PACKAGE" { return "RECORD_VALUE_TYPE" }
    let isList = kind.typeName.hasSuffix("_LIST")
    if isList != type.isList { return "RECORD_LIST_MISMATCH" }
    if kind.typeName == "UNKNOWN_LIST" {
      return kind.isEncrypted && !type.isEncrypted && type.primitive.canBeEncrypted
        ? "RECORD_VALUE_ENCRYPTED" : nil
    }
    let name = kind.typeName.replacing("_LIST", with: "")
    let isNumber = type.primitive == .number && (name == "INT64" || name == "DOUBLE")
    if name != type.primitive.rawValue, !isNumber { return "RECORD_VALUE_TYPE" }
    if kind.isEncrypted == type.isEncrypted { return nil }
    return kind.isEncrypted ? "RECORD_VALUE_ENCRYPTED" : "RECORD_VALUE_PLAIN"
  }

  @Test("every kind of value against every type of field, in each database")
  func matrix() throws {
    for type in Self.fieldTypes.map(Optional.some) + [nil] {
      let fields = type.map { [CloudSchema.Field("f", $0)] } ?? []
      let schema = CloudSchema(recordTypes: [CloudSchema.RecordType("T", fields: fields)])
      let validator = RecordValidator(schema)
      for (kind, value) in Self.values {
        for database in DatabaseScope.allCases {
          let record = Self.record(
            "a", "T", [Field(name: "f", value: value, isEncrypted: kind.isEncrypted)])
          let problems = validator.problems(in: record, database: database)
          let expected = Self.expected(kind, type, database)
          #expect(
            problems.map(\.rule) == [expected].compactMap { $0 },
            "\(kind) in \(type?.description ?? "no field")")
          var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: "a"))
          draft.setField("f", to: value, isEncrypted: kind.isEncrypted)
          #expect(validator.problems(in: draft, database: database) == problems)
          let single = validator.problem(inField: "f", of: "T", kind: kind, database: database)
          #expect([single].compactMap { $0 } == problems)
        }
      }
    }
  }

  @Test("messages are the server's where they are known")
  func wording() {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType(
        "Todo",
        fields: [
          CloudSchema.Field("owner", .reference), CloudSchema.Field("text", .encrypted(.string)),
          CloudSchema.Field("title", .string),
        ])
    ])
    let validator = RecordValidator(schema)
    func message(_ field: String, _ kind: ValueKind, type: String = "Todo") -> String? {
      validator.problem(inField: field, of: type, kind: kind, database: .private)?.serverMessage
    }
    #expect(
      message("f", ValueKind(.string), type: "Tag")
        == "Cannot create new type Tag in production schema")
    #expect(
      message("order", ValueKind(.int64))
        == "Cannot create or modify field 'order' in record 'Todo' in production schema")
    #expect(
      message("owner", ValueKind(.string))
        == "invalid attempt to set value type STRING for field 'owner' for type 'Todo', defined to be: REFERENCE"
    )
    #expect(
      message("text", ValueKind(.bytes, isEncrypted: true))
        == "invalid attempt to set value type ENCRYPTED_BYTES for field 'text' for type 'Todo', defined to be: ENCRYPTED_STRING"
    )
    #expect(
      message("title", ValueKind(.string, isEncrypted: true))
        == "Attempt to save encrypted data in non encrypted field type")
    #expect(message("title", ValueKind(.emptyList)) == nil)
    #expect(
      validator.problem(
        inField: "title", of: "Todo", kind: ValueKind(.emptyList), database: .private) != nil)
  }

  @Test("Users and the system fields are there, written or not")
  func builtIn() {
    let validator = RecordValidator(CloudSchema())
    let user = Self.record("_u", "Users", [Field(name: "roles", value: .int64List([1]))])
    #expect(validator.problems(in: user, database: .public).isEmpty)
    #expect(
      validator.problem(
        inField: "___modTime", of: "Users", kind: ValueKind(.timestamp), database: .private) == nil)
    #expect(
      validator.problems(in: Self.record("a", "T", []), database: .private).map(\.rule) == [
        "RECORD_TYPE_UNKNOWN"
      ])
  }

  @Test("a problem never shows a value")
  func noValues() {
    let validator = RecordValidator(
      CloudSchema(recordTypes: [
        CloudSchema.RecordType("T", fields: [CloudSchema.Field("f", .int64)])
      ]))
    let record = Self.record(
      "a", "T", [Field(name: "f", value: .string("hunter2"), isEncrypted: true)])
    let text = validator.problems(in: record, database: .private).map(\.description).joined()
    #expect(!text.isEmpty && !text.contains("hunter2"))
  }

  @Test("in a drift check subscriptions are held against production, not against the app's schema")
  func driftOfSubscriptions() throws {
    let production = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (f INT64, GRANT READ TO \"_world\");",
      name: "production")
    let app = SchemaDocument(
      parsing: "DEFINE SCHEMA RECORD TYPE T (f INT64 QUERYABLE, GRANT READ TO \"_world\");",
      name: "app")
    var census = RecordCensus(source: "records")
    let query = RecordQuery(recordType: "T", filters: [QueryFilter("f", .equals, .int64(1))])
    census.add(
      CloudSubscription(
        subscriptionID: "s", kind: .query(query, zoneID: nil, firesOn: [.create], firesOnce: false)),
      in: .private)
    let rule: SchemaRule.ID = "SUBSCRIPTION_FIELD_NOT_QUERYABLE"
    let checker = SchemaChecker()
    let drift = try checker.compare(from: production, to: app, kind: .drift, records: census)
    #expect(drift.findings.contains { $0.rule == rule })
    let deploy = try checker.compare(from: production, to: app, kind: .deploy, records: census)
    #expect(!deploy.findings.contains { $0.rule == rule })
    #expect(try checker.validate(census, against: app).findings.isEmpty)
    #expect(try checker.validate(census, against: production).findings.map(\.rule) == [rule])
  }

  @Test("a permission for a rule about records is unused only where there are records")
  func unusedPermission() throws {
    let text =
      "// recordpack:allow RECORD_FIELD_UNKNOWN(T.*) known\nDEFINE SCHEMA RECORD TYPE T (f INT64, GRANT READ TO \"_world\");"
    let document = SchemaDocument(parsing: text)
    let checker = SchemaChecker()
    #expect(try checker.compare(from: document, to: document).findings.isEmpty)
    let empty = try checker.compare(
      from: document, to: document, records: RecordCensus(source: "r"))
    #expect(empty.findings.map(\.rule) == ["SUPPRESSION_UNUSED"])
    var census = RecordCensus(source: "r")
    try census.add(Self.record("a", "T", [Field(name: "g", value: .int64(1))]), in: .private)
    let report = try checker.validate(census, against: document)
    #expect(report.findings.isEmpty && report.suppressed.count == 1)
  }

  static func record(_ name: String, _ type: String, _ fields: [Field], zone: ZoneID = note)
    -> ResultRecord
  {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type),
      fields: fields)
  }
}
