import Foundation
import RecordStore
import RecordBundle
import RecordModel
import RecordSchema
import StoreTestSupport
import Synchronization
import Testing

@testable import RecordArchive

@Suite("Records held against a schema on the way")
struct ArchiveValidationTests {
  static let fitting = """
    DEFINE SCHEMA
    RECORD TYPE Todo (title STRING, "order" INT64, GRANT READ TO "_world");
    """
  static let tight = """
    DEFINE SCHEMA
    RECORD TYPE Todo (title STRING, GRANT READ TO "_world");
    """

  static func document(_ text: String) -> SchemaDocument {
    SchemaDocument(parsing: text, name: "schema.ckdb")
  }

  /// A container with many records of two types, some of them without a field.
  static func container(
    at path: String, schema: String? = nil, count: Int = 3000
  ) throws -> ContainerStore {
    let container = try ContainerStore.open(
      path: path, mode: .create,
      info: ContainerInfo(identifier: "iCloud.com.example.todo", schema: schema))
    let drafts = (0..<count).map { number in
      let name = "todo-" + String(number + 10_000)
      var draft = DraftRecord(recordType: "Todo", recordID: RecordID(recordName: name))
      draft["title"] = String(repeating: "buy milk ", count: 20)
      if number % 3 == 0 { draft["order"] = number }
      return draft
    }
    try container.database(.private).save(drafts)
    let subscription = CloudSubscription(
      subscriptionID: "first",
      kind: .query(
        RecordQuery(recordType: "Todo", filters: [QueryFilter("title", .equals, .string("a"))]),
        zoneID: nil, firesOn: [.create], firesOnce: false))
    try container.database(.private).save([subscription])
    return container
  }

  static func archiver(_ validation: Archiver.Validation) -> ValidatingArchiver {
    var archiver = Archiver()
    archiver.bundleOptions.frameSize = 64 << 10
    return ValidatingArchiver(archiver: archiver, validation: validation)
  }

  @Test("a bundle and its container give the same census, at any number of threads")
  func sameCensus() throws {
    try withFolder { folder in
      let container = try Self.container(at: folder + "/a.sqlite")
      var plain = Archiver()
      plain.bundleOptions.frameSize = 64 << 10
      try plain.export(container, to: folder + "/a.recordpack")
      let bundle = ArchiveSource.bundle(try BundleReader(path: folder + "/a.recordpack"))
      let checker = SchemaChecker()
      var reports: Set<String> = []
      for threads in [1, 2, 5] {
        for source in [bundle, .container(container)] {
          let census = try source.census(named: "todo", threads: threads)
          #expect(census.recordCount == 3000 && census.subscriptions.count == 1)
          reports.insert(
            try checker.validate(census, against: Self.document(Self.tight)).text(as: .json))
        }
      }
      #expect(reports.count == 1)
      #expect(reports.first?.contains("\"count\": 1000") == true)
      #expect(reports.first?.contains("todo-10003") == true)
    }
  }

  @Test("a filter chooses what is counted")
  func filtered() throws {
    try withFolder { folder in
      let container = try Self.container(at: folder + "/a.sqlite", count: 10)
      let nothing = RecordFilter(recordTypes: ["Other"])
      #expect(try ArchiveSource.container(container).census(named: "x", nothing).recordCount == 0)
      try Archiver().export(container, to: folder + "/a.recordpack")
      let bundle = ArchiveSource.bundle(try BundleReader(path: folder + "/a.recordpack"))
      #expect(try bundle.census(named: "x", nothing).recordCount == 0)
      let future = RecordFilter(modifiedSince: Date(timeIntervalSinceNow: 1_000_000))
      #expect(try bundle.census(named: "x", future).recordCount == 0)
      #expect(try bundle.census(named: "x").recordCount == 10)
    }
  }

  @Test("an export that does not fit writes nothing, and one that fits writes the same bytes")
  func export() throws {
    try withFolder { folder in
      let container = try Self.container(at: folder + "/a.sqlite", count: 50)
      let path = folder + "/a.recordpack"
      let refusing = Self.archiver(.init(schema: Self.document(Self.tight)))
      #expect(throws: ArchiveError.self) { try refusing.export(container, to: path) }
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(throws: ArchiveError.self) {
        try Self.archiver(.init()).export(container, to: path)
      }
      var passing = refusing
      passing.validation.failOn = .off
      let reports = Mutex<[SchemaReport]>([])
      passing.validation.report = { report in reports.withLock { $0.append(report) } }
      try passing.export(container, to: path)
      #expect(reports.withLock { $0.map { $0.findings.count } } == [2])
      try passing.archiver.export(container, to: folder + "/b.recordpack")
      #expect(try bytes(of: path) == bytes(of: folder + "/b.recordpack"))
    }
  }

