import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite("Shares in CloudKit's layout")
struct ShareArchiveTests {
  private typealias Samples = KeyedArchiveSamples

  private static let guest = ShareParticipant(
    participantID: "guest", role: .publicUser, permission: .readOnly, acceptanceStatus: .pending,
    userIdentity: UserIdentity(
      userRecordName: "_guest", nameComponents: .init(givenName: "G", nickname: "gg"),
      lookupInfo: .init(phoneNumber: "1", userRecordName: "_guest")))
  private static let owner = ShareParticipant(
    participantID: "owner", role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
    userIdentity: UserIdentity())

  private let fields = SystemFields(
    recordID: RecordID(recordName: "share", zoneID: ZoneID(zoneName: "Notes")),
    recordType: Share.recordType)

  private func encode(_ share: Share, in fields: SystemFields) throws -> Data {
    var draft = DraftRecord(systemFields: fields)
    draft.shareInfo = share
    return try draft.systemFields.encodeSystemFields()
  }

  @Test("a share made from nothing is read back")
  func fromNothing() throws {
    let share = Share(
      publicPermission: .readOnly, participants: [Self.owner, Self.guest], owner: Self.owner,
      currentUserParticipant: Self.guest, link: "https://www.icloud.com/share/0kL")
    let data = try encode(share, in: fields)
    let read = try ArchivedRecord(keyedArchive: data)
    #expect(read.share == share)
    #expect(DraftRecord(systemFields: read.systemFields).shareInfo == share)
    #expect(try encode(share, in: read.systemFields) == data)
  }

  @Test(
    "a new change tag of a share leaves its special fields",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"))
  func newTag() throws {
    let archived = try ArchivedRecord(keyedArchive: Samples.data(Samples.share))
    var fields = archived.systemFields
    fields.recordChangeTag = "new"
    let read = try ArchivedRecord(keyedArchive: fields.encodeSystemFields())
    #expect(read.systemFields.recordChangeTag == "new")
    #expect(read.share == archived.share)
  }

  @Test("special fields that are not as they should be are an error")
  func malformedMembers() {
    var fields = fields
    fields.otherMembers = [OtherMember(name: "participants", value: RawJSON(compact: "7"))]
    #expect(throws: RecordCodingError.self) { try fields.encodeSystemFields() }
  }

  @Test("every role, permission and status has its own number")
  func numbers() {
    #expect(ShareParticipant.Role.allCases.map(\.archivedNumber) == [0, 1, 2, 3, 4])
    #expect(ShareParticipant.Permission.allCases.map(\.archivedNumber) == [0, 1, 2, 3])
    let statuses = ShareParticipant.AcceptanceStatus.allCases
    #expect(statuses.map(\.archivedNumber) == [0, 1, 2, 3, 3])
    for role in ShareParticipant.Role.allCases {
      #expect(ShareParticipant.Role(archived: role.archivedNumber) == role)
    }
    for number: Int64? in [nil, -1, 99, .max] {
      #expect(ShareParticipant.Permission(archived: number) == .unknown)
    }
  }

  @Test(
    "a changed share is read back",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"))
  func changing() throws {
    let archived = try ArchivedRecord(keyedArchive: Samples.data(Samples.share))
    var share = try #require(archived.share)
    share.publicPermission = .readOnly
    share.participants[0].acceptanceStatus = .removed
    share.participants[1].permission = .readOnly
    share.participants.append(Self.guest)
    let data = try encode(share, in: archived.systemFields)
    let read = try #require(ArchivedRecord(keyedArchive: data).share)
    #expect(read.participants == share.participants)
    #expect(read.publicPermission == .readOnly)
    #expect(read.currentUserParticipant == share.participants[0])
  }

  @Test(
    "a participant who is removed leaves no trace among the participants",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"))
  func removing() throws {
    let archived = try ArchivedRecord(keyedArchive: Samples.data(Samples.share))
    var share = try #require(archived.share)
    share.participants.removeLast()
    let data = try encode(share, in: archived.systemFields)
    let read = try #require(ArchivedRecord(keyedArchive: data).share)
    #expect(read.participants == share.participants)
    #expect(read.currentUserParticipant == share.currentUserParticipant)
  }
}
