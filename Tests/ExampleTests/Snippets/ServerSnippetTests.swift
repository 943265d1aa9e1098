import Foundation
import RecordPack
import Testing

/// The code in the articles about the change feed, notifications and shares.
struct ServerSnippetTests {
  private let chats = ZoneID(zoneName: "Chats")

  private func makeContainer() async throws -> MockContainer {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    try await container.privateCloudDatabase.save(RecordZone(zoneID: chats))
    return container
  }

  private var message: DraftRecord {
    var message = DraftRecord(
      recordType: "Message", recordID: RecordID(recordName: "m", zoneID: chats))
    message["text"] = "Hello"
    return message
  }

  @Test("changes are fetched by tokens")
  func changes() async throws {
    let database = try await makeContainer().privateCloudDatabase
    try await database.save(message)
    var databaseToken: ServerChangeToken?
    var tokens: [ZoneID: ServerChangeToken] = [:]
    let changes = try await database.databaseChanges(since: databaseToken)
    for zone in changes.modifications {
      let records = try await database.recordZoneChanges(
        inZoneWith: zone.zoneID, since: tokens[zone.zoneID])
      // Store the records, then the token.
      tokens[zone.zoneID] = records.changeToken
    }
    databaseToken = changes.changeToken
    #expect(Set(tokens.keys) == [chats] && databaseToken != nil)
  }

  @Test("devices receive notifications")
  func notifications() async throws {
    let message = DraftRecord(recordType: "Message", recordID: RecordID(recordName: "m"))
    let container = try MockContainer.inMemory()
    let (phone, tablet) = (container.device("Phone"), container.device("Tablet"))
    try await phone.privateCloudDatabase.save(
      CloudSubscription(
        subscriptionID: "all", kind: .database(recordType: nil),
        notificationInfo: NotificationInfo(shouldSendContentAvailable: true)))

    try await phone.privateCloudDatabase.save(message)
    for notification in tablet.takeNotifications() {
      print(notification.subscriptionID, notification.kind)
    }
    #expect(tablet.notifications.count == 1)
  }

  @Test("the comment on devices")
  func device() async throws {
    let container = try await makeContainer()
    let phone = container.device("Phone")
    let tablet = container.device("Tablet")
    try await phone.privateCloudDatabase.save(
      CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)))
    try await phone.privateCloudDatabase.save(message)
    let received = tablet.notifications  // one for the message; the phone, which saved it, has none
    #expect(received.count == 1 && phone.notifications.isEmpty)
  }

  @Test("a record is shared")
  func share() async throws {
    let database = try await makeContainer().privateCloudDatabase
    var chat = DraftRecord(recordType: "Chat", zoneID: chats)
    let kenji = ShareParticipant(
      permission: .readWrite, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharing: &chat, participants: [kenji], title: "Hiking club")
    try await database.modifyRecords(saving: [chat, share], deleting: [])

    let saved = try await database.record(for: share.recordID)
    let link = try #require(saved.shareInfo?.url)  // made by the server
    #expect(link.host() == "www.icloud.com" && saved.shareInfo?.participants.count == 2)
    try await accept(saved, database.container.account("_kenji"))
  }

  private func accept(_ saved: ResultRecord, _ kenji: MockAccount) async throws {
    try await kenji.accept(saved)
    let shared = try await kenji.sharedCloudDatabase.allRecordZones()  // Chats/_mira
    #expect(shared.map(\.zoneID.description) == ["Chats/_mira"])
  }

  @Test("a share takes requests for access, and has a link for one participant")
  func requests() async throws {
    let container = try await makeContainer()
    let database = container.privateCloudDatabase
    let ada = try container.account("_ada")
    var chat = DraftRecord(recordType: "Chat", zoneID: chats)
    var share = DraftRecord(sharing: &chat, title: "Hiking club")
    try share.updateShare { $0.allowsAccessRequests = true }
    try await database.modifyRecords(saving: [chat, share], deleting: [])
    let saved = try await database.record(for: share.recordID)
    try await guest(saved, database)
    try await approve(ada, share, container, #require(saved.shareInfo?.url))
    let names = try await database.record(for: share.recordID).shareInfo?.participants
      .map(\.userIdentity.userRecordName)
    #expect(names?.contains("_ada") == true)
  }

  private func guest(_ saved: ResultRecord, _ database: MockDatabase) async throws {
    let guest = ShareParticipant.oneTimeURLParticipant()
    var draft = DraftRecord(saved)
    try draft.addParticipant(guest)
    let changed = try await database.save(draft)
    let link = changed.shareInfo?.oneTimeURL(for: guest.participantID ?? "")
    #expect(link != nil)
  }

  private func approve(
    _ ada: MockAccount, _ share: DraftRecord, _ container: MockContainer, _ link: URL
  ) async throws {
    let database = container.privateCloudDatabase
    try await ada.requestShareAccess(for: link)
    var draft = DraftRecord(try await database.record(for: share.recordID))
    for requester in draft.shareInfo?.requesters ?? [] {
      guard let info = requester.lookupInfo else { continue }
      let found = try await container.shareParticipants(for: [info])[info]?.get()
      if let found { try draft.addParticipant(found) }  // or denyRequesters, blockRequesters
    }
    try await database.save(draft)
  }

  @Test("a container has several users")
  func accounts() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    let kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
    try await kenji.privateCloudDatabase.save(RecordZone(zoneID: chats))
    let zones = try await container.privateCloudDatabase.allRecordZones()  // none of kenji's
    #expect(zones.allSatisfy { $0.zoneID.isDefault })

    let phone = container.device("Phone")
    phone.signOut()
    let status = try await phone.accountStatus()  // noAccount
    try phone.signIn(as: kenji)
    let user = try await phone.userRecordID().recordName  // "_kenji"
    #expect(status == .noAccount && user == "_kenji")
  }

  @Test("the comment on accounts")
  func account() async throws {
    let container = try await makeContainer()
    let kenji = try container.account("_kenji", emailAddress: "kenji@example.com")
    try await kenji.privateCloudDatabase.save(RecordZone(zoneID: ZoneID(zoneName: "Notes")))
    #expect(try container.accounts.map(\.userRecordName) == ["_kenji"])
  }
}
