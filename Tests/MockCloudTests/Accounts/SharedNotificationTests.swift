import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

private func shared(_ name: String) -> RecordID { id(name, in: SharedNotes.zone) }

@Suite("Notifications of the shared database")
struct SharedNotificationTests {
  @Test("come to the devices of those who see what has changed")
  func notifications() async throws {
    var rules = ServerRules.native
    rules.delivery = .each
    let notes = try await SharedNotes(rules: rules)
    let (ofKenji, ofAda) = (notes.kenji.device("Phone"), notes.ada.device("Phone"))
    let ofMira = notes.container.device("Phone")
    let all = CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))
    for device in [ofKenji, ofAda] { try await device.sharedCloudDatabase.save(all) }
    try await notes.mira.save(all)
    try await notes.accept(notes.kenji)
    #expect(ofKenji.takeNotifications().map(\.databaseScope) == [.shared])
    #expect(ofMira.takeNotifications().map(\.databaseScope) == [.private])
    try await notes.mira.save(note("private2"))
    #expect(ofKenji.takeNotifications().isEmpty)
    _ = ofMira.takeNotifications()
    try await ofKenji.sharedCloudDatabase.save(note("new", below: "root", in: SharedNotes.zone))
    #expect(ofKenji.takeNotifications().isEmpty)
    #expect(ofMira.takeNotifications().count == 1)
    try await ofMira.privateCloudDatabase.deleteRecord(withID: id("new"))
    #expect(ofKenji.takeNotifications().count == 1)
    #expect(ofMira.takeNotifications().isEmpty && ofAda.takeNotifications().isEmpty)
  }

  @Test("come to who sees a deleted record, in any order of the deletions")
  func deletions() async throws {
    for order in 0..<2 {
      let users = try await NoteUsers()
      var root = DraftRecord(recordType: "List", recordID: id("list"))
      let share = DraftRecord(
        sharing: &root, participants: [participant("_kenji")], recordName: "share")
      try await users.mira.modifyRecords(saving: [root, share], deleting: [])
      try await users.mira.save(note("item", below: "list"))
      let phone = users.kenji.device("Phone")
      try await users.kenji.sharedCloudDatabase.save(
        CloudSubscription(subscriptionID: "t", kind: .database(recordType: "Note")))
      let both = [id("list"), id("item")]
      try await users.mira.modifyRecords(saving: [], deleting: order == 0 ? both : both.reversed())
      #expect(phone.takeNotifications().count == 1, "order \(order)")
    }
  }

  @Test("of a zone come for records that ceased to be visible")
  func lostRecords() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    try await users.mira.save(note("child", below: "root"))
    try await users.mira.save(note("elsewhere"))
    let phone = users.kenji.device("P")
    try await users.kenji.sharedCloudDatabase.save(
      CloudSubscription(subscriptionID: "z", kind: .zone(NoteUsers.zone, recordType: nil)))
    try await users.kenji.sharedCloudDatabase.save(
      CloudSubscription(subscriptionID: "d", kind: .database(recordType: nil)))
    var draft = DraftRecord(try await users.mira.record(for: id("child")))
    draft.parent = Reference(recordID: id("elsewhere"))
    try await users.mira.save(draft)
    #expect(Set(phone.takeNotifications().map(\.subscriptionID)) == ["z", "d"])
  }
}
