import Foundation
import RecordPack

/// The chat app Tact's records as its version 1 wrote them: what a chain of migrations begins with.
struct TactData {
  let records: Int
  let seed: UInt64

  private static let zone = ZoneID(zoneName: "Chats")
  private static let user = "_6d697261000000000000000000000001"

  /// One chat and one read marker for each hundred records.
  private var chats: Int { max(1, records / 100) }
  private var privateNames: Int { chats / 3 }
  private var messages: Int { max(0, records - 2 * chats - privateNames) }

  /// Writes all of it in the order of a bundle.
  func write(to writer: BundleWriter) throws {
    try writer.write(RecordZone(zoneID: Self.zone), database: .private)
    for number in 0..<chats { try writer.write(chat(number), database: .private) }
    for number in 0..<messages { try writer.write(message(number), database: .private) }
    for number in 0..<privateNames { try writer.write(privateName(number), database: .private) }
    for number in 0..<chats { try writer.write(marker(number), database: .private) }
  }

  /// A UUID; those of one kind come in the order of their numbers.
  private static func name(_ kind: UInt64, _ number: Int) -> String {
    var random = SplitMix64(seed: kind, stream: kind, index: number)
    let high = UInt64(number) << 36 | random.next() >> 28
    let digits = String(high, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    let low = String(random.next() >> 4 | 8 << 60, radix: 16, uppercase: true)
    return "\(padded.prefix(8))-\(padded.dropFirst(8).prefix(4))-4\(padded.suffix(3))-"
      + "\(low.prefix(4))-\(low.suffix(12))"
  }

  private func record(
    _ type: String, _ name: String, _ number: Int, _ fields: [Field]
  ) -> ResultRecord {
    let created = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 7.125)
    let stamp = RecordStamp(date: created, userRecordName: Self.user, deviceID: "MIRAS-PHONE")
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: Self.zone), recordType: type,
        recordChangeTag: String(number + 1, radix: 36), created: stamp, modified: stamp),
      fields: fields)
  }

  private func reference(toChat number: Int) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: Self.name(1, number), zoneID: Self.zone)))
  }

  private func chat(_ number: Int) -> ResultRecord {
    var random = SplitMix64(seed: seed, stream: 1, index: number)
    let count = random.happens(2) ? "many" : String(random.below(2000))
    return record(
      "Chat", Self.name(1, number), number,
      [
        Field(name: "memberNames", value: .stringList(["Mira", "Kenji", "Inês"])),
        Field(name: "messageCount", value: .string(count)),
        Field(name: "title", value: .string(ChatText.sentence(&random, atMost: 6))),
      ])
  }

  private func message(_ number: Int) -> ResultRecord {
    var random = SplitMix64(seed: seed, stream: 2, index: number)
    var fields: [Field] = []
    if random.happens(2) {
      let bytes = (0..<(200 + random.below(1800))).map { _ in UInt8(random.below(256)) }
      fields.append(Field(name: "attachment", value: .bytes(Data(bytes))))
    }
    let sent = Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(number) * 7.125)
    fields.append(Field(name: "chat", value: reference(toChat: random.below(chats))))
    fields.append(Field(name: "sentAt", value: .timestamp(sent)))
    fields.append(Field(name: "text", value: .string(ChatText.sentence(&random))))
    return record("Message", Self.name(2, number), number, fields)
  }

  private func privateName(_ number: Int) -> ResultRecord {
    var random = SplitMix64(seed: seed, stream: 3, index: number)
    return record(
      "PrivateName", Self.name(3, number), number,
      [
        Field(name: "chat", value: reference(toChat: number)),
        Field(name: "title", value: .string(ChatText.sentence(&random, atMost: 4))),
      ])
  }

  private func marker(_ number: Int) -> ResultRecord {
    let read = Date(timeIntervalSinceReferenceDate: 707_000_000 + Double(number))
    return record(
      "ReadMarker", Self.name(4, number), number,
      [
        Field(name: "chat", value: reference(toChat: number)),
        Field(name: "readUpTo", value: .timestamp(read)),
      ])
  }
}
