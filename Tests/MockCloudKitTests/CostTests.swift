#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Compares the time of 1,000 saves, fetches and queries through MockCloudKit with that through
/// `MockDatabase`: `RECORDPACK_MEASURE=1 swift test -c release --filter CostTests`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["RECORDPACK_MEASURE"] != nil))
struct CostTests {
  private static let count = 1_000

  /// Measures the time of the processor, which other processes do not change.
  private func measure(_ body: () async throws -> Void) async rethrows -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try await body()
    return now() - start
  }

  @Test func theTranslationCostsLessThanAThirdOfTheMock() async throws {
    var (best, bestDirect): (Duration, Duration) = (.seconds(1_000), .seconds(1_000))
    for _ in 1...7 {
      bestDirect = min(bestDirect, try await direct())
      best = min(best, try await throughCloudKit())
    }
    print("MockDatabase \(bestDirect), MockCloudKit \(best), ratio \(best / bestDirect)")
    #expect(best / bestDirect <= 1.3)
  }

  private func direct() async throws -> Duration {
    let database = try MockContainer.inMemory().privateCloudDatabase
    let zone = ZoneID(zoneName: "Notes")
    _ = try await database.save(RecordZone(zoneID: zone))
    return try await measure {
      for index in 1...Self.count {
        let id = RecordID(recordName: "r\(index)", zoneID: zone)
        var draft = DraftRecord(recordType: "Note", recordID: id)
        draft["title"] = "Title \(index)"
        draft["count"] = index
        _ = try await database.save(draft)
      }
      for index in 1...Self.count {
        let id = RecordID(recordName: "r\(index)", zoneID: zone)
        let record = try await database.record(for: id)
        let title: String? = record["title"]
        #expect(title != nil)
      }
      for index in 1...Self.count {
        let query = try RecordQuery(recordType: "Note", predicate: "count = %@", index)
        let results = try await database.records(matching: query, inZoneWith: zone)
        #expect(results.matchResults.count == 1)
      }
    }
  }

  private func throughCloudKit() async throws -> Duration {
    let database = CKContainer(mock: try MockContainer.inMemory()).privateCloudDatabase
    let zone = CKRecordZone.ID(zoneName: "Notes")
    _ = try await database.save(CKRecordZone(zoneID: zone))
    return try await measure {
      for index in 1...Self.count {
        let id = CKRecord.ID(recordName: "r\(index)", zoneID: zone)
        let record = CKRecord(recordType: "Note", recordID: id)
        record["title"] = "Title \(index)"
        record["count"] = index
        _ = try await database.save(record)
      }
      for index in 1...Self.count {
        let id = CKRecord.ID(recordName: "r\(index)", zoneID: zone)
        let record = try await database.record(for: id)
        #expect(record["title"] as? String != nil)
      }
      for index in 1...Self.count {
        let query = CKQuery(
          recordType: "Note", predicate: NSPredicate(format: "count = %d", index))
        let results = try await database.records(matching: query, inZoneWith: zone)
        #expect(results.matchResults.count == 1)
      }
    }
  }
}
