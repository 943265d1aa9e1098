#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("A database of CloudKit, behind the bridge")
  struct BridgedDatabaseTests {
    @Test("answers random requests as the mock does", arguments: SeededGenerator.seeds(30))
    func requests(seed: UInt64) async throws {
      var run = try await TwinRun(seed: seed)
      for _ in 0..<12 { try await run.request() }
    }
  }

  /// Random requests to both databases.
  private struct TwinRun {
    private static let zones = [ZoneID.default, ZoneID(zoneName: "A"), ZoneID(zoneName: "B")]
    private let containers: TwinContainers
    private let (mock, bridged): (MockDatabase, CloudKitDatabase)
    private var records: RandomRecords
    /// The newest record of each identifier, from each database.
    private var known: [RecordID: (mock: ResultRecord, bridged: ResultRecord)] = [:]
    private var tokens: [ZoneID: (mock: ServerChangeToken, bridged: ServerChangeToken)] = [:]

    init(seed: UInt64) async throws {
      var rules = ServerRules.native
      records = RandomRecords(seed: seed)
      rules.maxResults = 1 + records.random.below(8)
      containers = try TwinContainers(rules: rules)
      (mock, bridged) = (
        containers.mock.privateCloudDatabase, containers.bridged.privateCloudDatabase
      )
      let zones = Self.zones.dropFirst().map { RecordZone(zoneID: $0) }
      _ = try await mock.modifyRecordZones(saving: zones, deleting: [])
      _ = try await bridged.modifyRecordZones(saving: zones, deleting: [])
    }

    private var random: SeededGenerator {
      get { records.random }
      set { records.random = newValue }
    }

    mutating func request() async throws {
      switch random.below(8) {
      case 0..<4: try await modify()
      case 4: try await fetch()
      case 5: try await changes()
      case 6: try await query()
      default: try await zones()
      }
    }

    private mutating func recordID() -> RecordID {
      RecordID(recordName: "k\(random.below(8))", zoneID: random.pick(Self.zones))
    }

    private mutating func modify() async throws {
      var drafts: [(mock: DraftRecord, bridged: DraftRecord)] = []
      var deletions: [RecordID] = []
      var used: Set<RecordID> = []
      for _ in 0..<1 + random.below(5) {
        let id = recordID()
        guard used.insert(id).inserted else { continue }
        if random.chance(4) {
          deletions.append(id)
        } else {
          drafts.append(draft(id))
        }
      }
      let policy = random.pick(RecordSavePolicy.allCases)
      let atomically = random.chance(2)
      func modify(
        _ database: some CloudDatabase, _ drafts: [DraftRecord]
      ) async -> Told<Answer> {
        await Told {
          Answer(
            try await database.modifyRecords(
              saving: drafts, deleting: deletions, savePolicy: policy, atomically: atomically))
        }
      }
      // The tags of saved records are in the order of the request.
      let expected = await modify(mock, drafts.map(\.mock).parentsFirst())
      let found = await modify(bridged, drafts.map(\.bridged))
      expectSame(found, expected, { differences($0.saved, $1.saved) }, "modify")
      guard case .success(let a) = expected, case .success(let b) = found else { return }
      for (id, record) in a.records {
        known[id] = b.records[id].map { (record, $0) }
      }
    }

    /// A draft with the same changes for each database: new, of a known record, or of its system
    /// fields.
    private mutating func draft(_ id: RecordID) -> (mock: DraftRecord, bridged: DraftRecord) {
      let pair: (mock: DraftRecord, bridged: DraftRecord) =
        if let known = known[id], !random.chance(5) {
          random.chance(3)
            ? (
              DraftRecord(systemFields: known.mock.systemFields),
              DraftRecord(systemFields: known.bridged.systemFields)
            ) : (DraftRecord(known.mock), DraftRecord(known.bridged))
        } else {
          (
            DraftRecord(recordType: "Note", recordID: id),
            DraftRecord(recordType: "Note", recordID: id)
          )
        }
      let start = records
      var (a, b) = pair
      records.change(&a)
      records = start
      records.change(&b)
      if random.chance(3) {
        let parent = RecordID(recordName: "k\(random.below(8))", zoneID: id.zoneID)
        a.parent = Reference(recordID: parent)
        b.parent = a.parent
      }
      return (a, b)
    }

    private mutating func fetch() async throws {
      let ids = (0..<1 + random.below(6)).map { _ in recordID() }
      let keys = random.chance(2) ? nil : ["fstring", "estring", "fasset"]
      func fetch(_ database: some CloudDatabase) async -> Told<[RecordID: Told<ResultRecord>]> {
        await Told {
          try await database.records(for: ids, desiredKeys: keys).told(\.asCloudKitTells)
        }
      }
      let (expected, found) = (await fetch(mock), await fetch(bridged))
      #expect(found == expected)
    }

    private mutating func changes() async throws {
      let zoneID = random.pick(Self.zones)
      let limit = random.chance(2) ? nil : 1 + random.below(5)
      func changes(
        _ database: some CloudDatabase, _ token: ServerChangeToken?
      ) async -> (Told<Changes>, ServerChangeToken?) {
        do {
          let answer = try await database.recordZoneChanges(
            inZoneWith: zoneID, since: token, desiredKeys: nil, resultsLimit: limit)
          return (.success(Changes(answer)), answer.changeToken)
        } catch {
          return (await Told { throw error }, nil)
        }
      }
      let (expected, mockToken) = await changes(mock, tokens[zoneID]?.mock)
      let (found, bridgedToken) = await changes(bridged, tokens[zoneID]?.bridged)
      #expect(found == expected)
      if let mockToken, let bridgedToken { tokens[zoneID] = (mockToken, bridgedToken) }
    }

    private mutating func query() async throws {
      let filters: [QueryFilter] =
        random.chance(2) ? [] : [QueryField("fint64") > Int64(random.below(1000))]
      let query = RecordQuery(
        recordType: "Note", filters: filters,
        sort: [QuerySort("fstring"), QuerySort("___recordID")])
      let zoneID = random.chance(3) ? nil : random.pick(Self.zones)
      func all(_ database: some CloudDatabase) async -> Told<[RecordID]> {
        await Told {
          var ids: [RecordID] = []
          var page = try await database.records(
            matching: query, inZoneWith: zoneID, desiredKeys: nil, resultsLimit: 3)
          while true {
            ids += page.matchResults.map(\.0)
            guard let cursor = page.queryCursor else { return ids }
            page = try await database.records(
              continuingMatchFrom: cursor, desiredKeys: nil, resultsLimit: 3)
          }
        }
      }
      let (expected, found) = (await all(mock), await all(bridged))
      #expect(found == expected)
    }

    private mutating func zones() async throws {
      let zoneID = random.pick(Self.zones)
      let deletes = random.chance(3)
      func zones(_ database: some CloudDatabase) async -> Told<Zones> {
        await Told {
          let answer = try await database.modifyRecordZones(
            saving: deletes ? [] : [RecordZone(zoneID: zoneID)], deleting: deletes ? [zoneID] : [])
          let all = try await database.allRecordZones()
          return Zones(
            saved: answer.saveResults.told(\.self),
            deleted: answer.deleteResults.told { true }, all: Set(all))
        }
      }
      let (expected, found) = (await zones(mock), await zones(bridged))
      #expect(found == expected)
    }
  }
#endif
