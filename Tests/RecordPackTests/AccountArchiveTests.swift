import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("The accounts of a container")
struct AccountArchiveTests {
  private let notes = ZoneID(zoneName: "Notes")
  private let shared = ZoneID(zoneName: "Notes", ownerName: "_mira")

  /// A container of mira, who shares a note with kenji; kenji has a note of his own.
  private func makeContainer() async throws -> MockContainer {
    let container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"))
    let kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
    for database in [container.privateCloudDatabase, kenji.privateCloudDatabase] {
      try await database.save(RecordZone(zoneID: notes))
    }
    var root = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "r", zoneID: notes))
    let invited = ShareParticipant(
      permission: .readWrite, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharing: &root, participants: [invited], recordName: "share")
    try await container.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
    let saved = try await container.privateCloudDatabase.record(for: share.recordID)
    let url = try #require(saved.shareInfo?.url)
    try await kenji.accept(kenji.shareMetadata(for: url))
    try await kenji.privateCloudDatabase.save(
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "k", zoneID: notes)))
    try await kenji.sharedCloudDatabase.save(
      CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)))
    return container
  }

  @Test("survive export and import, with what the users share")
  func roundTrip() async throws {
    let folder = try TestFolder()
    let container = try await makeContainer()
    let archiver = Archiver()
    try archiver.export(container, to: folder.path("a.recordpack"))
    let copy = try MockContainer.open(path: folder.path("copy.sqlite"), mode: .create)
    try archiver.importBundle(BundleReader(path: folder.path("a.recordpack")), into: copy)
    #expect(try copy.accounts == container.accounts)
    let kenji = try copy.account("_kenji")
    #expect(
      try await kenji.privateCloudDatabase.records(ofType: "Note").map(\.recordID.recordName)
        == ["k"])
    let root = RecordID(recordName: "r", zoneID: shared)
    var draft = DraftRecord(try await kenji.sharedCloudDatabase.record(for: root))
    draft["text"] = "by kenji"
    try await kenji.sharedCloudDatabase.save(draft)
    #expect(
      try await copy.privateCloudDatabase.record(for: RecordID(recordName: "r", zoneID: notes))[
        "text"] == "by kenji")
    #expect(try await kenji.sharedCloudDatabase.allSubscriptions().map(\.subscriptionID) == ["all"])
    #expect(try await copy.privateCloudDatabase.records(ofType: "Note").count == 1)
    try archiver.export(container, to: folder.path("b.recordpack"))
    #expect(
      FileManager.default.contents(atPath: folder.path("a.recordpack"))
        == FileManager.default.contents(atPath: folder.path("b.recordpack")))
  }

  @Test("of a bundle join those of the container that it is imported into")
  func joined() async throws {
    let folder = try TestFolder()
    try Archiver().export(try await makeContainer(), to: folder.path("a.recordpack"))
    let other = try MockContainer.inMemory()
    _ = try other.account("_ada")
    _ = try other.account("_kenji", phoneNumber: "+1 555 0100")
    try Archiver().importBundle(BundleReader(path: folder.path("a.recordpack")), into: other)
    #expect(try other.accounts.map(\.userRecordName) == ["_ada", "_kenji"])
    #expect(try other.accounts.last?.lookupInfo?.phoneNumber == "+1 555 0100")
  }
}
