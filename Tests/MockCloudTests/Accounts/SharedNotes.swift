import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// A container of mira, who shares the note "root" with its child with kenji.
struct SharedNotes {
  let container: MockContainer
  let kenji: MockAccount
  let ada: MockAccount

  /// The zone as participants see it.
  static let zone = ZoneID(zoneName: "Notes", ownerName: "_mira")

  init(
    _ permission: ShareParticipant.Permission = .readWrite,
    publicly publicPermission: ShareParticipant.Permission = .none, rules: ServerRules = .native
  ) async throws {
    container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"), rules: rules,
      now: { testDate })
    kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
    ada = try container.account("_ada")
    try await mira.save(RecordZone(zoneID: notes))
    var root = note("root")
    let invited = ShareParticipant(
      permission: permission,
      userIdentity: UserIdentity(lookupInfo: .init(emailAddress: "kenji@example.com")))
    let share = DraftRecord(
      sharing: &root, participants: [invited], publicPermission: publicPermission, title: "Notes",
      recordName: "share")
    try await mira.modifyRecords(
      saving: [share, root, note("child", below: "root"), note("private")], deleting: [])
  }

  var mira: MockDatabase { container.privateCloudDatabase }

  func url(of share: String = "share") async throws -> URL {
    try #require(try await mira.record(for: id(share)).shareInfo?.url)
  }

  @discardableResult
  func accept(_ account: MockAccount, _ share: String = "share") async throws -> ResultRecord {
    try await account.accept(account.shareMetadata(for: url(of: share)))
  }

  func changeShare(_ name: String = "share", _ body: (inout Share) -> Void) async throws {
    let record = try await mira.record(for: id(name))
    var draft = DraftRecord(record)
    var share = try #require(record.shareInfo)
    body(&share)
    draft.shareInfo = share
    try await mira.save(draft)
  }

  func verify() throws { _ = try container.store.verify { Issue.record("\($0)") } }
}
