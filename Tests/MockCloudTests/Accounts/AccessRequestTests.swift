import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Requests for access to a share, administrators, and links for one participant (SDKs of 2025).
struct AccessRequestTests {
  private func ask(_ account: MockAccount, _ notes: SharedNotes) async throws -> CloudError? {
    let url = try await notes.url()
    return await cloudError { try await account.requestShareAccess(for: url) }
  }

  private func share(_ notes: SharedNotes) async throws -> Share {
    try #require(try await notes.mira.record(for: id("share")).shareInfo)
  }

  @Test("a share does not take requests, and is not known, unless it allows them")
  func notAllowed() async throws {
    let notes = try await SharedNotes()
    #expect(try await share(notes).allowsAccessRequests == false)
    #expect(try await ask(notes.ada, notes)?.code == .unknownItem)
    let other = try #require(URL(string: "https://www.icloud.com/share/none"))
    #expect(
      await cloudError { try await notes.ada.requestShareAccess(for: other) }?.code == .unknownItem)
  }

  @Test("a requester waits until the owner adds a participant")
  func approval() async throws {
    let notes = try await SharedNotes()
    try await notes.changeShare { $0.allowsAccessRequests = true }
    let tag = try await notes.mira.tag("share")
    #expect(try await ask(notes.ada, notes) == nil)
    #expect(try await ask(notes.ada, notes) == nil)
    #expect(try await notes.mira.tag("share") != tag)
    let waiting = try await share(notes).requesters
    #expect(waiting.map(\.userRecordName) == ["_ada"])
    #expect(try await notes.ada.sharedCloudDatabase.allRecordZones().isEmpty)

    let info = try #require(waiting.first?.lookupInfo)
    let found = try #require(try await notes.container.shareParticipants(for: [info])[info]?.get())
    try await notes.changeShare { $0.addParticipant(found) }
    let approved = try await share(notes)
    #expect(approved.requesters.isEmpty)
    let ada = approved.participants.first { $0.userIdentity.userRecordName == "_ada" }
    #expect(ada?.isApprovedRequester == true)
    let kenji = approved.participants.first { $0.userIdentity.lookupInfo?.emailAddress != nil }
    #expect(kenji?.isApprovedRequester == false)
    try await notes.accept(notes.ada)
    #expect(try await notes.ada.sharedCloudDatabase.allRecordZones().count == 1)
    #expect(try await ask(notes.ada, notes)?.code == .participantAlreadyInvited)
    try notes.verify()
  }

  @Test("a denied user may ask again; a blocked user may not, until unblocked")
  func denial() async throws {
    let notes = try await SharedNotes()
    try await notes.changeShare { $0.allowsAccessRequests = true }
    #expect(try await ask(notes.ada, notes) == nil)
    try await notes.changeShare { $0.denyRequesters($0.requesters) }
    #expect(try await share(notes).requesters.isEmpty)
    #expect(try await ask(notes.ada, notes) == nil)
    try await notes.changeShare { $0.blockRequesters($0.requesters) }
    let blocked = try await share(notes)
    #expect(blocked.requesters.isEmpty)
    #expect(blocked.blockedIdentities.map(\.userRecordName) == ["_ada"])
    #expect(try await ask(notes.ada, notes)?.code == .permissionFailure)
    try await notes.changeShare { $0.unblockIdentities($0.blockedIdentities) }
    #expect(try await ask(notes.ada, notes) == nil)
  }

  @Test("a participant who is blocked is removed")
  func blockedParticipant() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    try await notes.changeShare { share in
      share.blockRequesters(share.participants.dropFirst().map(\.userIdentity))
    }
    #expect(try await notes.kenji.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(try await share(notes).participants.count == 1)
  }

  @Test("administrators decide about requests; other participants do not see them")
  func administrators() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    try await notes.changeShare { $0.allowsAccessRequests = true }
    #expect(try await ask(notes.ada, notes) == nil)
    let shared = notes.kenji.sharedCloudDatabase
    var draft = DraftRecord(try await shared.record(for: seen("share")))
    #expect(draft.shareInfo?.requesters.isEmpty == true)
    try draft.updateShare { $0.allowsAccessRequests = false }
    let refused = draft
    #expect(await cloudError { try await shared.save(refused) }?.code == .permissionFailure)
    // A change of the title keeps the requests.
    var titled = DraftRecord(try await shared.record(for: seen("share")))
    titled[Share.titleKey] = "Ours"
    try await shared.save(titled)
    #expect(try await share(notes).requesters.count == 1)

    try await notes.changeShare { $0.participants[1].role = .administrator }
    draft = DraftRecord(try await shared.record(for: seen("share")))
    #expect(draft.shareInfo?.requesters.count == 1)
    try draft.updateShare { $0.denyRequesters($0.requesters) }
    try await shared.save(draft)
    #expect(try await share(notes).requesters.isEmpty)
  }

  @Test("a one-time link makes the first user who opens it the participant, and no other")
  func oneTimeURL() async throws {
    let notes = try await SharedNotes()
    var guest = ShareParticipant.oneTimeURLParticipant()
    guest.permission = .readWrite
    let guestID = try #require(guest.participantID)
    try await notes.changeShare { $0.addParticipant(guest) }
    let url = try #require(try await share(notes).oneTimeURL(for: guestID))
    let general = try await notes.url()
    #expect(url != general)
    #expect(
      await cloudError { try await notes.accept(notes.ada) }?.code
        == .participantMayNeedVerification)

    let metadata = try await notes.ada.shareMetadata(for: url)
    #expect(metadata.participantPermission == .readWrite && metadata.participantStatus == .pending)
    try await notes.ada.accept(metadata)
    try await notes.ada.sharedCloudDatabase.save(note("new", below: "root", in: SharedNotes.zone))
    let accepted = try await share(notes)
    #expect(accepted.participants.last?.userIdentity.userRecordName == "_ada")
    #expect(accepted.oneTimeURL(for: guestID) == url)

    let eve = try notes.container.account("_eve")
    let second = await cloudError { try await eve.shareMetadata(for: url) }
    #expect(second?.code == .participantMayNeedVerification)
    let late = await cloudError { try await eve.accept(metadata) }
    #expect(late?.code == .participantMayNeedVerification)
  }

  @Test("requests are recorded, replayed, and fail by faults")
  func calls() async throws {
    let notes = try await SharedNotes()
    try await notes.changeShare { $0.allowsAccessRequests = true }
    let url = try await notes.url()
    let faulty = FaultInjectingContainer(notes.ada)
    faulty.faults.fail(.requestShareAccess, with: .error(.zoneBusy, "later"))
    let error = await cloudError { try await faulty.requestShareAccess(for: url) }
    #expect(error == CloudError(.zoneBusy, "later"))
    try await faulty.requestShareAccess(for: url)
    #expect(try await share(notes).requesters.count == 1)

    let replaying = ReplayingContainer(results: [.requestShareAccess([url])])
    try await replaying.requestShareAccess(for: url)
  }
}
