import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// No message about a recording has the identity of a user, a link, or a value of a share.
struct SharingMessageTests {
  private func recording(of calls: [CloudCall]) async throws -> Recording {
    let container = RecordingContainer(SharingContainer())
    for call in calls { _ = try await container.handle(call) }
    return try container.recording()
  }

  private func replayError(
    _ call: CloudCall, after recorded: CloudCall, _ order: ReplayingContainer.Order = .recorded
  ) async throws -> RecordingError {
    let replaying = ReplayingContainer(try await recording(of: [recorded]), order: order)
    let error = await #expect(throws: RecordingError.self) { try await replaying.handle(call) }
    return try #require(error)
  }

  @Test("a difference between users or links is told without them")
  func hiddenArguments() async throws {
    let (anna, nobody) = (SharingContainer.anna, SharingContainer.nobody)
    let fewer = try await replayError(
      CloudCall(.shareParticipants(lookupInfos: [anna])),
      after: CloudCall(.shareParticipants(lookupInfos: [anna, nobody])))
    #expect(
      fewer.description == """
        call 1 is not the next call of the recording
          found shareParticipants: 1 user
          expected shareParticipants: 2 users
          at lookupInfos: found 1 item, expected 2 items
        """)
    let other = try await replayError(
      CloudCall(.shareParticipants(lookupInfos: [.init(emailAddress: "mira@example.com")])),
      after: CloudCall(.shareParticipants(lookupInfos: [anna])), .matching)
    #expect(
      other.description == """
        call 1 is not in the recording, or was replayed before
          found shareParticipants: 1 user
          expected shareParticipants: 1 user
          at lookupInfos[0].emailAddress: found a hidden value, expected a hidden value
        """)
    let link = try await replayError(
      CloudCall(.shareMetadatas(urls: [SharingContainer.noLink])),
      after: CloudCall(.shareMetadatas(urls: [SharingContainer.tripLink])))
    #expect(
      link.differences.map(\.description) == [
        "urls[0]: found a hidden value, expected a hidden value"
      ])
    let links = try await replayError(
      CloudCall(.shareMetadatas(urls: [SharingContainer.noLink])),
      after: CloudCall(.shareMetadatas(urls: [])))
    #expect(
      links.differences.map(\.description) == ["urls: found 1 item, expected 0 items"])
  }

  @Test("a difference between metadata shows which share it is, and nothing of its values")
  func hiddenMetadata() async throws {
    var found = try SharingContainer.metadata("plan", title: "Summer at Mira's", owner: "Anna")
    found.participantPermission = .readOnly
    let error = try await replayError(
      CloudCall(.accept([found])), after: CloudCall(.accept([SharingContainer.metadata("trip")])))
    let text = error.description
    #expect(!hasPersonalData(text), "\(text)")
    let differences = error.differences.map(\.description)
    #expect(differences.contains(#"metadatas[0].share.recordName: found "plan", expected "trip""#))
    #expect(
      differences.contains(
        #"metadatas[0].participantPermission: found "READ_ONLY", expected "READ_WRITE""#))
    #expect(
      differences.contains(
        "metadatas[0].ownerIdentity.nameComponents.givenName: found a hidden value, "
          + "expected a hidden value"))
    for field in ["cloudkit.title", "guide"] {
      let difference = try #require(differences.first { $0.contains(field) })
      #expect(difference.hasSuffix("found a hidden value, expected a hidden value"))
    }
  }

  @Test("participants and the link of a saved share are told without who and what they are")
  func hiddenShare() async throws {
    func call(_ email: String, _ permission: ShareParticipant.Permission) -> CloudCall {
      var draft = DraftRecord(recordType: Share.recordType, recordID: id("trip"))
      draft["url"] = "https of \(permission)"
      draft.shareInfo = Share(
        participants: [
          ShareParticipant(
            permission: permission,
            userIdentity: UserIdentity(lookupInfo: .init(emailAddress: email)))
        ], shortGUID: "0trip of \(email)", link: "https://www.icloud.com/share/0trip\(email)")
      return CloudCall(
        .modifyRecords(
          saving: [draft], deleting: [], savePolicy: .allKeys, atomically: true), in: .private)
    }
    let container = RecordingContainer(FeedContainer())
    _ = try await container.handle(call("anna@example.com", .readOnly))
    let replaying = ReplayingContainer(try container.recording())
    let error = await #expect(throws: RecordingError.self) {
      try await replaying.handle(call("mira@example.com", .readWrite))
    }
    let differences = try #require(error).differences.map(\.description)
    #expect(
      differences == [
        // A field has a name of the app's.
        #"saving[0].fields.url.value: found "https of readWrite", expected "https of readOnly""#,
        #"saving[0].participants[0].permission: found "READ_WRITE", expected "READ_ONLY""#,
        "saving[0].participants[0].userIdentity.lookupInfo.emailAddress: found a hidden value, "
          + "expected a hidden value",
        "saving[0].shortGUID: found a hidden value, expected a hidden value",
        "saving[0].url: found a hidden value, expected a hidden value",
      ])
  }

  @Test("summaries have counts and the names of shares")
  func summaries() async throws {
    let recording = try await recording(of: try SharingContainer.calls())
    let texts = recording.calls.map { "\($0): \($0.resultSummary)" }
    #expect(
      texts == [
        "shareParticipants: 3 users: 1 user, 2 unknownItem",
        "shareMetadatas: 2 links: 1 share, 1 unknownItem",
        "accept: Notes:trip, Notes:full: 1 share, 1 tooManyParticipants",
      ])
    #expect(recording.calls.map(\.hasFailed) == [true, true, true])
    let replaying = ReplayingContainer(recording)
    #expect(!hasPersonalData("\(replaying.unusedCalls)"))
  }

  @Test(
    "a damaged line is told without personal data",
    arguments: [
      (0, #""emailAddress":"anna@example.com""#, #""emailAddress":["anna@example.com"]"#),
      (1, #""https://www.icloud.com/share/0nothing#Summer""#, #"["0nothing"]"#),
      (1, #""https://www.icloud.com/share/0nothing#Summer""#, #""""#),
      (1, "0nothing", "0trip"),
      (2, #""value":"Summer""#, #""value":["Summer",1]"#),
      (2, #""givenName":"Mira""#, #""givenName":{"Mira":1}"#),
      (2, #""participantRole":"USER""#, #""participantRole":"anna@example.com""#),
    ])
  func damage(number: Int, part: String, replacement: String) async throws {
    let container = RecordingContainer(SharingContainer())
    _ = try await container.handle(try SharingContainer.calls()[number])
    let text = String(decoding: try #require(container.data), as: UTF8.self)
    #expect(text.contains(part))
    let recording = try Recording(Data(text.replacingOccurrences(of: part, with: replacement).utf8))
    let damage = try #require(recording.damage?.description)
    #expect(!hasPersonalData(damage), "\(damage)")
    #expect(recording.calls.isEmpty)
  }
}
