import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What is recorded is replayed: random calls to the mock give the same results again.
struct RecordingRoundTripTests {
  @Test(
    "random calls have the same results when they are replayed",
    arguments: SeededGenerator.seeds(6))
  func roundTrip(seed: UInt64) async throws {
    let folder = try TestFolder()
    let mock = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.test"), now: { testDate })
    let faulty = FaultInjectingContainer(mock, clock: ManualClock(advancesWhenSleeping: true))
    faulty.faults.follow(FaultSchedule(seed: seed, .everyKind(0.01, crashes: 0)))
    let path = folder.path("calls.jsonl")
    let container = try RecordingContainer(faulty, path: path)
    var calls = RandomCalls(seed, folder, link: try await Self.share(of: mock))
    var outcomes: [(CloudCall, Result<CloudResponse, any Error>)] = []
    for _ in 0..<120 {
      let call = calls.next()
      let outcome = await container.outcome(call)
      calls.learn(from: outcome, of: call)
      outcomes.append((call, outcome))
    }
    try container.finish()
    #expect(calls.errorCodes.count >= 3, "the calls are too simple")

    let recording = try Recording(path: path)
    #expect(recording.damage == nil)
    #expect(recording.containerIdentifier == "iCloud.test")
    #expect(recording.calls.count == outcomes.count)
    for order in ReplayingContainer.Order.allCases {
      let replaying = ReplayingContainer(recording, order: order)
      for (index, (call, outcome)) in outcomes.enumerated() {
        let replayed = await replaying.outcome(call)
        let isRight = isSame(outcome, replayed)
        #expect(isRight, "\(order) \(index) \(call)\n\(outcome)\n\(replayed)")
        if !isRight { return }
      }
      try replaying.finish()
    }
    // The arguments are read, too, except for the contents of assets.
    for (recorded, (call, outcome)) in zip(recording.calls, outcomes) {
      if !calls.hasAsset(call) { #expect(recorded.call == call) }
      #expect(recorded.result.map { isSame($0, outcome) } == true)
    }
  }
}

extension RecordingRoundTripTests {
  /// Returns the link to a public share of another user, with an asset.
  fileprivate static func share(of mock: MockContainer) async throws -> URL {
    let anna = try mock.account("_anna", emailAddress: "anna@example.com")
    let database = anna.privateCloudDatabase
    try await database.save(RecordZone(zoneID: notes))
    var root = note("root")
    var share = DraftRecord(
      sharing: &root, participants: [], publicPermission: .readWrite, title: "Notes",
      recordName: "share")
    share["guide"] = Asset(data: Data("content 1".utf8))
    try await database.modifyRecords(saving: [share, root], deleting: [])
    let link = try await database.record(for: share.recordID).shareInfo?.url
    return try #require(link)
  }
}

/// Calls of all kinds, which depend on a seed and on what earlier calls returned.
private struct RandomCalls {
  private var random: SeededGenerator
  private let folder: TestFolder
  private var known: [RecordID: ResultRecord] = [:]
  private var tokens: [ServerChangeToken?] = [nil]
  private var cursors: [QueryCursor] = []
  private var metadatas: [ShareMetadata] = []
  private let links: [URL]
  private(set) var errorCodes: Set<CloudError.Code> = []

  private let zones = [notes, ZoneID(zoneName: "Other"), .default]

  init(_ seed: UInt64, _ folder: TestFolder, link: URL) {
    random = SeededGenerator(seed)
    links = [link, URL(string: "https://www.icloud.com/share/0none")!]
    self.folder = folder
  }

  func hasAsset(_ call: CloudCall) -> Bool {
    if case .accept = call.request { return true }
    guard case .modifyRecords(let drafts, _, _, _) = call.request else { return false }
    return drafts.contains { draft in
      draft.fields.contains { if case .asset = $0.value { true } else { false } }
    }
  }

  private mutating func recordID() -> RecordID {
    id("\(random.below(6))", in: random.pick(zones))
  }

