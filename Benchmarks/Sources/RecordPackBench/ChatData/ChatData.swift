import Foundation
import RecordPack

/// The data set of the benchmarks: chats, messages and reactions of 50 users, the same records for
/// the same number and seed, in the order of a bundle.
///
/// Nothing is kept: a set of any size is made in the memory of one record.
struct ChatData {
  let plan: ChatPlan

  init(records: Int, seed: UInt64 = 1) {
    plan = ChatPlan(records: records, seed: seed)
  }

  /// Calls `body` with each record in canonical order.
  func forEachRecord(_ body: (ResultRecord, DatabaseScope) throws -> Void) rethrows {
    for zone in plan.zones {
      for kind in ChatPlan.Kind.allCases {
        for index in 0..<zone.count(of: kind) {
          try body(record(kind, index, in: zone), zone.database)
        }
      }
    }
  }

  private func record(_ kind: ChatPlan.Kind, _ index: Int, in zone: ChatPlan.Zone) -> ResultRecord {
    var random = SplitMix64(
      seed: plan.seed, stream: 1 << 32 | zone.number << 8 | kind.rawValue, index: index)
    let created = stamp(&random)
    var modified = created
    if random.happens(20) {
      let later = created.date?.addingTimeInterval(Double(random.below(100_000_000)) / 1000)
      modified = stamp(&random, date: later.map { Self.wholeMilliseconds($0) })
    }
    var system = SystemFields(
      recordID: plan.recordID(kind, index, in: zone), recordType: kind.recordType,
      recordChangeTag: String(random.below(2_000_000_000), radix: 36), created: created,
      modified: modified)
    let fields: [Field]
    switch kind {
    case .chat:
      fields = chat(&random)
    case .message:
      system.parent = Reference(
        recordID: plan.recordID(.chat, random.below(zone.chats), in: zone))
      fields = message(index, in: zone, &random)
    case .reaction:
      let message = plan.recordID(.message, random.below(zone.messages), in: zone)
      system.parent = Reference(recordID: message)
      fields = reaction(to: message, &random)
    }
    return ResultRecord(systemFields: system, fields: fields)
  }

  private func chat(_ random: inout SplitMix64) -> [Field] {
    [
      Field(
        name: "members",
        value: .stringList((0..<(2 + random.below(6))).map { _ in user(&random) })),
      Field(name: "title", value: .string(ChatText.sentence(&random, atMost: 8))),
    ]
  }

  private func message(
    _ index: Int, in zone: ChatPlan.Zone, _ random: inout SplitMix64
  ) -> [Field] {
    var fields: [Field] = []
    if random.happens(10) {
      fields.append(
        Field(
          name: "note", value: .string(ChatText.sentence(&random, atMost: 16)), isEncrypted: true))
    }
    if random.happens(8) {
      let bytes = (0..<(24 + random.below(96))).map { _ in UInt8(truncatingIfNeeded: random.next())
      }
      fields.append(Field(name: "preview", value: .bytes(Data(bytes))))
    }
    if random.happens(40) {
      let related = (0..<(1 + random.below(3))).map { _ in
        Reference(recordID: plan.recordID(.message, random.below(zone.messages), in: zone))
      }
      fields.append(Field(name: "relatedRecords", value: .referenceList(related)))
    }
    if random.happens(30) {
      let score = random.happens(80) ? Double(random.below(10_000)) / 100 : random.unit()
      fields.append(Field(name: "score", value: .double(score)))
    }
    fields.append(Field(name: "sentAt", value: .timestamp(date(&random))))
    fields.append(Field(name: "sequence", value: .int64(Int64(index))))
    fields.append(Field(name: "text", value: .string(ChatText.sentence(&random))))
    return fields
  }

  private func reaction(to message: RecordID, _ random: inout SplitMix64) -> [Field] {
    [
      Field(
        name: "emoji", value: .string(ChatText.emoji[random.below(ChatText.emoji.count)])),
      Field(
        name: "relatedRecords",
        value: .referenceList([Reference(recordID: message, action: .deleteSelf)])),
    ]
  }

  private func user(_ random: inout SplitMix64) -> String {
    plan.users[random.below(plan.users.count)]
  }

  private func stamp(_ random: inout SplitMix64, date: Date? = nil) -> RecordStamp {
    RecordStamp(date: date ?? serverDate(&random), userRecordName: user(&random))
  }

  /// A time of a server: whole milliseconds.
  private func serverDate(_ random: inout SplitMix64) -> Date {
    Self.date(milliseconds: random.below(300_000_000_000) + 500_000_000_000)
  }

  /// A time that an app saved: mostly whole milliseconds, and sometimes what is left of them when
  /// a client converts seconds since 1970 in floating point, as `Date(timeIntervalSince1970:)` does.
  private func date(_ random: inout SplitMix64) -> Date {
    let exact = serverDate(&random)
    guard random.happens(20) else { return exact }
    return Date(timeIntervalSince1970: exact.timeIntervalSince1970)
  }

  /// - Parameter milliseconds: since 2001.
  private static func date(milliseconds: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
  }

  private static func wholeMilliseconds(_ date: Date) -> Date {
    self.date(milliseconds: Int((date.timeIntervalSinceReferenceDate * 1000).rounded()))
  }
}
