import CloudKit
import RecordModel
import TestSupport
import Testing

@testable import RecordPackCloudKit

@Suite("Items of a large request")
struct RequestBatchesTests {
  /// Sends groups to a server that takes `limit` items.
  private func send(
    _ groups: [[Int]], limit: Int, maxCount: Int = 400, failingAfter count: Int = .max
  ) async throws -> (requests: [[Int]], failed: [Int]) {
    var requests: [[Int]] = []
    var failed: [Int] = []
    let items = groups.enumerated().flatMap { group, items in items.map { (group, $0) } }
      .sorted { $0.1 < $1.1 }
    let groupOf = Dictionary(uniqueKeysWithValues: items.map { ($1, $0) })
    var batches = RequestBatches(items.map(\.1), maxCount: maxCount) { groupOf[$0] }
    try await batches.send { items in
      guard items.count <= limit else { throw CKError(.limitExceeded) }
      guard requests.count < count else { throw CKError(.networkFailure) }
      requests.append(items)
    } orFail: { items, error in
      #expect((error as? CloudError)?.code == .networkFailure)
      failed = items
    }
    return (requests, failed)
  }

  @Test("are sent once, in order, in as few requests as there can be")
  func batches() async throws {
    let sent = try await send((0..<1000).map { [$0] }, limit: 400)
    #expect(sent.requests.map(\.count) == [400, 400, 200])
    #expect(sent.requests.flatMap(\.self) == Array(0..<1000))
    let none = try await send([], limit: 400)
    #expect(none.requests.isEmpty)
  }

  @Test("are divided in half where the server takes fewer", arguments: SeededGenerator.seeds(100))
  func halves(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    // The items of a group need not follow each other.
    var groups: [[Int]] = Array(repeating: [], count: 1 + random.below(60))
    let count = random.below(120)
    for item in 0..<count {
      let group = random.below(groups.count)
      if groups[group].count < 3 {
        groups[group].append(item)
      } else {
        groups.append([item])
      }
    }
    let limit = 3 + random.below(20)
    let sent = try await send(groups, limit: limit, maxCount: 3 + random.below(40))
    #expect(sent.requests.flatMap(\.self).sorted() == Array(0..<count))
    #expect(sent.requests.allSatisfy { $0 == $0.sorted() })
    let places = Dictionary(
      uniqueKeysWithValues: sent.requests.enumerated().flatMap { place, items in
        items.map { ($0, place) }
      })
    for group in groups { #expect(Set(group.map { places[$0] }).count <= 1) }
    #expect(sent.requests.allSatisfy { $0.count <= limit && !$0.isEmpty })
  }

  @Test("of one group are not divided: the error is the server's")
  func undividable() async throws {
    let error = await #expect(throws: CloudError.self) {
      try await send([Array(0..<10)], limit: 9)
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test("that were not sent fail with the error of the request before")
  func failed() async throws {
    let sent = try await send((0..<1000).map { [$0] }, limit: 400, failingAfter: 1)
    #expect(sent.requests.map(\.count) == [400])
    #expect(sent.failed == Array(400..<1000))
    let error = await #expect(throws: CloudError.self) {
      try await send([[1]], limit: 400, failingAfter: 0)
    }
    #expect(error?.code == .networkFailure)
  }
}

@Suite("Drafts with parents")
struct ParentsFirstTests {
  @Test("come after their parents, each once", arguments: SeededGenerator.seeds(200))
  func order(seed: UInt64) {
    var random = SeededGenerator(seed)
    let count = random.below(30)
    let goesRound = random.chance(3)
    let parents = (0..<count).map { number in
      random.chance(3) ? nil : random.below(goesRound ? count + 3 : max(number, 1))
    }
    let numbers = (0..<count).shuffled(using: &random)
    let drafts = numbers.map { number in
      var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "\(number)"))
      draft.parent = parents[number].map { Reference(recordID: RecordID(recordName: "\($0)")) }
      return draft
    }
    let sorted = drafts.parentsFirst()
    #expect(Set(sorted.map(\.recordID)) == Set(drafts.map(\.recordID)))
    #expect(sorted.count == count)
    guard !goesRound else { return }
    let places = Dictionary(
      uniqueKeysWithValues: sorted.enumerated().map { ($1.recordID.recordName, $0) })
    for (number, parent) in parents.enumerated() {
      guard let parent, parent != number, let above = places["\(parent)"] else { continue }
      #expect(above < places["\(number)"] ?? 0)
    }
  }
}
