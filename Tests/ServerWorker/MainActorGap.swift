import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Synchronization

/// Measures how long a hundred tasks that save at once keep the main actor from running.
///
/// A thread that sleeps for a millisecond at a time is the clock: on a busy machine, it runs as seldom as
/// the main actor.
enum MainActorGap {
  /// - Returns: The longest gap in milliseconds, without the time in which no thread could run.
  static func measure(_ path: String) async throws -> Int {
    let container = try MockContainer.open(path: path, mode: .create)
    let database = container.privateCloudDatabase
    let zoneID = ZoneID(zoneName: "Notes")
    try await database.save(RecordZone(zoneID: zoneID))
    let isDone = Atomic(false)
    let ticks = Atomic(0)
    Thread.detachNewThread {
      while true {
        usleep(1_000)
        ticks.add(1, ordering: .relaxed)
      }
    }
    async let gap = longest(
      until: { isDone.load(ordering: .relaxed) }, ticks: { ticks.load(ordering: .relaxed) })
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
    return await gap
  }

  /// The greatest number of ticks in which the main actor ran nothing else.
  @MainActor
  private static func longest(
    until isDone: @Sendable () -> Bool, ticks: @Sendable () -> Int
  ) async -> Int {
    var longest = 0
    var last = ticks()
    while !isDone() {
      await Task.yield()
      let now = ticks()
      longest = max(longest, now - last)
      last = now
      try? await Task.sleep(for: .milliseconds(1))
    }
    return longest
  }
}
