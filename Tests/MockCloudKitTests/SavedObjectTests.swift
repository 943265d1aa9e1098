#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud
import Testing

/// CloudKit updates the objects that it saves.
@Suite struct SavedObjectTests {
  /// The ways to save a record.
  enum Way: CaseIterable {
    case save, saveHandler, modify, modifyHandler, operation, engine

    /// Saves a record, and returns the object that CloudKit returns.
    func save(_ record: CKRecord, in fixture: Fixture) async throws -> CKRecord? {
      let database = fixture.database
      let id = record.recordID
      switch self {
      case .save: return try await database.save(record)
      case .saveHandler:
        return try await withCheckedThrowingContinuation { continuation in
          database.save(record) { record, error in
            continuation.resume(with: error.map { .failure($0) } ?? .success(record))
          }
        }
      case .modify:
        return try await database.modifyRecords(saving: [record], deleting: []).saveResults[id]?
          .get()
      case .modifyHandler:
        return try await withCheckedThrowingContinuation { continuation in
          database.modifyRecords(saving: [record], deleting: []) { result in
            continuation.resume(with: result.flatMap { $0.saveResults[id] ?? .success(record) })
          }
        }
      case .operation:
        let operation = CKModifyRecordsOperation(recordsToSave: [record])
        nonisolated(unsafe) var saved: Result<CKRecord, any Error>?
        operation.perRecordSaveBlock = { saved = $1 }
        operation.database = database
        await run(operation)
        return try saved?.get()
      case .engine: return try await Sender(record).send(to: database)
      }
    }
  }

