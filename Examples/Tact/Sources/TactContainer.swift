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
    for person in Person.everyone {
      try save([person.userRecord()], in: .public, as: person)
    }
    clock.advance(minutes: 30)
    for (name, keywords) in [("Tea time", ["tea", "cosy", "🫖"]), ("Ólafur the cat", ["cat"])] {
      let pack = StickerPack(
        recordName: random.uuid(), name: name, keywords: keywords, releasedAt: clock.now,
        images: (1...3).map { Picture.sunset(width: 32, height: 32, hue: 40 * $0) })
      try save([pack.draft()], in: .public)
    }
    let newStickers = CloudSubscription(
      subscriptionID: "new-stickers",
      kind: .query(
        RecordQuery(
          recordType: StickerPack.recordType,
          filters: [QueryFilter("releasedAt", .greaterThan, .timestamp(clock.now))],
          sort: [QuerySort("releasedAt", ascending: false)]),
        zoneID: nil, firesOn: [.create], firesOnce: false),
      notificationInfo: NotificationInfo(alertBody: "New stickers!", desiredKeys: ["name"]))
    try container.transaction { try $0.save(newStickers, in: .public) }
  }

  /// What belongs to Mira: her chats, one of them shared, and the traces of what she deleted.
  mutating func privateDatabase() throws {
    let scraps = ZoneID(zoneName: "Scraps")
    try container.transaction { transaction in
      for zoneID in [TactContainer.zoneID, scraps] {
        try transaction.save(RecordZone(zoneID: zoneID), in: .private)
      }
    }
    // Names that examples can say.
    let chats = [
      Chat(recordName: "chat-1", title: "Hiking club", emoji: "🥾", members: Person.everyone),
      Chat(recordName: "chat-2", title: "Mum & me", emoji: "🌷", members: [.mira, .ines]),
      Chat(recordName: "chat-3", title: "東京 2024", emoji: "🗼", members: [.mira, .kenji]),
    ]
    for chat in chats {
      let messages = try converse(in: chat, messages: 60, database: .private)
      if chat.title == "Mum & me", let last = messages.last {
        try container.transaction { try $0.delete(last, in: .private) }
      }
    }
    try share(chats[0], in: .private)
    let subscriptions = [
      CloudSubscription(subscriptionID: "all-changes", kind: .database(recordType: nil)),
      CloudSubscription(
        subscriptionID: "chat-changes", kind: .zone(TactContainer.zoneID, recordType: nil),
        notificationInfo: NotificationInfo(shouldBadge: true, shouldSendContentAvailable: true)),
    ]
    try container.transaction { transaction in
      for subscription in subscriptions { try transaction.save(subscription, in: .private) }
      try transaction.deleteZone(scraps, in: .private)
    }
  }

  /// What others have shared with Mira: Kenji's chat lies in Kenji's zone.
  mutating func sharedDatabase() throws {
    let zoneID = ZoneID(zoneName: "Chats", ownerName: Person.kenji.recordName)
    try container.transaction { try $0.save(RecordZone(zoneID: zoneID), in: .shared) }
    let chat = Chat(
      recordName: random.uuid(), zoneID: zoneID, title: "Band practice 🥁", emoji: "🎸",
      members: [.kenji, .mira])
    _ = try converse(in: chat, messages: 12, database: .shared)
  }

  /// Saves records at the time of the clock.
  func save(
    _ drafts: [DraftRecord], in database: DatabaseScope, as author: Person? = nil,
    deviceID: String? = nil
  ) throws {
    try container.transaction {
      try $0.save(drafts, in: database, savingAs: author?.recordName, deviceID: deviceID)
    }
  }
}
