#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Faults of CloudKit, behind the bridge")
  struct InjectedFaultTests {
    private static let items = (0..<900).map { RecordID(recordName: "n\($0)") }

    /// Faults, the call that has them, and what the call tells: an error, or the number of items that
    /// were saved, the number of the errors with each code, and of the items without a result.
    private static let cases: [(Fault, FaultTimes, String)] = [
      (.networkFailure(), .nth(1), "networkFailure"),
      (.networkFailure(), .nth(2), "saved 400, networkFailure 500, none 0"),
      (.networkFailure(.afterServer), .nth(3), "saved 800, networkFailure 100, none 0"),
      (.limitExceeded(over: 100), .times(1000), "saved 900, none 0"),
      (.requestRateLimited(retryAfter: 3), .nth(2), "saved 400, requestRateLimited 500, none 0"),
      (
        .partialFailure(of: [items[3], items[500]], with: CloudError(.zoneBusy, "busy")),
        .times(1000), "saved 898, zoneBusy 2, none 0"
      ),
    ]

    @Test("tell of each item what is known", arguments: cases.indices)
    func faults(place: Int) async throws {
      let (fault, times, expected) = Self.cases[place]
      let containers = try TwinContainers()
      let faulty = FaultInjectingContainer(containers.twin, clock: ManualClock())
      let files = containers.bridged.assetFiles
      let database = CloudKitContainer(
        CKContainer(mock: faulty), assetFiles: files
      ).privateCloudDatabase
      faulty.faults.fail(.modifyRecords, with: fault, times: times)
      let drafts = Self.items.enumerated().map { place, id in
        var draft = DraftRecord(recordType: "Note", recordID: id)
        if 10..<20 ~= place { draft["photo"] = Asset(data: Data([1])) }
        return draft
      }
      var found: String
      do {
        let results = try await database.modifyRecords(
          saving: drafts, deleting: [], atomically: false
        ).saveResults
        var counts: [String: Int] = [:]
        for result in results.values {
          do {
            _ = try result.get()
            counts["saved", default: 0] += 1
          } catch {
            counts[(error as? CloudError)?.code.name ?? "other", default: 0] += 1
          }
        }
        let saved = counts.removeValue(forKey: "saved") ?? 0
        let errors = counts.sorted { $0.key < $1.key }.map { "\($0) \($1), " }.joined()
        found = "saved \(saved), \(errors)none \(drafts.count - results.count)"
      } catch {
        found = (error as? CloudError)?.code.name ?? "other"
      }
      #expect(found == expected)
      // The assets have the same content, which is kept once; nothing else is left.
      let left = try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
      #expect(left.map(\.count) == [64])
    }
  }
#endif
