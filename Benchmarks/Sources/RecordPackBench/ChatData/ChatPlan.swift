import RecordPack

/// How many records of each kind a data set has, and what they are called.
///
/// Every name follows from its number alone, and grows with it: records can be made one by one in
/// the order of a bundle, and refer to each other, without any being kept.
struct ChatPlan {
  enum Kind: UInt64, CaseIterable {
    case chat = 1
    case message, reaction

    var recordType: String {
      switch self {
      case .chat: "Chat"
      case .message: "Message"
      case .reaction: "Reaction"
      }
    }
  }

  /// One zone's part of the data set.
  struct Zone {
    let number: UInt64
    let database: DatabaseScope
    let zoneID: ZoneID
    let chats: Int
    let messages: Int
    let reactions: Int

    func count(of kind: Kind) -> Int {
      switch kind {
      case .chat: chats
      case .message: messages
      case .reaction: reactions
      }
    }
  }

  let seed: UInt64
  let zones: [Zone]
  /// The record names of the users who write.
  let users: [String]

  init(records: Int, seed: UInt64) {
    self.seed = seed
    var random = SplitMix64(seed: seed)
    users = (0..<50).map { _ in
      "_" + ChatPlan.hexadecimal(random.next()) + ChatPlan.hexadecimal(random.next())
    }
    let shared = records / 4
    zones = [
      Self.zone(1, .private, ZoneID(zoneName: "Chats"), records - shared),
      Self.zone(2, .shared, ZoneID(zoneName: "Chats", ownerName: users[0]), shared),
    ]
  }

  private static func zone(
    _ number: UInt64, _ database: DatabaseScope, _ zoneID: ZoneID, _ records: Int
  ) -> Zone {
    let chats = max(1, records / 250)
    let messages = max(1, (records - chats) * 11 / 20)
    return Zone(
      number: number, database: database, zoneID: zoneID, chats: chats, messages: messages,
      reactions: max(0, records - chats - messages))
  }

  /// The name of a record: an upper-case UUID of version 4, as apps make them.
  func name(_ kind: Kind, _ index: Int, in zone: Zone) -> String {
    let count = UInt64(max(1, zone.count(of: kind)))
    let step = UInt64.max / count
    var random = SplitMix64(seed: seed, stream: zone.number << 8 | kind.rawValue, index: index)
    var high = UInt64(index) * step + random.next() % max(1, step - 0x1_0000)
    high = high & ~0xF000 | 0x4000
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    return Self.uuid(high, low)
  }

  func recordID(_ kind: Kind, _ index: Int, in zone: Zone) -> RecordID {
    RecordID(recordName: name(kind, index, in: zone), zoneID: zone.zoneID)
  }

  static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { text.append(0x2D) }
      let word = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: word >> UInt64(60 - (digit & 15) * 4)) & 15
      text.append(value < 10 ? 0x30 + value : 0x37 + value)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
