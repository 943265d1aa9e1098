import Foundation
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import Testing

@testable import RecordArchive

@Suite("Values that could be end-to-end encrypted")
struct ProtectionCountTests {
  private static let zone = ZoneID(zoneName: "Chats")
  private static let other = ZoneID(zoneName: "Other")

  private func draft(
    _ name: String, in zone: ZoneID = zone, parent: String? = nil
  ) -> DraftRecord {
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: name, zoneID: zone))
    draft["text"] = "x"
    draft["file"] = Asset(data: Data(name.utf8))
    draft.encryptedValues["secret"] = "x"
    if let parent {
      draft.parent = Reference(recordID: RecordID(recordName: parent, zoneID: zone), action: .none)
    }
    return draft
  }

  private func count(
    _ permission: ShareParticipant.Permission, isZoneWide: Bool = false
  ) throws -> ProtectionCount {
    let container = try ContainerStore.inMemory()
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: Self.zone), RecordZone(zoneID: Self.other)])
    let shareID = RecordID(
      recordName: isZoneWide ? Share.zoneWideRecordName : "share", zoneID: Self.zone)
    var share = DraftRecord(recordType: Share.recordType, recordID: shareID)
    share.shareInfo = Share(publicPermission: permission)
    var root = draft("root")
    if !isZoneWide { root.share = Reference(recordID: shareID, action: .none) }
    let drafts = [
      share, root, draft("child", parent: "root"), draft("grandchild", parent: "child"),
      draft("apart"), draft("root", in: Self.other), draft("circle-1", parent: "circle-2"),
      draft("circle-2", parent: "circle-1"),
    ]
    _ = try database.save(drafts)
    _ = try container.database(.public).save([draft("all", in: ZoneID.default)])
    return try ArchiveSource.container(container).protection()
  }

  private func values(_ count: ProtectionCount, _ name: String) -> [Int] {
    let found = count.fields[.init(recordType: "Note", name: name)] ?? .init()
    return [found.possible, found.publiclyShared, found.publicDatabase, found.never]
  }

  @Test("encrypted values and assets could be, plain values and the public database never")
  func privateShare() throws {
    let count = try count(.none)
    #expect(count.publicShares == 0 && count.publiclySharedRecords == 0)
    #expect(values(count, "secret") == [7, 0, 1, 0])
    #expect(values(count, "file") == [7, 0, 1, 0])
    #expect(values(count, "text") == [0, 0, 1, 7])
  }

  @Test(
    "records below a publicly shared record are not any more",
    arguments: [
      ShareParticipant.Permission.readOnly, .readWrite,
    ])
  func publicShare(_ permission: ShareParticipant.Permission) throws {
    let count = try count(permission)
    #expect(count.publicShares == 1)
    #expect(values(count, "secret") == [4, 3, 1, 0])
    #expect(values(count, "text") == [0, 0, 1, 7])
  }

  @Test("all records of a publicly shared zone are not any more")
  func publicZone() throws {
    #expect(values(try count(.readWrite, isZoneWide: true), "file") == [1, 6, 1, 0])
  }

  @Test("an unknown public permission is told, and does not count as public")
  func unknown() throws {
    let count = try count(.unknown)
    #expect(count.unknownShares == 1 && count.publicShares == 0)
    #expect(values(count, "secret") == [7, 0, 1, 0])
  }

  @Test("the kinds of fields of a schema")
  func fields() {
    #expect(FieldProtection(.encrypted(.string)) == .encryptedValue)
    #expect(FieldProtection(.list(of: .asset)) == .asset)
    #expect(FieldProtection(.list(of: .reference)) == .reference)
    #expect(FieldProtection(.bytes) == .plainValue)
    #expect(FieldProtection.allCases.filter(\.isPossible) == [.encryptedValue, .asset])
  }
}
