import Foundation
import RecordCoding
import RecordModel

// Every file of these tests uses it.
@_exported import TestSupport

/// A generator that gives the same values on every machine (splitmix64).
struct RandomContent {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func word() -> UInt64 { random.next() }

  mutating func below(_ bound: Int) -> Int { Int(word() >> 1) % bound }

  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }

  /// Some doubles are likelier than by their bits: round ones, and those at the edges of layouts.
  mutating func double() -> Double {
    switch below(4) {
    case 0: return Double(below(2_000_000) - 1_000_000) / 100
    case 1:
      return pick([
        0, -0.0, 1e21, 1e20, 999_999_999_999_999_868_928, 1e-6, 9.99e-7,
        .leastNonzeroMagnitude, 0.1 + 0.2,
        .greatestFiniteMagnitude, 9_007_199_254_740_992, -1.5, 123_456_789.125,
      ])
    default:
      while true {
        let value = Double(bitPattern: word())
        if value.isFinite { return value }
      }
    }
  }

  /// Whole milliseconds, sums of doubles, tiny and far dates, negative zero.
  mutating func date() -> Date {
    switch below(4) {
    case 0: Date(timeIntervalSinceReferenceDate: Double(below(2_000_000_000_000)) / 1000)
    case 1: Date(timeIntervalSinceReferenceDate: 785_000_000 + Double(below(1 << 40)) / 7e9)
    case 2:
      Date(
        timeIntervalSinceReferenceDate: pick([
          0, -0.0, -978_307_200, 1e-7, -1e-300, 1e20, 4e15, -62_135_769_600.25, 554_733_423.32,
          .leastNonzeroMagnitude,
        ]))
    default: Date(timeIntervalSinceReferenceDate: double())
    }
  }

  mutating func int64() -> Int64 {
    pick([0, 1, -1, .min, .max, Int64(below(1000)), Int64(bitPattern: word())])
  }

  mutating func string() -> String {
    let parts = [
      "tea", "/", "\"", "\\", "\n", "\t", "\r", "\u{8}", "\u{C}", "\u{1}", "\u{1F}", "\u{7F}",
      "\u{2028}", "é", "e\u{301}", "雨", "🥾", "👩‍👩‍👧", "\u{FFFD}", "\u{10FFFF}", "\u{0}", " ",
    ]
    return (0..<below(8)).map { _ in pick(parts) }.joined()
  }

  mutating func data() -> Data { Data((0..<below(40)).map { _ in UInt8(below(256)) }) }

  mutating func uuid() -> String {
    UUID(
      uuid: withUnsafeBytes(of: (word(), word())) { $0.load(as: uuid_t.self) }
    ).uuidString
  }

  /// Members that no version of the model will know.
  mutating func others() -> OtherMembers {
    guard below(3) == 0 else { return [] }
    return [
      OtherMember(name: "x\"y", value: RawJSON(compact: #"{"b":1.50,"a":[null,true,"é\n"]}"#)),
      OtherMember(name: "é", value: RawJSON(compact: "-0.0e+1")),
    ]
  }

  mutating func list<T>(_ element: (inout RandomContent) -> T) -> [T] {
    (0..<below(4)).map { _ in element(&self) }
  }

  mutating func location() -> Location {
    Location(
      latitude: double(), longitude: double(), altitude: below(2) == 0 ? double() : nil,
      horizontalAccuracy: 5, verticalAccuracy: -1, course: below(2) == 0 ? 359.5 : nil,
      speed: 0.1, timestamp: below(2) == 0 ? date() : nil, otherMembers: others())
  }

  mutating func reference(from zoneID: ZoneID) -> Reference {
    Reference(
      recordID: RecordID(
        recordName: below(2) == 0 ? uuid() : "n" + string(),
        zoneID: below(3) == 0 ? ZoneID(zoneName: "Elsewhere", ownerName: "_abc") : zoneID),
      action: pick(Reference.Action.allCases), otherMembers: others())
  }

  mutating func value(_ type: ValueType, in zoneID: ZoneID, assets: [Asset]) -> RecordValue {
    switch type {
    case .string: .string(string())
    case .int64: .int64(int64())
    case .double: .double(double())
    case .timestamp: .timestamp(date())
    case .bytes: .bytes(data())
    case .location: .location(location())
    case .reference: .reference(reference(from: zoneID))
    case .asset: .asset(pick(assets))
    case .stringList: .stringList(list { $0.string() })
    case .int64List: .int64List(list { $0.int64() })
    case .doubleList: .doubleList(list { $0.double() })
    case .timestampList: .timestampList(list { $0.date() })
    case .bytesList: .bytesList(list { $0.data() })
    case .locationList: .locationList(list { $0.location() })
    case .referenceList: .referenceList(list { $0.reference(from: zoneID) })
    case .assetList: .assetList(list { $0.pick(assets) })
    case .emptyList: .emptyList
    }
  }
}