  @Test("an import that does not fit leaves the container as it was")
  func importing() throws {
    try withFolder { folder in
      let source = try Self.container(at: folder + "/a.sqlite", schema: Self.tight)
      let path = folder + "/a.recordpack"
      try Archiver().export(source, to: path)
      let bundle = try BundleReader(path: path)
      // The schema in the bundle is the default.
      var archiver = Self.archiver(.init())
      archiver.archiver.conflictPolicy = .replace
      #expect(throws: ArchiveError.self) {
        try archiver.importBundle(bundle, creating: folder + "/new.sqlite")
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/new.sqlite"))
      let target = try Self.container(at: folder + "/b.sqlite", schema: Self.fitting, count: 7)
      try target.close()
      try FileManager.default.copyItem(
        atPath: folder + "/b.sqlite", toPath: folder + "/copy.sqlite")
      let again = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(throws: ArchiveError.self) {
        try archiver.importBundle(bundle, into: again)
      }
      try again.close()
      let comparison = ArchiveComparison(
        try .open([folder + "/copy.sqlite"]), try .open([folder + "/b.sqlite"]))
      let difference = try comparison.run { _ in }
      #expect(difference.isEmpty && difference.unchanged == 7)
      // A subscription to a field without an index is no reason for those who ask for no such rule.
      var configuration = SchemaConfiguration()
      configuration.severities["SUBSCRIPTION_FIELD_NOT_QUERYABLE"] = .off
      let fitting = Self.archiver(
        .init(schema: Self.document(Self.fitting), configuration: configuration))
      let report = try fitting.importBundle(bundle, creating: folder + "/c.sqlite")
      #expect(report.added == 3000)
    }
  }

  @Test("in development the schema of the container grows with what comes")
  func development() throws {
    try withFolder { folder in
      let source = try Self.container(at: folder + "/a.sqlite", schema: Self.tight, count: 20)
      let path = folder + "/a.recordpack"
      let archiver = Self.archiver(.init(environment: .development, failOn: .off))
      try archiver.export(source, to: path)
      let bundle = try BundleReader(path: path)
      let exported = Self.document(try #require(bundle.container.schema))
      let order = exported.schema.recordType(named: "Todo")?.field(named: "order")
      #expect(order == CloudSchema.Field("order", .int64, [.queryable, .sortable]))
      try Archiver().export(source, to: folder + "/tight.recordpack")
      let tight = try BundleReader(path: folder + "/tight.recordpack")
      #expect(tight.container.schema == Self.tight)
      try archiver.importBundle(tight, creating: folder + "/b.sqlite")
      let info = try ContainerStore.open(path: folder + "/b.sqlite", mode: .readOnly).info()
      #expect(info.schema == bundle.container.schema)
    }
  }

  @Test(
    "in development, what the server would not add is an error",
    arguments: [
      ("T", "my field", "NAME_ILLEGAL"), ("T", "_foo", "NAME_ILLEGAL"), ("_T", "a", "NAME_ILLEGAL"),
      ("T", "recordID", "FIELD_NAME_RESERVED"),
    ])
  func development(_ type: String, _ field: String, _ rule: String) throws {
    var census = RecordCensus(source: "records")
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: type),
      fields: [Field(name: field, value: .string("x"))])
    try census.add(record, in: .private)
    let validation = Archiver.Validation(environment: .development)
    let report = try validation.validate(census, embedded: Self.document(Self.fitting))
    #expect(report.findings.map(\.rule.rawValue) == [rule])
  }

  @Test("responses of Web Services are held against the schema too")
  func webServices() throws {
    try withFolder { folder in
      let response = """
        {"records":[{"recordName":"a","recordType":"Todo","fields":{"title":{"value":1,"type":"INT64"}},
        "zoneID":{"zoneName":"_defaultZone","ownerRecordName":"_x"}}]}
        """
      let source = ResponseSource(name: "r.json") { Data(response.utf8) }
      let archiver = Self.archiver(.init(schema: Self.document(Self.fitting)))
      let error = #expect(throws: ArchiveError.self) {
        try archiver.importResponses([source], creating: folder + "/a.sqlite")
      }
      #expect(error?.description.contains("RECORD_VALUE_TYPE Todo.title") == true)
      #expect(!FileManager.default.fileExists(atPath: folder + "/a.sqlite"))
    }
  }

  @Test("a broken schema is an error, not a schema without types")
  func brokenSchema() throws {
    try withFolder { folder in
      let source = try Self.container(at: folder + "/a.sqlite", schema: "DEFINE", count: 1)
      for environment in ContainerInfo.Environment.allCases {
        let archiver = Self.archiver(.init(environment: environment))
        #expect(throws: SchemaError.self) {
          try archiver.export(source, to: folder + "/a.recordpack")
        }
      }
    }
  }
}