  private mutating func draft() -> DraftRecord {
    let recordID = recordID()
    var draft =
      known[recordID].flatMap { random.chance(3) ? nil : DraftRecord($0) }
      ?? DraftRecord(recordType: "Note", recordID: recordID)
    switch random.below(9) {
    case 0: draft["number"] = Int64(random.below(100))
    case 1: draft.encryptedValues["secret"] = "s\(random.below(100))"
    case 2: draft["file"] = Asset(data: Data("content \(random.below(5))".utf8))
    case 3:
      let number = random.below(3)
      let url = URL(fileURLWithPath: folder.path("file-\(number)"))
      try? Data("file \(number)".utf8).write(to: url)
      draft["file"] = Asset(fileURL: url)
    case 4: draft["text"] = nil as String?
    case 5: draft.parent = Reference(recordID: self.recordID())
    case 6: draft["date"] = testDate.addingTimeInterval(Double(random.below(1000)) / 8)
    case 7: draft["list"] = ["a", "\u{1F600}\u{0301}", "\n"]
    default: break
    }
    if random.chance(2) { draft["text"] = "text \(random.below(1000))" }
    return draft
  }

  mutating func next() -> CloudCall {
    let scope = random.chance(6) ? random.pick(DatabaseScope.allCases) : .private
    let keys = random.chance(4) ? ["text"] : nil
    let limit = random.below(4)
    switch random.below(19) {
    case 16:
      return CloudCall(
        .shareParticipants(lookupInfos: [
          .init(emailAddress: "anna@example.com"), .init(userRecordName: "_\(random.below(3))"),
        ]))
    case 17: return CloudCall(.shareMetadatas(urls: random.chance(2) ? links : [links[0]]))
    case 18: return CloudCall(.accept(Array(metadatas.suffix(1))))
    case 0: return CloudCall(.accountStatus)
    case 1: return CloudCall(.userRecordID)
    case 2:
      return CloudCall(
        .modifyRecordZones(
          saving: [RecordZone(zoneID: random.pick(zones))],
          deleting: random.chance(6) ? [ZoneID(zoneName: "Other")] : []), in: scope)
    case 3: return CloudCall(random.chance(2) ? .allRecordZones : .allSubscriptions, in: scope)
    case 4: return CloudCall(.recordZones(ids: zones), in: scope)
    case 5:
      return CloudCall(
        .modifySubscriptions(
          saving: [makeSubscription("s\(random.below(3))")],
          deleting: random.chance(3) ? ["s9"] : []), in: scope)
    case 6: return CloudCall(.subscriptions(ids: ["s0", "s1"]), in: scope)
    case 7:
      let filter = QueryFilter("text", .beginsWith, .string("t"))
      return CloudCall(
        .query(
          RecordQuery(recordType: "Note", filters: [filter]),
          zoneID: random.chance(2) ? notes : nil, desiredKeys: keys, resultsLimit: limit),
        in: scope)
    case 8:
      let cursor = cursors.last ?? QueryCursor(data: Data("none".utf8))
      return CloudCall(
        .continueQuery(cursor, desiredKeys: keys, resultsLimit: limit), in: scope)
    case 9:
      return CloudCall(
        .databaseChanges(since: random.pick(tokens), resultsLimit: limit == 0 ? nil : limit),
        in: scope)
    case 10, 11:
      return CloudCall(
        .recordZoneChanges(
          zoneID: random.pick(zones), since: random.pick(tokens), desiredKeys: keys,
          resultsLimit: limit == 0 ? nil : limit), in: scope)
    case 12:
      return CloudCall(.records(ids: [recordID(), recordID()], desiredKeys: keys), in: scope)
    default:
      var drafts: [RecordID: DraftRecord] = [:]
      for _ in 0...random.below(4) {
        let draft = draft()
        drafts[draft.recordID] = draft
      }
      return CloudCall(
        .modifyRecords(
          saving: drafts.keys.sorted().map { drafts[$0]! },
          deleting: random.chance(4) ? [recordID()] : [],
          savePolicy: random.pick(RecordSavePolicy.allCases), atomically: !random.chance(4)),
        in: scope)
    }
  }

  mutating func learn(from outcome: Result<CloudResponse, any Error>, of call: CloudCall) {
    func code(_ error: any Error) -> CloudError.Code? { (error as? CloudError)?.code }
    switch outcome {
    case .failure(let error): if let code = code(error) { errorCodes.insert(code) }
    case .success(let response):
      for entry in response.results {
        switch entry.result {
        case .success(.record(let record)): known[record.recordID] = record
        case .success(.metadata(let metadata)): metadatas.append(metadata)
        case .failure(let error): if let code = code(error) { errorCodes.insert(code) }
        default: break
        }
      }
      guard let position = response.position else { return }
      if case .query = call.request {
        cursors.append(QueryCursor(data: position))
      } else {
        tokens.append(ServerChangeToken(data: position))
      }
    }
  }
}
