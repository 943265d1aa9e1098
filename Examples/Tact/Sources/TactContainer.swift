import Foundation

import RecordPack

/// The whole container: what lies in which database, and in which order it came to be.
///
/// Names, dates and identifiers come from a seed, so every run makes the same container.
enum TactContainer {
  /// The app's own zone; the default zone has no change feed and cannot be shared.
  static let zoneID = ZoneID(zoneName: "Chats")

  static func make(at path: String) throws -> ContainerStore {
    let clock = StoryClock()
    let container = try ContainerStore.open(
      path: path, mode: .create,
      info: ContainerInfo(
        identifier: "iCloud.com.example.tact", environment: .development, schema: tactSchema,
        schemaVersion: "stickers", currentUserRecordName: Person.mira.recordName),
      now: { clock.now })
    var story = Story(container: container, clock: clock)
    try story.publicDatabase()
    try story.privateDatabase()
    try story.sharedDatabase()
    return container
  }
}

/// Tells the story of the container, step by step, as the app would have brought it about.
struct Story {
  let container: ContainerStore
  let clock: StoryClock
  var random = SeededGenerator(seed: 0x7AC7)

  /// What everybody sees: the users, and stickers to send.
  mutating func publicDatabase() throws {
    let database = container.database(.public)
    for person in Person.everyone {
      try database.save([person.userRecord()], savingAs: person.recordName)
    }
    clock.advance(minutes: 30)
    for (name, keywords) in [("Tea time", ["tea", "cosy", "🫖"]), ("Ólafur the cat", ["cat"])] {
      let pack = StickerPack(
        recordName: random.uuid(), name: name, keywords: keywords, releasedAt: clock.now,
        images: (1...3).map { Picture.sunset(width: 32, height: 32, hue: 40 * $0) })
      try database.save([pack.draft()])
    }
    try database.save([
      CloudSubscription(
        subscriptionID: "new-stickers",
        kind: .query(
          RecordQuery(
            recordType: StickerPack.recordType,
            filters: [QueryFilter("releasedAt", .greaterThan, .timestamp(clock.now))],
            sort: [QuerySort("releasedAt", ascending: false)]),
          zoneID: nil, firesOn: [.create], firesOnce: false),
        notificationInfo: NotificationInfo(alertBody: "New stickers!", desiredKeys: ["name"]))
    ])
  }

  /// What belongs to Mira: her chats, one of them shared, and the traces of what she deleted.
  mutating func privateDatabase() throws {
    let database = container.database(.private)
    let scraps = ZoneID(zoneName: "Scraps")
    try database.save([RecordZone(zoneID: TactContainer.zoneID), RecordZone(zoneID: scraps)])
    // Names that examples can say.
    let chats = [
      Chat(recordName: "chat-1", title: "Hiking club", emoji: "🥾", members: Person.everyone),
      Chat(recordName: "chat-2", title: "Mum & me", emoji: "🌷", members: [.mira, .ines]),
      Chat(recordName: "chat-3", title: "東京 2024", emoji: "🗼", members: [.mira, .kenji]),
    ]
    for chat in chats {
      let messages = try converse(in: chat, messages: 60, database: database)
      if chat.title == "Mum & me", let last = messages.last {
        try database.deleteRecords([last])
      }
    }
    try share(chats[0], in: database)
    try database.save([
      CloudSubscription(subscriptionID: "all-changes", kind: .database(recordType: nil)),
      CloudSubscription(
        subscriptionID: "chat-changes", kind: .zone(TactContainer.zoneID, recordType: nil),
        notificationInfo: NotificationInfo(shouldBadge: true, shouldSendContentAvailable: true)),
    ])
    try database.deleteZone(scraps)
  }

  /// What others have shared with Mira: Kenji's chat lies in Kenji's zone.
  mutating func sharedDatabase() throws {
    let database = container.database(.shared)
    let zoneID = ZoneID(zoneName: "Chats", ownerName: Person.kenji.recordName)
    try database.save([RecordZone(zoneID: zoneID)])
    let chat = Chat(
      recordName: random.uuid(), zoneID: zoneID, title: "Band practice 🥁", emoji: "🎸",
      members: [.kenji, .mira])
    _ = try converse(in: chat, messages: 12, database: database)
  }
}
