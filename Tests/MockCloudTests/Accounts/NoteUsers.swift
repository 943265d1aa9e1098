import CloudInterface
import MockCloud
import RecordModel

/// A container of mira with the zones "Notes" and "Work", and the accounts of kenji and ada.
struct NoteUsers {
  let container: MockContainer
  let kenji: MockAccount
  let ada: MockAccount

  static let work = ZoneID(zoneName: "Work")
  /// The zone "Notes" as participants see it.
  static let zone = ZoneID(zoneName: "Notes", ownerName: "_mira")

  init(rules: ServerRules = .native) async throws {
    container = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.x", currentUserRecordName: "_mira"), rules: rules,
      now: { testDate })
    kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
    ada = try container.account("_ada")
    for zoneID in [notes, Self.work] { try await mira.save(RecordZone(zoneID: zoneID)) }
  }

  var mira: MockDatabase { container.privateCloudDatabase }

  /// Shares a stored or new note of mira's.
  func share(
    _ root: String, _ name: String, _ participants: [ShareParticipant], zone: ZoneID = notes
  ) async throws {
    let stored = try? await mira.record(for: id(root, in: zone))
    var draft = stored.map { DraftRecord($0) } ?? note(root, in: zone)
    let share = DraftRecord(sharing: &draft, participants: participants, recordName: name)
    try await mira.modifyRecords(saving: [draft, share], deleting: [])
  }
}

/// The identifier of a record of mira's as participants see it.
func seen(_ name: String, _ zone: String = "Notes") -> RecordID {
  id(name, in: ZoneID(zoneName: zone, ownerName: "_mira"))
}

/// A participant of a share, who has accepted unless something else is said.
func participant(
  _ name: String, _ permission: ShareParticipant.Permission = .readWrite,
  _ status: ShareParticipant.AcceptanceStatus = .accepted,
  role: ShareParticipant.Role = .privateUser
) -> ShareParticipant {
  ShareParticipant(
    role: role, permission: permission, acceptanceStatus: status,
    userIdentity: UserIdentity(userRecordName: name))
}
