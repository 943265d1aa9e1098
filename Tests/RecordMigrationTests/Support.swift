import Foundation
import RecordModel

@testable import RecordMigration

/// Numbers that are the same in every run (splitmix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 1) % bound }
  mutating func chance(_ part: Int) -> Bool { below(part) == 0 }
}

enum Sample {
  static let zone = ZoneID(zoneName: "Chats")
  static let other = ZoneID(zoneName: "Other")

  static func record(
    _ type: String = "Note", _ name: String = "n1", zone: ZoneID = zone, parent: Reference? = nil,
    _ fields: [String: RecordValue] = [:], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type,
        recordChangeTag: "1a", parent: parent),
      fields: fields.map { Field(name: $0.key, value: $0.value) }
        + encrypted.map { Field(name: $0.key, value: $0.value, isEncrypted: true) })
  }

  static func record(
    _ fields: [String: RecordValue], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    record("Note", "n1", fields, encrypted: encrypted)
  }

  static func reference(_ name: String, zone: ZoneID = zone) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: name, zoneID: zone)))
  }

  /// A value of any type, odd ones among them.
  static func value(_ random: inout Seeded) -> RecordValue {
    let texts = [
      "", "7", "007", "-3", "+4", "3.5", "1e400", "2024-03-01", "2024-03-01T09:00:00Z", "a, b",
      "a, b, c", "many", "low", "high", "ü 雨", "99999999999999999999", " 5", "n2", "true",
    ]
    let numbers: [Int64] = [0, 1, -1, 7, 1000, 1001, .max, .min, 1_700_000_000]
    let doubles = [0, -0.0, 1.5, 7, 1e300, -2.25, 0.1, 9_007_199_254_740_993, 1.7e9]
    func date() -> Date {
      Date(timeIntervalSinceReferenceDate: doubles[random.below(6)] * 1000.0 / 7)
    }
    switch random.below(14) {
    case 0, 1, 2: return .string(texts[random.below(texts.count)])
    case 3: return .int64(numbers[random.below(numbers.count)])
    case 4: return .double(doubles[random.below(doubles.count)])
    case 5: return .timestamp(Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 30))))
    case 6: return .timestamp(date())
    case 7: return .bytes(Data((0..<random.below(9)).map { UInt8($0 * 31) }))
    case 8: return reference("n\(random.below(4))", zone: random.chance(3) ? other : zone)
    case 9: return .stringList((0..<random.below(3)).map { texts[$0 + 1] })
    case 10: return .referenceList([])
    case 11: return .location(Location(latitude: 1, longitude: 2))
    case 12: return .asset(Asset(data: Data([1, 2, 3])))
    default: return .emptyList
    }
  }

  /// A record with fields `a` to `f`, some of them, of any type.
  static func random(_ random: inout Seeded) -> ResultRecord {
    var fields: [String: RecordValue] = [:]
    var encrypted: [String: RecordValue] = [:]
    for name in ["a", "b", "c", "d", "e", "f"] where !random.chance(3) {
      let value = value(&random)
      switch value.type {
      case .asset, .reference, .referenceList, .assetList: fields[name] = value
      default: if random.chance(4) { encrypted[name] = value } else { fields[name] = value }
      }
    }
    let parent =
      random.chance(3)
      ? Reference(recordID: RecordID(recordName: "n\(random.below(4))", zoneID: zone)) : nil
    return record(
      random.chance(2) ? "Note" : "Memo", "n\(random.below(1000))",
      zone: random.chance(4) ? other : zone, parent: parent, fields, encrypted: encrypted)
  }

  /// Steps of every kind, with a condition or without, under any policy they allow.
  static func steps(_ random: inout Seeded) throws -> [MigrationStep] {
    let conversions = try [
      Conversion(to: .int64, from: .string), Conversion(to: .string, from: .int64),
      Conversion(to: .double, from: .int64), Conversion(to: .int64, from: .double),
      Conversion(to: .timestamp, from: .string, dateForm: DateForm("yyyy-MM-dd")),
      Conversion(to: .string, from: .timestamp, dateForm: .iso8601),
      Conversion(to: .timestamp, from: .int64, dateForm: .milliseconds),
      Conversion(to: .double, from: .timestamp, dateForm: .seconds),
      Conversion(to: .stringList, from: .string), Conversion(to: .string, from: .stringList),
      Conversion(to: .asset, from: .bytes), Conversion(to: .bytes, from: .asset),
      Conversion(to: .string, from: .reference), Conversion(to: .reference, from: .string),
      Conversion(to: nil, scale: UnitScale(multiplyBy: 1000)),
      Conversion(to: nil, scale: UnitScale(divideBy: 1000)),
      Conversion(to: .int64, from: .double, scale: UnitScale(multiplyBy: 1000)),
    ]
    let map = MigrationAction.ValueMap(
      [.string("low"): .int64(1), .string("high"): .int64(2), .int64(7): .string("seven")],
      otherwise: random.chance(2) ? .keep : .misfit)
    let prefix = try RecordExpression("'x-' + recordName")
    let unprefix = try RecordExpression(
      "if(starts(recordName, 'x-'), replace(recordName, 'x-', ''), recordName)")
    let actions: [MigrationAction] =
      conversions.map { .convert("a", $0) } + [
        .renameType(to: "Page"), .mergeTypes(into: "Thing", discriminator: "kind"),
        .renameField("a", to: "g"), .renameField("a", to: "b"),
        .addField("g", .constant(.int64(3))), .addField("g", .field("b"), isEncrypted: true),
        .addField("g", .expression(try RecordExpression("length(b) + 1")), type: .int64),
        .split("a", into: ["g", "h"], separator: ", "),
        .join(["a", "b"], into: "g", separator: ", "), .mapValues("a", map), .encrypt("a"),
        .decrypt("a"), .setParent(from: "a"), .setParent(from: "a", keepsField: false),
        .setReference("g"), .setReference("a", .none, keepsParent: false),
        .move(to: other, from: zone), .renameRecords(prefix, reverse: unprefix), .dropField("a"),
        .deleteType, .leaveBehind, .clearParent,
      ]
    return try actions.map { action in
      let condition =
        random.chance(3) ? try RecordExpression("has(f) or length(field('e')) > 1") : nil
      var policies: [MisfitPolicy] = [.skip]
      if action.hasValue || action.canBeLeftOut { policies.append(.null) }
      if action.hasValue { policies.append(.keep(in: "overflow")) }
      return MigrationStep(
        .init(["Note"]), action, where: condition, misfit: policies[random.below(policies.count)])
    }
  }
}
