import RecordModel
import RecordSchema
import RecordStore
import Testing

@testable import RecordArchive

/// The signed-in user and the schema version of a container, and those of what is imported.
@Suite struct ImportInfoTests {
  private static let notes = ZoneID(zoneName: "Notes")

  private func container(
    user: String? = nil, version: String? = nil, _ name: String? = nil,
    in scope: DatabaseScope = .private
  ) throws -> ContainerStore {
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(schemaVersion: version, currentUserRecordName: user))
    guard let name else { return container }
    let zoneID = scope == .public ? ZoneID.default : Self.notes
    if scope != .public { try container.database(scope).save([RecordZone(zoneID: zoneID)]) }
    _ = try container.database(scope).save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: name, zoneID: zoneID))
    ])
    return container
  }

  private func load(
    _ source: ContainerStore, into target: ContainerStore, databases: Set<DatabaseScope>? = nil,
    _ policy: Archiver.ConflictPolicy = .fail
  ) throws {
    var archiver = Archiver()
    archiver.conflictPolicy = policy
    archiver.filter = RecordFilter(databases: databases)
    _ = try archiver.run(from: [.container(source)], into: .container(target))
  }

  @Test func `private records of two users are an error`() throws {
    let target = try container(user: "_mira", "a")
    let error = #expect(throws: ArchiveError.self) {
      try load(container(user: "_kenji", "b"), into: target)
    }
    #expect("\(try #require(error))".contains("'_kenji'"))
    var names: [String] = []
    try ArchiveSource.container(target).forEachRecordID { id, _, _ in names.append(id.recordName) }
    #expect(names == ["a"])
  }

  @Test func `public records of another user, and those of nobody, are imported`() throws {
    let target = try container(user: "_mira", "a")
    try load(container(user: "_kenji", "b", in: .public), into: target)
    try load(container(user: "_kenji", "c"), into: target, databases: [.public])
    try load(container("d"), into: target)
    try load(container(user: "_mira", "e"), into: target)
    let records = try ArchiveSource.container(target).recordTypes(.all, withDeleted: false)
    #expect(Array(records.names) == ["Note"])
    var names: [String] = []
    try ArchiveSource.container(target).forEachRecordID { id, _, _ in names.append(id.recordName) }
    #expect(names.sorted() == ["a", "b", "d", "e"])
  }

  @Test(
    arguments: [
      // The version of a container, whether it has records, and the version of the source.
      (nil, false, "2", "2"), (nil, true, "2", nil), ("1", true, "1", "1"), ("1", true, nil, "1"),
      ("1", false, "2", "1"), (nil, true, nil, nil),
    ] as [(String?, Bool, String?, String?)])
  func `a container gets a version only with its first records`(
    own: String?, hasRecords: Bool, version: String?, expected: String?
  ) throws {
    let target = try container(version: own, hasRecords ? "a" : nil)
    try load(container(version: version, "b"), into: target)
    #expect(try target.info().schemaVersion == expected)
  }

  @Test func `records of two versions are an error`() throws {
    let target = try container(version: "1", "a")
    let error = #expect(throws: ArchiveError.self) {
      try load(container(version: "2", "b"), into: target)
    }
    let text = "\(try #require(error))"
    #expect(text.contains("if '1' is the newer version, migrate the source with --plan"))
    #expect(text.contains("if '2' is, migrate the container first: 'recordpack migrate CONTAINER"))
  }

  // MARK: Users and schemas that both have

  private func container(
    of user: ContainerAccount, schema: String? = nil
  ) throws -> ContainerStore {
    var info = ContainerInfo(schema: schema)
    info.accounts = [user]
    return try ContainerStore.inMemory(info: info)
  }

  private func user(
    _ email: String?, _ subscriptions: [(id: String, type: String?)] = []
  ) -> ContainerAccount {
    ContainerAccount(
      userRecordName: "_ken", lookupInfo: email.map { .init(emailAddress: $0) },
      subscriptions: subscriptions.map {
        .init(
          CloudSubscription(subscriptionID: $0.id, kind: .database(recordType: $0.type)),
          to: .private)
      })
  }

  private static func schema(_ lines: String...) -> String {
    "DEFINE SCHEMA\n" + lines.map { "RECORD TYPE Note (\($0));\n" }.joined()
  }

  @Test(arguments: Archiver.ConflictPolicy.allCases)
  func `what only the source has is added under every policy`(
    _ policy: Archiver.ConflictPolicy
  ) throws {
    let target = try container(of: user(nil, [("b", nil)]), schema: Self.schema("title STRING"))
    let source = try container(
      of: user("ken@mail", [("a", nil), ("b", nil)]),
      schema: Self.schema("title STRING, done INT64") + "RECORD TYPE List (name STRING);")
    try load(source, into: target, policy)
    let info = try target.info()
    #expect(info.accounts == [user("ken@mail", [("a", nil), ("b", nil)])])
    let schema = try SchemaDocument(parsing: info.schema ?? "").validSchema()
    #expect(schema.recordTypes.map(\.name) == ["List", "Note"])
    #expect(schema.recordType(named: "Note")?.userFields.map(\.name) == ["done", "title"])
    // Nothing is left to add: the text stays.
    try load(source, into: target, policy)
    #expect(try target.info() == info)
  }

  @Test(
    arguments: [
      ("another name or address", nil, ("x@mail", "y@mail"), (nil, nil)),
      ("other content", nil, (nil, nil), ("A", "B")),
      ("they differ in Note.title", ("title STRING", "title INT64"), (nil, nil), (nil, nil)),
      (
        "they differ in Note.title", ("title STRING", "title STRING QUERYABLE"), (nil, nil),
        (nil, nil)
      ),
      ("cannot be read", ("title STRING", "title"), (nil, nil), (nil, nil)),
    ] as [(String, (String, String)?, (String?, String?), (String?, String?))])
  func `what differs is a conflict`(
    message: String, fields: (String, String)?, emails: (String?, String?),
    types: (String?, String?)
  ) throws {
    func make(
      _ fields: String?, _ email: String?, _ type: String?
    ) throws -> ContainerStore {
      try container(of: user(email, [("a", type)]), schema: fields.map { Self.schema($0) })
    }
    for policy in Archiver.ConflictPolicy.allCases {
      let target = try make(fields?.0, emails.0, types.0)
      let source = try make(fields?.1, emails.1, types.1)
      let before = try target.info()
      if policy == .fail {
        let error = #expect(throws: ArchiveError.self) { try load(source, into: target, policy) }
        #expect("\(try #require(error))".contains(message))
        #expect("\(try #require(error))".contains("--on-conflict"))
      } else {
        try load(source, into: target, policy)
      }
      let after = try target.info()
      #expect(try (after == before) == (policy != .replace))
      #expect(
        try (after.accounts == source.info().accounts) == (policy == .replace || fields != nil))
    }
  }
}
