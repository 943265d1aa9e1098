import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization

/// Measures how long a hundred tasks that save at once keep the main actor from running.
enum MainActorGap {
  /// - Returns: The longest gap in milliseconds.
  static func measure(_ path: String) async throws -> Int {
    let container = try MockContainer.open(path: path, mode: .create)
    let database = container.privateCloudDatabase
    let zoneID = ZoneID(zoneName: "Notes")
    try await database.save(RecordZone(zoneID: zoneID))
    let isDone = Atomic(false)
    async let gap = longest { isDone.load(ordering: .relaxed) }
    try await withThrowingTaskGroup { group in
      for task in 0..<100 {
        group.addTask {
          for number in 0..<5 {
            let drafts = (0..<4).map { index in
              var draft = DraftRecord(
                recordType: "Note",
                recordID: RecordID(recordName: "\(task)-\(number)-\(index)", zoneID: zoneID))
              draft["text"] = "text"
              return draft
            }
            try await database.modifyRecords(saving: drafts, deleting: [])
          }
        }
      }
      try await group.waitForAll()
    }
    isDone.store(true, ordering: .relaxed)
    guard try await database.records(ofType: "Note").count == 2_000 else { exit(1) }
    let longest = await gap.components
    return Int(longest.seconds) * 1000 + Int(longest.attoseconds / 1_000_000_000_000_000)
  }

  /// The longest time in which the main actor ran nothing else.
  @MainActor
  private static func longest(until isDone: @Sendable () -> Bool) async -> Duration {
    var longest = Duration.zero
    var last = ContinuousClock.now
    while !isDone() {
      await Task.yield()
      let now = ContinuousClock.now
      longest = max(longest, now - last)
      last = now
      try? await Task.sleep(for: .milliseconds(1))
    }
    return longest
  }
}
