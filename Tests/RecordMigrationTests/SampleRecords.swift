import Foundation
import RecordModel

@testable import RecordMigration

extension Sample {
  private static let texts = [
    "", "7", "007", "-3", "+4", "3.5", "1e400", "2024-03-01", "2024-03-01T09:00:00Z", "a, b",
    "a, b, c", "many", "low", "high", "ü 雨", "99999999999999999999", " 5", "n2", "true", "-0",
    // Marks that join the letter before them, and one letter in two spellings.
    "a,\u{301} b", "1e\u{301}2", "1é2", "a,\r\n b",
  ]
  private static let integers: [Int64] = [
    0, 1, -1, 7, 1000, 1001, .max, .min, 1_700_000_000, 1_700_000_000_500, 1 << 53,
  ]
  private static let doubles = [
    0, -0.0, 1.5, 7, 1e300, -2.25, 0.1, 9_007_199_254_740_992, 1.7e9, .leastNonzeroMagnitude, 0.001,
  ]
  /// Assets that hold their bytes, that are known by digest alone, and that the server described.
  private static let assets = [
    Asset(data: Data([1, 2, 3])), Asset(sha256: String(repeating: "a", count: 64), size: 3),
    Asset(size: 3, fileChecksum: "Ab=="),
  ]

  /// The bytes behind the digest of one of the assets.
  static let environment = MigrationEnvironment { digest in
    digest.hasPrefix("a") ? Data([7, 8, 9]) : nil
  }

  private static func date(_ random: inout SeededGenerator) -> Date {
    switch random.below(4) {
    case 0: Date(timeIntervalSinceReferenceDate: random.pick(doubles.dropLast(2)) * 1000 / 7)
    case 1: Date(timeIntervalSince1970: Double(random.below(40_000)) * 86_400)
    case 2: Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 30)) / 1000)
    default: Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 30)))
    }
  }

  private static func reference(_ random: inout SeededGenerator) -> Reference {
    Reference(
      recordID: RecordID(
        recordName: "n\(random.below(12))", zoneID: random.chance(3) ? other : zone),
      action: random.chance(4) ? .deleteSelf : .none,
      otherMembers: random.chance(20) ? [OtherMember(name: "extra", value: .null)] : [])
  }

  /// A value of a type, odd ones among them.
  static func value(of type: ValueType, _ random: inout SeededGenerator) -> RecordValue {
    if let element = type.elementType {
      let elements = (0..<random.below(4)).map { _ in value(of: element, &random) }
      return RecordValue(list: elements, of: element) ?? .empty(type)
    }
    switch type {
    case .string: return .string(random.pick(texts))
    case .int64: return .int64(random.pick(integers))
    case .double: return .double(random.pick(doubles))
    case .timestamp: return .timestamp(date(&random))
    case .bytes:
      return random.chance(2)
        ? .bytes(Data((0..<random.below(9)).map { UInt8($0 * 31) }))
        : .bytes(Data(random.pick(texts).utf8))
    case .location: return .location(Location(latitude: 1, longitude: -0.0))
    case .reference: return .reference(reference(&random))
    case .asset: return .asset(random.pick(assets))
    default: return .emptyList
    }
  }

  /// A value of any type; texts and numbers are the most frequent.
  static func value(_ random: inout SeededGenerator) -> RecordValue {
    switch random.below(40) {
    case 0..<12: return value(of: .string, &random)
    case 12..<15: return value(of: .int64, &random)
    case 15..<17: return value(of: .double, &random)
    case 17: return .unknown(type: "FLOCK", json: .null)
    default: return value(of: random.pick(ValueType.allCases), &random)
    }
  }

  /// A record with fields `a` to `f`, some of them, of any type; now and then also with one of
  /// those that steps make.
  static func random(_ random: inout SeededGenerator, name: String? = nil) -> ResultRecord {
    var fields: [Field] = []
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "kind", "overflow"] {
      if name > "f" ? !random.chance(12) : random.chance(3) { continue }
      var value = value(&random)
      if name == "a", random.chance(5) { value = .reference(reference(&random)) }
      let canBeSecret: Bool
      switch value.type?.elementType ?? value.type {
      case .asset, .reference, nil: canBeSecret = false
      default: canBeSecret = true
      }
      fields.append(
        Field(
          name: name, value: value, isEncrypted: canBeSecret && random.chance(4),
          otherMembers: random.chance(30) ? [OtherMember(name: "extra", value: .null)] : []))
    }
    let zoneID = random.chance(4) ? other : zone
    let parent = random.chance(3) ? "n\(random.below(12))" : nil
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name ?? "n\(random.below(1000))", zoneID: zoneID),
        recordType: random.pick(["Note", "Note", "Memo", "Tag"]), recordChangeTag: "1a",
        parent: parent.map { Reference(recordID: RecordID(recordName: $0, zoneID: zoneID)) }),
      fields: fields)
  }

  /// A few random records, and others that have the same fields with values of the same types, in
  /// an order in which they take turns.
  static func alike(_ count: Int, _ random: inout SeededGenerator) -> [ResultRecord] {
    let models = (0..<count).map { _ in Sample.random(&random) }
    return (0..<count * 4).map { _ in
      let model = random.pick(models)
      var system = model.systemFields
      system.recordID = RecordID(
        recordName: "n\(random.below(1000))", zoneID: model.recordID.zoneID)
      if random.chance(3) {
        let name = "n\(random.below(12))"
        let parent = RecordID(recordName: name, zoneID: model.recordID.zoneID)
        system.parent = random.chance(3) ? nil : Reference(recordID: parent)
      }
      let fields = model.fields.map { field in
        guard let type = field.value.type else { return field }
        return field.replacing(value(of: type, &random))
      }
      return ResultRecord(systemFields: system, fields: fields)
    }
  }

  /// Records that refer to each other, each of another name.
  static func container(of count: Int, _ random: inout SeededGenerator) -> [ResultRecord] {
    (0..<count).map { Sample.random(&random, name: "n\($0)") }
  }

  /// The record as it is once its assets are stored: by the digest of their bytes.
  static func stored(_ record: ResultRecord) -> ResultRecord {
    func stored(_ asset: Asset) -> Asset {
      asset == Asset(data: Data([7, 8, 9])) ? assets[1] : asset
    }
    let fields = record.fields.map { field in
      switch field.value {
      case .asset(let asset): field.replacing(.asset(stored(asset)))
      case .assetList(let list): field.replacing(.assetList(list.map(stored)))
      default: field
      }
    }
    return ResultRecord(systemFields: record.systemFields, fields: fields)
  }
}
