#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("A query of CloudKit, behind the bridge")
  struct TwinQueryTests {
    /// What no predicate can express. Assets, too: the bridge refuses them, and CloudKit cannot query
    /// them.
    private static let others: Set<QueryFilter.Comparator> = [.containsAnyTokens]

    @Test("finds the records that the mock finds", arguments: SeededGenerator.seeds(15))
    func queries(seed: UInt64) async throws {
      let containers = try TwinContainers()
      var records = RandomRecords(seed: seed)
      let zones = [ZoneID.default, ZoneID(zoneName: "A")]
      let drafts = (0..<12).map {
        records.draft(named: "k\($0)", in: records.random.pick(zones))
      }
      let (mock, bridged) = (
        containers.mock.privateCloudDatabase, containers.bridged.privateCloudDatabase
      )
      for database in [mock as any CloudDatabase, bridged] {
        try await database.save(RecordZone(zoneID: zones[1]))
        let saved = try await database.modifyRecords(saving: drafts, deleting: [])
        for result in saved.saveResults.values { _ = try result.get() }
      }
      var compared = 0
      for _ in 0..<40 {
        let query = RecordQuery(
          recordType: "Note",
          filters: (0..<records.random.below(3)).map { _ in
            filter(&records, drafts)
          }, sort: sort(&records))
        let zoneID = records.random.chance(3) ? nil : records.random.pick(zones)
        let keys = records.random.chance(2) ? nil : ["fstring", "estring", "fasset", "none"]
        let (expected, found) = (
          await answer(mock, query, zoneID, keys), await answer(bridged, query, zoneID, keys)
        )
        // A predicate may become another filter with the same meaning. The mock checks the type of
        // each filter in its own way.
        if case .refused(.invalidArguments) = expected { continue }
        compared += 1
        #expect(found == expected, "\(query)")
      }
      #expect(compared > 10)
    }

    private struct Found: Equatable {
      let ids: [RecordID]
      let records: [ResultRecord]
    }

    private enum Answer: Equatable {
      case found(Found)
      case refused(CloudError.Code?)
    }

    private func answer(
      _ database: some CloudDatabase, _ query: RecordQuery, _ zoneID: ZoneID?, _ keys: [String]?
    ) async -> Answer {
      do {
        var ids: [RecordID] = []
        var records: [ResultRecord] = []
        var page = try await database.records(
          matching: query, inZoneWith: zoneID, desiredKeys: keys, resultsLimit: 5)
        while true {
          ids += page.matchResults.map(\.0)
          records += try page.matchResults.map { try $0.1.get().asCloudKitTells }
          guard let cursor = page.queryCursor else {
            return .found(.init(ids: ids, records: records))
          }
          page = try await database.records(
            continuingMatchFrom: cursor, desiredKeys: keys, resultsLimit: 5)
        }
      } catch {
        return .refused((error as? CloudError)?.code)
      }
    }

    private func sort(_ records: inout RandomRecords) -> [QuerySort] {
      let last = QuerySort("___recordID")
      switch records.random.below(4) {
      case 0: return [last]
      case 1:
        return [
          QuerySort("flocation", relativeLocation: Location(latitude: 1, longitude: 2)), last,
        ]
      default:
        let name = records.random.pick([
          "fstring", "fint64", "fdouble", "ftimestamp", "___createTime", "___modTime",
          "freference", "fbytes", "fstringList", "estring",
        ])
        return [QuerySort(name, ascending: records.random.chance(2)), last]
      }
    }

    private func filter(_ records: inout RandomRecords, _ drafts: [DraftRecord]) -> QueryFilter {
      let types = ValueType.allCases.filter { ![.emptyList, .asset, .assetList].contains($0) }
      let comparator = records.random.pick(
        QueryFilter.Comparator.allCases.filter { !Self.others.contains($0) })
      let zoneID = ZoneID(zoneName: "A")
      if comparator == .near {
        return QueryFilter(
          "flocation", .near, records.value(of: .location, in: zoneID),
          distance: Double(records.random.below(20_000_000)))
      }
      if comparator == .containsAllTokens {
        return QueryFilter(
          QueryFilter.allText, .containsAllTokens, records.value(of: .string, in: zoneID))
      }
      // Values of the records, so that some match.
      if records.random.chance(2),
        let field = records.random.pick(drafts).fields.randomElement(
          using: &records.random), types.contains(field.value.type ?? .emptyList)
      {
        return QueryFilter(field.name, comparator, field.value)
      }
      let type = records.random.pick(types)
      return QueryFilter(
        "f\(records.random.pick(types))", comparator, records.value(of: type, in: zoneID))
    }
  }
#endif
