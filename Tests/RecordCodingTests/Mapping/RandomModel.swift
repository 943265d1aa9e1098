import Foundation
import RecordModel

@testable import RecordCoding

/// Random records and values of every kind, with members that the model does not know.
struct RandomModel {
  var random: SeededGenerator
  /// Makes the JSON of unknown members.
  var raw: (inout SeededGenerator) -> JSONValue = { RandomJSON.value(depth: 2, using: &$0) }

  /// Whether dates may lie beyond all ages, or a breath from the reference date.
  var hasExtremeDates = true

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func maybe<T>(_ body: (inout Self) -> T) -> T? { chance(50) ? body(&self) : nil }

  mutating func list<T>(_ body: (inout Self) -> T) -> [T] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in body(&self) }
  }

  mutating func text() -> String { RandomJSON.string(using: &random) }

  mutating func double() -> Double {
    while true {
      let double =
        chance(50)
        ? Double(bitPattern: random.next())
        : Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000
      if double.isFinite { return double }
    }
  }

  mutating func int64() -> Int64 {
    Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random)
  }

  mutating func date() -> Date {
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where hasExtremeDates: Date(timeIntervalSinceReferenceDate: double())
    case 1: Date(timeIntervalSinceReferenceDate: Double.random(in: -1e10...1e10, using: &random))
    default:
      Date(
        timeIntervalSinceReferenceDate:
          Double(Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)) / 1000)
    }
  }

  mutating func data() -> Data {
    Data(
      (0..<Int.random(in: 0...10, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      })
  }

  mutating func others() -> OtherMembers {
    var members: OtherMembers = []
    guard chance(20) else { return members }
    for name in ["x", "unknown", "a b", "Z"] where chance(50) {
      members.set(name, to: raw(&random).raw)
    }
    return members
  }

  mutating func zoneID() -> ZoneID {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .default
    case 1: ZoneID(zoneName: "Notes")
    default: ZoneID(zoneName: "Zone\(text())", ownerName: "_owner")
    }
  }

  mutating func uuid() -> String {
    let digits = (0..<32).map { _ in "0123456789ABCDEF".randomElement(using: &random) ?? "0" }
    let text = String(digits)
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }

  mutating func recordID() -> RecordID {
    RecordID(
      recordName: chance(50) ? uuid() : "name\(text())", zoneID: zoneID())
  }

  mutating func reference() -> Reference {
    Reference(
      recordID: recordID(),
      action: Reference.Action.allCases.randomElement(using: &random) ?? .none,
      otherMembers: others())
  }

  mutating func location() -> Location {
    Location(
      latitude: double(), longitude: double(), altitude: maybe { $0.double() },
      horizontalAccuracy: maybe { $0.double() }, verticalAccuracy: maybe { $0.double() },
      course: maybe { $0.double() }, speed: maybe { $0.double() },
      timestamp: maybe { $0.date() }, otherMembers: others())
  }

  mutating func digest() -> String {
    String((0..<64).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
  }

  mutating func asset() -> Asset {
    Asset(
      sha256: maybe { $0.digest() }, size: maybe { $0.int64() & .max },
      fileChecksum: maybe { $0.text() },
      referenceChecksum: maybe { $0.text() }, wrappingKey: maybe { $0.text() },
      receipt: maybe { $0.text() }, downloadURL: maybe { $0.text() }, otherMembers: others())
  }

  mutating func value() -> RecordValue {
    switch Int.random(in: 0..<18, using: &random) {
    case 0: .string(text())
    case 1: .int64(int64())
    case 2: .double(double())
    case 3: .timestamp(date())
    case 4: .bytes(data())
    case 5: .location(location())
    case 6: .reference(reference())
    case 7: .asset(asset())
    case 8: .stringList(list { $0.text() })
    case 9: .int64List(list { $0.int64() })
    case 10: .doubleList(list { $0.double() })
    case 11: .timestampList(list { $0.date() })
    case 12: .bytesList(list { $0.data() })
    case 13: .locationList(list { $0.location() })
    case 14: .referenceList(list { $0.reference() })
    case 15: .assetList(list { $0.asset() })
    case 16: .emptyList
    default: .unknown(type: "FUTURE_TYPE", json: .nonNull(raw(&random)))
    }
  }

  mutating func stamp() -> RecordStamp {
    RecordStamp(
      date: maybe { $0.date() }, userRecordName: maybe { "_\($0.text())" },
      deviceID: maybe { $0.text() }, otherMembers: others())
  }

  mutating func systemFields() -> SystemFields {
    SystemFields(
      recordID: recordID(), recordType: "Type\(text())", recordChangeTag: maybe { $0.text() },
      created: maybe { $0.stamp() }, modified: maybe { $0.stamp() },
      parent: maybe { $0.reference() }, share: maybe { $0.reference() }, otherMembers: others())
  }

  mutating func field(_ name: String) -> Field {
    Field(name: name, value: value(), isEncrypted: chance(20), otherMembers: others())
  }

  mutating func record() -> ResultRecord {
    let names = (0..<Int.random(in: 0...8, using: &random)).map { "field\($0)" }
    return ResultRecord(systemFields: systemFields(), fields: names.map { field($0) })
  }
}

extension RawJSON {
  /// A field without a value is none, so an unknown value must not be null.
  fileprivate static func nonNull(_ json: JSONValue) -> RawJSON {
    json.isNull ? RawJSON(compact: "0") : json.raw
  }
}

extension JSONValue {
  /// The same JSON as another writer might lay it out: members in another order, white space.
  func disordered(using random: inout SeededGenerator) -> String {
    let space = [" ", "\n", "\t ", ""].randomElement(using: &random) ?? ""
    switch content {
    case .array(let elements):
      return "[\(space)"
        + elements.map { $0.disordered(using: &random) }.joined(separator: ",\(space)") + "]"
    case .object(let members):
      let texts = members.shuffled(using: &random).map {
        "\(JSONValue.string($0.name).compactText)\(space):\($0.value.disordered(using: &random))"
      }
      return "{" + texts.joined(separator: "\(space),") + "\(space)}"
    default:
      return compactText
    }
  }
}