  @Test(arguments: Way.allCases)
  func theSameObjectIsSavedAgain(way: Way) async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["title"] = "first"
    record.encryptedValues["secret"] = "first"
    let saved = try await way.save(record, in: fixture)
    #expect(saved === record)
    #expect(record.recordChangeTag != nil)
    #expect(record.creationDate != nil && record.modificationDate != nil)
    #expect(record.creatorUserRecordID == (try await fixture.container.userRecordID()))
    #expect(record.changedKeys().isEmpty && record.encryptedValues.changedKeys().isEmpty)
    let tag = record.recordChangeTag
    record["title"] = "second"
    record.encryptedValues["secret"] = nil as String?
    #expect(try await way.save(record, in: fixture) === record)
    #expect(record.recordChangeTag != tag)
    let stored = try await fixture.database.record(for: record.recordID)
    #expect(stored.recordChangeTag == record.recordChangeTag)
    #expect(stored["title"] == "second")
    #expect(stored.encryptedValues.allKeys().isEmpty)
  }

  @Test func aShareAndItsRootGetTheServersProperties() async throws {
    let fixture = try await Fixture.withZone()
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    #expect(share.url == nil)
    try await save([root, share], in: fixture)
    let url = try #require(share.url)
    #expect(root.share?.recordID == share.recordID)
    #expect(share.owner.userIdentity.userRecordID == (try await fixture.container.userRecordID()))
    share.publicPermission = .readOnly
    root["title"] = "shared"
    try await save([root, share], in: fixture)
    #expect(share.url == url && share.publicPermission == .readOnly)
  }

  @Test func aShareThatIsMadeAgainHasTheSameLink() async throws {
    let fixture = try await Fixture.withZone()
    let root = fixture.record("root")
    let share = CKShare(rootRecord: root)
    let zoneShare = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Other"))
    _ = try await fixture.database.save(CKRecordZone(zoneName: "Other"))
    try await save([root, share, zoneShare], in: fixture)
    let urls = [share.url, zoneShare.url]
    #expect(Set(urls).count == 2 && !urls.contains(nil))
    _ = try await fixture.database.modifyRecords(
      saving: [], deleting: [share.recordID, zoneShare.recordID])
    let fetched = try await fixture.database.record(for: root.recordID)
    let again = CKShare(rootRecord: fetched)
    let zoneAgain = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Other"))
    try await save([fetched, again, zoneAgain], in: fixture)
    #expect(again.recordID != share.recordID)
    #expect([again.url, zoneAgain.url] == urls)
  }

  @Test func aChangeDuringTheSaveIsSentByTheNext() async throws {
    let fixture = try await Fixture.withZone()
    let account = try fixture.mock.account("_kenji")
    let kenji = try await fixture.container.shareParticipant(
      forUserRecordID: CKRecord.ID(recordName: account.userRecordName))
    let faulty = FaultInjectingContainer(fixture.mock)
    let database = CKContainer(mock: faulty).privateCloudDatabase
    let record = fixture.record("a")
    let share = CKShare(rootRecord: record)
    record["title"] = "before"
    record["body"] = "before"
    faulty.faults.run(.modifyRecords, at: .afterServer) { _ in
      record["title"] = "during"
      share.addParticipant(kenji)
    }
    _ = try await database.modifyRecords(saving: [record, share], deleting: [])
    #expect(record.recordChangeTag != nil && share.url != nil)
    #expect(record["title"] == "during" && record.changedKeys() == ["title"])
    #expect(share.participants.count == 2)
    _ = try await database.modifyRecords(saving: [record, share], deleting: [])
    let stored = try await database.record(for: record.recordID)
    #expect(stored["title"] == "during" && stored["body"] == "before")
    let storedShare = try await database.record(for: share.recordID) as? CKShare
    #expect(storedShare?.participants.count == 2)
  }

  @Test func aFailedSaveChangesNothing() async throws {
    let fixture = try await Fixture.withZone()
    _ = try await fixture.database.save(fixture.record("a"))
    let record = fixture.record("a")
    record["title"] = "mine"
    let error = await ckError { try await fixture.database.save(record) }
    #expect(error?.code == .serverRecordChanged)
    #expect(error?.clientRecord === record)
    #expect(record.recordChangeTag == nil && record.changedKeys() == ["title"])
  }

  @Test func aSaveOfTheChangedKeysKeepsTheOtherFieldsOfTheServer() async throws {
    let fixture = try await Fixture.withZone()
    let first = fixture.record("a")
    first["title"] = "title"
    first["body"] = "body"
    _ = try await fixture.database.save(first)
    let record = fixture.record("a")
    record["title"] = "new"
    for text in ["new", "newer"] {
      record["title"] = text
      let answer = try await fixture.database.modifyRecords(
        saving: [record], deleting: [], savePolicy: text == "new" ? .changedKeys : .allKeys)
      #expect(try answer.saveResults[record.recordID]?.get() === record)
      #expect(record.allKeys() == ["title"])
      let stored = try await fixture.database.record(for: record.recordID)
      #expect(stored["title"] == text && stored["body"] == "body")
    }
  }

  /// The values of a record that its object has, and those that another device saves meanwhile.
  private static var values: [(key: String, own: any CKRecordValue, theirs: any CKRecordValue)] {
    [
      ("body", "own" as NSString, "theirs" as NSString),
      ("list", ["own", "x"] as NSArray, ["theirs"] as NSArray),
      ("number", 1 as NSNumber, 2.5 as NSNumber),
    ]
  }

  @Test(arguments: [true, false], [true, false])
  func aSaveOfAllKeysSendsTheValuesOfTheObject(hasTag: Bool, wasFetched: Bool) async throws {
    let fixture = try await Fixture.withZone()
    let database = fixture.database
    let first = fixture.record("a")
    first["title"] = "title"
    first["note"] = "note"
    first["removed"] = "own"
    for (key, own, _) in Self.values {
      first[key] = own
      first.encryptedValues["secret_" + key] = own
    }
    _ = try await database.save(first)
    let fetched = try await database.record(for: first.recordID)
    let object = !hasTag ? fixture.record("a") : wasFetched ? fetched : first
    if !hasTag {
      for (key, own, _) in Self.values {
        object[key] = own
        object.encryptedValues["secret_" + key] = own
      }
    }
    object["title"] = "new"
    object["removed"] = nil as String?
    let save = { (record: CKRecord, policy: CKModifyRecordsOperation.RecordSavePolicy) in
      let answer = try await database.modifyRecords(
        saving: [record], deleting: [], savePolicy: policy)
      _ = try answer.saveResults[record.recordID]?.get()
    }
    if !hasTag { try await save(object, .changedKeys) }
    let theirs = try await database.record(for: first.recordID)
    for (key, _, value) in Self.values {
      theirs[key] = value
      theirs.encryptedValues["secret_" + key] = value
    }
    theirs["note"] = "theirs"
    theirs["removed"] = "theirs"
    theirs["added"] = "theirs"
    _ = try await database.save(theirs)
    if !hasTag { object["title"] = "newer" }
    try await save(object, .changedKeys)
    try await save(object, .allKeys)
    let stored = try await database.record(for: first.recordID)
    for (key, own, _) in Self.values {
      #expect((stored[key] as CKRecordValue?) as? NSObject == own as? NSObject, "\(key)")
      let secret = stored.encryptedValues["secret_" + key] as CKRecordValue?
      #expect(secret as? NSObject == own as? NSObject, "\(key)")
    }
    #expect(stored["title"] == object["title"] as String?)
    // The object has no such keys any more.
    #expect(stored["added"] == "theirs" && stored["note"] == (hasTag ? "note" : "theirs"))
    #expect(stored["removed"] as String? == (hasTag ? nil : "theirs"))
  }

  @Test func aConflictHasAllFieldsOfTheCommonAncestor() async throws {
    let fixture = try await Fixture.withZone()
    let database = fixture.database
    let first = fixture.record("a")
    first["title"] = "title"
    first["body"] = "body"
    _ = try await database.save(first)
    let mine = fixture.record("a")
    mine["title"] = "mine"
    _ = try await database.modifyRecords(saving: [mine], deleting: [], savePolicy: .changedKeys)
    let theirs = try await database.record(for: mine.recordID)
    theirs["body"] = "theirs"
    _ = try await database.save(theirs)
    mine["title"] = "newer"
    let error = await ckError { try await database.save(mine) }
    #expect(error?.ancestorRecord?["title"] == "mine")
    #expect(error?.ancestorRecord?["body"] == "body")
    #expect(mine.allKeys() == ["title"])
  }

  /// The changes of a share that the app makes while it is saved.
  enum ShareChange: CaseIterable {
    case permission, role, accessRequests, addition, removal, publicPermission

    func make(in share: CKShare, adding other: CKShare.Participant) {
      switch self {
      case .permission: share.participants[1].permission = .readWrite
      case .role: share.participants[1].role = .publicUser
      case .accessRequests: share.allowsAccessRequests = true
      case .addition: share.addParticipant(other)
      case .removal: share.removeParticipant(share.participants[1])
      case .publicPermission: share.publicPermission = .readOnly
      }
    }

    func isMade(in share: CKShare) -> Bool {
      switch self {
      case .permission: share.participants[1].permission == .readWrite
      case .role: share.participants[1].role == .publicUser
      case .accessRequests: share.allowsAccessRequests
      case .addition: share.participants.count == 3
      case .removal: share.participants.count == 1
      case .publicPermission: share.publicPermission == .readOnly && share.participants.count == 1
      }
    }
  }

  @Test(arguments: ShareChange.allCases, [true, false])
  func aChangeOfAShareDuringTheSaveStays(change: ShareChange, isNew: Bool) async throws {
    let fixture = try await Fixture.withZone()
    let people = try ["_kenji", "_lena"].map { try fixture.mock.account($0).userRecordName }
    let kenji = try await fixture.container.shareParticipant(
      forUserRecordID: CKRecord.ID(recordName: people[0]))
    let lena = try await fixture.container.shareParticipant(
      forUserRecordID: CKRecord.ID(recordName: people[1]))
    kenji.permission = .readOnly
    let faulty = FaultInjectingContainer(fixture.mock)
    let database = CKContainer(mock: faulty).privateCloudDatabase
    let record = fixture.record("a")
    let share = CKShare(rootRecord: record)
    share.addParticipant(kenji)
    if !isNew { try await save([record, share], in: fixture) }
    share[CKShare.SystemFieldKey.title] = "title"
    faulty.faults.run(.modifyRecords, at: .afterServer) { _ in
      change.make(in: share, adding: lena)
    }
    _ = try await database.modifyRecords(saving: [record, share], deleting: [])
    #expect(share.url != nil && share.participants[0].userIdentity.userRecordID != nil)
    #expect(change.isMade(in: share))
    guard change != .role else { return }
    _ = try await database.save(share)
    #expect(change.isMade(in: share))
    let stored = try await database.record(for: share.recordID) as? CKShare
    #expect(stored.map(change.isMade) == true)
  }

  @Test func aSavedZoneHasItsCapabilities() async throws {
    let fixture = try Fixture()
    let zone = CKRecordZone(zoneName: "Notes")
    let copy = try #require(zone.copy() as? CKRecordZone)
    let operation = CKModifyRecordZonesOperation(recordZonesToSave: [zone])
    operation.database = fixture.database
    await run(operation)
    #expect(zone.capabilities.contains([.fetchChanges, .atomic, .sharing, .zoneWideSharing]))
    #expect(copy.capabilities == [] && copy.zoneID == zone.zoneID)
    let other = CKRecordZone(zoneName: "Other")
    #expect(try await fixture.database.save(other) === other)
    #expect(other.capabilities == zone.capabilities)
  }

  private func save(_ records: [CKRecord], in fixture: Fixture) async throws {
    let answer = try await fixture.database.modifyRecords(saving: records, deleting: [])
    for record in records {
      #expect(try answer.saveResults[record.recordID]?.get() === record)
    }
  }
}

/// Sends one record by a sync engine.
private final class Sender: CKSyncEngineDelegate, @unchecked Sendable {
  private let record: CKRecord
  private var saved: CKRecord?

  init(_ record: CKRecord) { self.record = record }

  func send(to database: CKDatabase) async throws -> CKRecord? {
    var configuration = CKSyncEngine.Configuration(
      database: database, stateSerialization: nil, delegate: self)
    configuration.automaticallySync = false
    let engine = CKSyncEngine(configuration)
    try await engine.fetchChanges()
    engine.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
    try await engine.sendChanges()
    return saved
  }

  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
    if case .sentRecordZoneChanges(let sent) = event { saved = sent.savedRecords.first }
  }

  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch? {
    await CKSyncEngine.RecordZoneChangeBatch(
      pendingChanges: syncEngine.state.pendingRecordZoneChanges
    ) { [record] _ in record }
  }
}
