import Foundation
import RecordModel
import TestSupport

/// Random drafts with fields of all types.
struct RandomRecords {
  var random: SeededGenerator
  /// Whether assets and encrypted values are among the fields.
  var isPublic = false

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func draft(named name: String, in zoneID: ZoneID) -> DraftRecord {
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: name, zoneID: zoneID))
    change(&draft)
    return draft
  }

  /// Sets some fields of a draft and removes others.
  mutating func change(_ draft: inout DraftRecord) {
    for type in ValueType.allCases {
      switch random.below(4) {
      case 0: draft.setField("f\(type)", to: value(of: type, in: draft.recordID.zoneID))
      case 1 where draft.field(named: "f\(type)") != nil: draft.setField("f\(type)", to: nil)
      case 2 where type.canBeEncrypted && !isPublic:
        draft.setField(
          "e\(type)", to: value(of: type, in: draft.recordID.zoneID), isEncrypted: true)
      default: break
      }
    }
  }

  mutating func value(of type: ValueType, in zoneID: ZoneID) -> RecordValue {
    switch type {
    case .string: .string(text())
    case .int64: .int64(Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64)))
    case .double: .double(number())
    case .timestamp: .timestamp(date())
    case .bytes: .bytes(bytes())
    case .location: .location(location())
    case .reference: .reference(reference(in: zoneID))
    case .asset: .asset(Asset(data: bytes()))
    case .stringList: .stringList(list { $0.text() })
    case .int64List: .int64List(list { Int64(truncatingIfNeeded: $0.random.next()) })
    case .doubleList: .doubleList(list { $0.number() })
    case .timestampList: .timestampList(list { $0.date() })
    case .bytesList: .bytesList(list { $0.bytes() })
    case .locationList: .locationList(list { $0.location() })
    case .referenceList: .referenceList(list { $0.reference(in: zoneID) })
    case .assetList: .assetList(list { Asset(data: $0.bytes()) })
    case .emptyList: .emptyList
    }
  }

  private mutating func list<T>(_ element: (inout RandomRecords) -> T) -> [T] {
    (0..<random.below(4)).map { _ in element(&self) }
  }

  private mutating func text() -> String {
    String((0..<random.below(12)).map { _ in random.pick(Array("aäß 日🙂\"\\\n9")) })
  }

  /// Whole numbers are among them: an `NSNumber` of one is still a double.
  private mutating func number() -> Double {
    random.chance(3)
      ? Double(random.below(1000))
      : Double(random.below(1_000_000)) / 7 * (random.chance(2) ? 1 : -1)
  }

  /// Dates of whole milliseconds, as the server stores them.
  private mutating func date() -> Date {
    Date(timeIntervalSince1970: Double(random.below(2_000_000_000_000)) / 1000)
  }

  private mutating func bytes() -> Data {
    Data((0..<random.below(40)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
  }

  private mutating func location() -> Location {
    Location(
      latitude: Double(random.below(180)) - 90, longitude: Double(random.below(360)) - 180,
      altitude: number(), horizontalAccuracy: Double(random.below(50)),
      verticalAccuracy: Double(random.below(50)), course: Double(random.below(360)),
      speed: Double(random.below(30)), timestamp: date())
  }

  private mutating func reference(in zoneID: ZoneID) -> Reference {
    Reference(
      recordID: RecordID(recordName: "k\(random.below(9))", zoneID: zoneID),
      action: random.chance(2) ? .none : .deleteSelf)
  }
}

extension ValueType {
  /// Whether a field of the type can be one of the encrypted values.
  fileprivate var canBeEncrypted: Bool {
    switch self {
    case .asset, .assetList, .reference, .referenceList, .emptyList: false
    default: true
    }
  }
}
