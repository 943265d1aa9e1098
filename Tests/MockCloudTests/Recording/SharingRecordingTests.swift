import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// The calls for sharing are recorded and replayed.
struct SharingRecordingTests {
  @Test("each call is replayed with its results, in order and by matching")
  func replay() async throws {
    let container = RecordingContainer(SharingContainer())
    var outcomes: [(CloudCall, Result<CloudResponse, any Error>)] = []
    for call in try SharingContainer.calls() {
      outcomes.append((call, await container.outcome(call)))
    }
    let recording = try container.recording()
    #expect(recording.damage == nil)
    #expect(recording.calls.map(\.operation) == outcomes.map(\.0.operation))
    #expect(recording.calls.allSatisfy { $0.databaseScope == nil })
    for (recorded, (call, outcome)) in zip(recording.calls, outcomes) {
      #expect(recorded.call == call)
      let isRight = recorded.result.map { isSame($0, outcome) }
      #expect(isRight == true, "\(call)")
    }
    for order in ReplayingContainer.Order.allCases {
      let replaying = ReplayingContainer(recording, order: order)
      for (call, outcome) in order == .recorded ? outcomes : outcomes.reversed() {
        let isRight = isSame(await replaying.outcome(call), outcome)
        #expect(isRight, "\(order) \(call)")
      }
      try replaying.finish()
    }
  }

  @Test(
    "an app that follows a link finds the same share again, with its assets",
    arguments: [true, false])
  func app(includesAssets: Bool) async throws {
    func follow(_ container: some CloudContainer) async throws -> ResultRecord {
      let metadata = try await container.shareMetadata(for: SharingContainer.link("0photos"))
      return try await container.accept(metadata)
    }
    let container = RecordingContainer(SharingContainer(), includesAssets: includesAssets)
    _ = try await follow(container)
    let replaying = ReplayingContainer(try container.recording())
    let share = try await follow(replaying)
    try replaying.finish()
    let content = share.fields.compactMap { $0.value.assets.first?.content }
    #expect(content == (includesAssets ? [.data(Data("a photo".utf8))] : []))
  }

  @Test("a recording has the arguments by their names, and each result")
  func lines() async throws {
    let container = RecordingContainer(SharingContainer())
    let (anna, nobody) = (SharingContainer.anna, SharingContainer.nobody)
    _ = try await container.shareParticipants(for: [nobody, anna])
    let text = String(decoding: try #require(container.data), as: UTF8.self)
    #expect(
      text.split(separator: "\n").last == """
        {"kind":"call","number":1,"begin":1,"operation":"shareParticipants","request":\
        {"lookupInfos":[{"phoneNumber":"+49 151 234567"},{"emailAddress":"anna@example.com"}]},\
        "response":{"results":[{"id":{"user":{"emailAddress":"anna@example.com"}},"participant":\
        {"type":"USER","permission":"READ_ONLY","acceptanceStatus":"PENDING","userIdentity":\
        {"userRecordName":"_anna","nameComponents":{"givenName":"Anna","familyName":"Vogel"},\
        "lookupInfo":{"emailAddress":"anna@example.com"}}}},\
        {"id":{"user":{"phoneNumber":"+49 151 234567"}},\
        "error":{"serverErrorCode":"NOT_FOUND"}}]}}
        """)
  }

  // MARK: Containers

  @Test("results of sharing calls are written by hand")
  func written() async throws {
    let (anna, nobody) = (SharingContainer.anna, SharingContainer.nobody)
    let trip = try SharingContainer.metadata("trip")
    let full = try SharingContainer.metadata("full")
    let participant = ShareParticipant(userIdentity: UserIdentity(userRecordName: "_anna"))
    let unknown = CloudError(.unknownItem)
    let container = ReplayingContainer(results: [
      .shareParticipants([anna: participant], errors: [nobody: unknown]),
      .shareMetadatas(
        [SharingContainer.tripLink: trip], errors: [SharingContainer.noLink: unknown]),
      .accept([trip: trip.share], errors: [full: CloudError(.tooManyParticipants)]),
    ])
    let users = try await container.shareParticipants(for: [anna, nobody])
    #expect(try users[anna]?.get() == participant)
    #expect(users[nobody]?.cloudError?.code == .unknownItem)
    let links = try await container.shareMetadatas(for: [SharingContainer.tripLink])
    #expect(try links[SharingContainer.tripLink]?.get() == trip)
    #expect(links[SharingContainer.noLink]?.cloudError?.code == .unknownItem)
    let accepted = try await container.accept([trip, full])
    #expect(try accepted[trip]?.get() == trip.share)
    #expect(accepted[full]?.cloudError?.code == .tooManyParticipants)
    try container.finish()
  }

  @Test("a call of a database requires a database")
  func databases() async {
    let call = CloudCall(.allRecordZones)
    let error = await cloudError { try await SharingContainer().send(call) }
    #expect(error?.code == .invalidArguments)
  }

  @Test("changes of the account pass a recording, which does not have them; a replay has none")
  func accountChanges() async throws {
    func statuses(_ container: some CloudContainer) async -> [AccountStatus] {
      var statuses: [AccountStatus] = []
      for await status in container.accountChanges() { statuses.append(status) }
      return statuses
    }
    let container = RecordingContainer(SharingContainer())
    #expect(await statuses(container) == [.noAccount, .available])
    let recording = try container.recording()
    #expect(recording.calls.isEmpty)
    #expect(await statuses(ReplayingContainer(recording)).isEmpty)
  }
}
