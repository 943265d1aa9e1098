import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

/// The file of a download as a container: change tokens of a server above it.
struct MirrorTests {
  static let notes = ZoneID(zoneName: "Notes")

  private func record(_ name: String, tag: String, _ text: String = "text") -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: Self.notes), recordType: "Note",
        recordChangeTag: tag),
      fields: [Field(name: "text", value: .string(text))])
  }

  private func names(
    _ mock: MockContainer, since token: ServerChangeToken? = nil
  ) async throws -> (names: [String], token: ServerChangeToken) {
    let page = try await mock.privateCloudDatabase.recordZoneChanges(
      inZoneWith: Self.notes, since: token)
    return (page.modificationResultsByID.keys.map(\.recordName).sorted(), page.changeToken)
  }

  @Test("old change tokens expire in a container that is mirrored in parts")
  func tokens() async throws {
    let store = try ContainerStore.inMemory()
    let mock = try MockContainer(store)
    try store.mirrorTransaction { writer in
      try writer.put(RecordZone(zoneID: Self.notes), in: .private)
      try writer.put(record("a", tag: "5"), in: .private)
      try writer.put(record("b", tag: "a"), in: .private)
    }
    let first = try await names(mock)
    #expect(first.names == ["a", "b"])
    #expect(try await names(mock, since: first.token).names == [])

    _ = try store.mirrorTransaction { try $0.put(record("a", tag: "5"), in: .private) }
    #expect(try await names(mock, since: first.token).names == [], "nothing has changed")

    let changes: [@Sendable (MirrorTransaction) throws -> Void] = [
      { [self] in try $0.put(record("a", tag: "b", "other"), in: .private) },
      { try $0.remove(RecordID(recordName: "b", zoneID: Self.notes), from: .private) },
      { [self] in try $0.put(record("c", tag: "1"), in: .private) },
    ]
    for change in changes {
      let token = try await names(mock).token
      try store.mirrorTransaction { try change($0) }
      await #expect(throws: CloudError.self) { try await names(mock, since: token) }
      _ = try store.verify { Issue.record("\($0)") }
    }
    #expect(try await names(mock).names == ["a", "c"])
    #expect(try store.database(.private).tombstones() == [])
    // A save gets a tag that no record of the server has.
    let saved = try store.database(.private).save([DraftRecord(recordType: "Note")])
    #expect(saved[0].recordChangeTag == "c")
  }

  @Test("notes are beside the contents: no bundle has them, and a rollback takes them back")
  func notes() throws {
    struct Stop: Error {}
    let folder = try TestFolder()
    let store = try ContainerStore.inMemory()
    let before = try bundle(of: store, in: folder)
    try store.mirrorTransaction { writer in
      try writer.setNote("mine \"1\"", "text")
      try writer.setNote("mine 2", "other")
      try writer.setNote("mine 2", nil)
    }
    #expect(throws: Stop.self) {
      try store.mirrorTransaction { writer in
        try writer.setNote("mine 3", "lost")
        throw Stop()
      }
    }
    let found = try store.mirrorTransaction { try $0.notes("mine") }
    #expect(found.map(\.name) == ["mine \"1\""])
    #expect(found.map(\.text) == ["text"])
    #expect(try bundle(of: store, in: folder) == before)
    #expect(try store.info() == ContainerInfo())
    _ = try store.verify { Issue.record("\($0)") }
  }

  @Test("a listing removes what it does not have, of its type only")
  func listing() throws {
    let store = try ContainerStore.inMemory()
    try store.mirrorTransaction { writer in
      try writer.put(RecordZone(zoneID: Self.notes), in: .private)
      #expect(try !writer.beginListing(of: Self.notes, "Note", in: .private))
      for name in ["a", "b", "c"] { try writer.put(record(name, tag: "1"), in: .private) }
      let other = ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "o", zoneID: Self.notes), recordType: "Other"),
        fields: [])
      try writer.put(other, in: .private)
    }
    try store.mirrorTransaction { writer in
      #expect(try writer.beginListing(of: Self.notes, "Note", in: .private))
      try writer.noteListed(
        RecordID(recordName: "a", zoneID: Self.notes), "Note", in: .private)
    }
    // Begun anew, it knows nothing of the one before.
    try store.mirrorTransaction { writer in
      #expect(try writer.beginListing(of: Self.notes, "Note", in: .private))
      try writer.noteListed(
        RecordID(recordName: "b", zoneID: Self.notes), "Note", in: .private)
    }
    let removed = try store.mirrorTransaction {
      try $0.endListing(of: Self.notes, "Note", in: .private)
    }
    #expect(removed == 2)
    var names: [String] = []
    try store.database(.private).forEachRecord { names.append($0.recordID.recordName) }
    #expect(names == ["b", "o"])
    _ = try store.verify { Issue.record("\($0)") }
  }
}
