import Foundation
import RecordCoding
import RecordModel
import TestSupport
import TypedRecords

/// A type with a property of every shape that Codable values have.
struct AllShapes: Codable, Equatable {
  enum Mood: String, Codable, CaseIterable { case calm, merry }
  enum Level: Int16, Codable, CaseIterable { case low = -3, high = 300 }

  struct Wrapped: Codable, Hashable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  struct Nested: Codable, Equatable {
    var x: Int
    var list: [String]
    var more: [String: Double]?
  }

  var string: String
  var optionalString: String?
  var int: Int
  var int8: Int8
  var int64: Int64?
  var uint: UInt
  var uint32: UInt32?
  var uint64: UInt64
  var bool: Bool
  var optionalBool: Bool?
  var double: Double
  var float: Float
  var optionalDouble: Double?
  var date: Date
  var data: Data?
  var uuid: UUID
  var url: URL?
  var mood: Mood
  var level: Level?
  var wrapped: Wrapped
  var location: Location
  var reference: Reference?
  var asset: Asset?
  var strings: [String]
  var ints: [Int]?
  var bools: [Bool]
  var doubles: [Double]
  var floats: [Float]
  var dates: [Date]?
  var datas: [Data]
  var uuids: [UUID]
  var moods: [Mood]
  var wraps: [Wrapped]
  var references: [Reference]
  var locations: [Location]
  var stringSet: Set<String>
  var intSet: Set<Int>?
  @Encrypted var secret: String?
  @Encrypted var secretNumbers: [Double]
  @Encrypted @JSONBytes var secretNested: Nested?
  @JSONBytes var nested: Nested
  @JSONString var nestedList: [Nested]
  @JSONString var optionalNested: Nested?
}

extension AllShapes {
  init(_ random: inout SeededGenerator) {
    string = random.text()
    optionalString = random.maybe { $0.text() }
    int = Int(truncatingIfNeeded: random.number())
    int8 = Int8(truncatingIfNeeded: random.number())
    int64 = random.maybe { $0.number() }
    uint = UInt(clamping: random.number())
    uint32 = random.maybe { UInt32(truncatingIfNeeded: $0.number()) }
    uint64 = UInt64(clamping: random.number())
    bool = random.chance(2)
    optionalBool = random.maybe { $0.chance(2) }
    double = random.double()
    float = random.float()
    optionalDouble = random.maybe { $0.double() }
    date = random.date()
    data = random.maybe { $0.data() }
    uuid = random.uuid()
    url = random.maybe { URL(string: "https://example.com/\($0.below(1000))")! }
    mood = random.pick(Mood.allCases)
    level = random.maybe { $0.pick(Level.allCases) }
    wrapped = Wrapped(random.text())
    location = random.location()
    reference = random.maybe { $0.reference() }
    asset = random.maybe { Asset(data: $0.data()) }
    strings = random.list { $0.text() }
    ints = random.maybe { $0.list { Int($0.number()) } }
    bools = random.list { $0.chance(2) }
    doubles = random.list { $0.double() }
    floats = random.list { $0.float() }
    dates = random.maybe { $0.list { $0.date() } }
    datas = random.list { $0.data() }
    uuids = random.list { $0.uuid() }
    moods = random.list { $0.pick(Mood.allCases) }
    wraps = random.list { Wrapped($0.text()) }
    references = random.list { $0.reference() }
    locations = random.list { $0.location() }
    stringSet = Set(random.list { $0.text() })
    intSet = random.maybe { Set($0.list { $0.below(9) }) }
    _secret = Encrypted(wrappedValue: random.maybe { $0.text() })
    _secretNumbers = Encrypted(wrappedValue: random.list { $0.double() })
    let sealed = random.maybe { $0.nested() }
    _secretNested = Encrypted(wrappedValue: JSONBytes(wrappedValue: sealed))
    _nested = JSONBytes(wrappedValue: random.nested())
    _nestedList = JSONString(wrappedValue: random.list { $0.nested() })
    _optionalNested = JSONString(wrappedValue: random.maybe { $0.nested() })
  }
}

extension SeededGenerator {
  mutating func maybe<T>(_ make: (inout SeededGenerator) -> T) -> T? {
    chance(3) ? nil : make(&self)
  }

  mutating func list<T>(_ make: (inout SeededGenerator) -> T) -> [T] {
    (0..<pick([0, 0, 1, 2, 5])).map { _ in make(&self) }
  }

  mutating func text() -> String {
    pick(["", "a", "é", "e\u{301}", "👩‍🚀", "\0\n\"\\", "true", "1"]) + "\(below(100))"
  }

  mutating func number() -> Int64 {
    pick([0, 1, -1, .max, .min, 255, 1 << 53, Int64(truncatingIfNeeded: next())])
  }

  mutating func double() -> Double {
    let bits = Double(bitPattern: next())
    return pick([0, -0.0, 1, 0.1, -1e300, .leastNonzeroMagnitude, bits.isFinite ? bits : 2.5])
  }

  mutating func float() -> Float {
    pick([0, -0.0, 1, 0.1, .greatestFiniteMagnitude, Float(below(99)) / 7])
  }

  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: Double(below(1_000_000_000)) / 1000)
  }

  mutating func data() -> Data {
    Data((0..<below(9)).map { _ in UInt8(truncatingIfNeeded: next()) })
  }

  mutating func uuid() -> UUID {
    let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: next()) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  mutating func location() -> Location {
    Location(
      latitude: Double(below(180) - 90), longitude: 0.5, altitude: maybe { $0.double() },
      timestamp: maybe { $0.date() })
  }

  mutating func reference() -> Reference {
    Reference(
      recordID: RecordID(recordName: "r\(below(50))", zoneID: chats),
      action: pick(Reference.Action.allCases))
  }

  mutating func nested() -> AllShapes.Nested {
    AllShapes.Nested(
      x: below(100), list: list { $0.text() },
      more: maybe { ["a": Double($0.below(100)) / 4, "b": 1] })
  }
}
