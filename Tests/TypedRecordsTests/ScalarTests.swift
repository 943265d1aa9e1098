import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct ScalarTests {
  enum Mood: String, Codable { case calm, merry }
  enum Level: Int8, Codable { case low = -1, high = 1 }

  private func expectBothWays<T: Codable & Equatable>(
    _ value: T, _ stored: RecordValue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try encoded(value) == stored, sourceLocation: sourceLocation)
    #expect(try decoded(stored, as: T.self) == value, sourceLocation: sourceLocation)
  }

  @Test("each Swift type has its type of field")
  func types() throws {
    try expectBothWays("Hello", .string("Hello"))
    try expectBothWays(true, .int64(1))
    try expectBothWays(false, .int64(0))
    try expectBothWays(0.5, .double(0.5))
    try expectBothWays(Float(0.1), .double(Double(Float(0.1))))
    try expectBothWays(
      Date(timeIntervalSince1970: 0.123456), .timestamp(.init(timeIntervalSince1970: 0.123456)))
    try expectBothWays(Data([1, 2]), .bytes(Data([1, 2])))
    let uuid = UUID()
    try expectBothWays(uuid, .string(uuid.uuidString))
    let url = try #require(URL(string: "https://example.com/a?b=c"))
    try expectBothWays(url, .string("https://example.com/a?b=c"))
    try expectBothWays(Mood.merry, .string("merry"))
    try expectBothWays(Level.low, .int64(-1))
  }

  @Test("the model's types are fields")
  func modelTypes() throws {
    let place = Location(latitude: 1, longitude: 2)
    try expectBothWays(place, .location(place))
    let reference = Reference(recordID: RecordID(recordName: "c"), action: .deleteSelf)
    try expectBothWays(reference, .reference(reference))
    let asset = Asset(data: Data([1]))
    try expectBothWays(asset, .asset(asset))
    try expectBothWays(RecordValue.int64(3), .int64(3))
    let unknown = RecordValue.unknown(type: "NEW", json: .null)
    try expectBothWays(unknown, unknown)
  }

  @Test("integers at the ends of their ranges are fields")
  func integerRanges() throws {
    func ends<T: FixedWidthInteger & Codable>(_ type: T.Type) throws {
      try expectBothWays(T.min, .int64(Int64(T.min)))
      let most = T(clamping: Int64.max)
      try expectBothWays(most, .int64(Int64(most)))
    }
    try ends(Int.self)
    try ends(Int8.self)
    try ends(Int16.self)
    try ends(Int32.self)
    try ends(Int64.self)
    try ends(UInt.self)
    try ends(UInt8.self)
    try ends(UInt16.self)
    try ends(UInt32.self)
    try ends(UInt64.self)
  }

  @Test("integers out of range are an error both ways")
  func outOfRange() throws {
    #expect(try failure { try decoded(.int64(300), as: UInt8.self) }.code == .outOfRange)
    #expect(try failure { try decoded(.int64(-1), as: UInt.self) }.code == .outOfRange)
    #expect(try failure { try encoded(UInt64.max) }.code == .outOfRange)
    #expect(try failure { try encoded([UInt64.max]) }.code == .outOfRange)
  }

  @Test("numbers are converted as those of CKRecord, where nothing is lost")
  func numbers() throws {
    #expect(try decoded(.int64(5), as: Bool.self) == true)
    #expect(try decoded(.double(1), as: Bool.self) == true)
    #expect(try failure { try decoded(.double(0.5), as: Bool.self) }.code == .outOfRange)
    #expect(try decoded(.int64(3), as: Double.self) == 3)
    #expect(try decoded(.int64(3), as: Float.self) == 3)
    #expect(try decoded(.double(3), as: Int.self) == 3)
    #expect(try failure { try decoded(.double(3.5), as: Int.self) }.code == .outOfRange)
    #expect(try failure { try decoded(.double(.nan), as: Int.self) }.code == .outOfRange)
    #expect(try failure { try decoded(.int64(.max), as: Double.self) }.code == .outOfRange)
    #expect(try failure { try decoded(.double(1e300), as: Float.self) }.code == .outOfRange)
  }

  @Test("numbers that are not finite are refused")
  func finite() throws {
    #expect(try failure { try encoded(Double.nan) }.code == .invalidValue)
    #expect(try failure { try encoded([Double.infinity]) }.code == .invalidValue)
    let never = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(try failure { try encoded(never) }.code == .invalidValue)
  }

  @Test("text that is no UUID, URL or case of an enum is an error")
  func invalidText() throws {
    #expect(try failure { try decoded(.string("x"), as: UUID.self) }.code == .invalidValue)
    #expect(try failure { try decoded(.string(""), as: URL.self) }.code == .invalidValue)
    let error = try failure { try decoded(.string("sad"), as: Mood.self) }
    #expect(error.code == .invalidValue && error.key == "value")
  }

  @Test("decimals are refused, except as JSON")
  func decimals() throws {
    struct Price: Codable, Equatable { @JSONString var value: Decimal }
    let value = try #require(Decimal(string: "-12.5"))
    #expect(try failure { try encoded(value) }.code == .nestedValue)
    #expect(try failure { try decoded(.string("1"), as: Decimal.self) }.code == .nestedValue)
    let draft = try DraftRecord(encoding: Price(value: value), recordType: "T")
    #expect(draft["value"] == "-12.5")
    #expect(try draft.decode(Price.self).value == value)
  }

  @Test("a type with a conversion of its own is stored as that")
  func convertible() throws {
    struct Degrees: RecordValueConvertible, Codable, Equatable {
      var value: Double
      init(_ value: Double) { self.value = value }
      var recordValue: RecordValue { .string("\(value)°") }
      init?(recordValue: RecordValue) {
        guard case .string(let text) = recordValue, let value = Double(text.dropLast()) else {
          return nil
        }
        self.value = value
      }
    }
    try expectBothWays(Degrees(1.5), .string("1.5°"))
    try expectBothWays([Degrees(1.5)], .stringList(["1.5°"]))
    #expect(try failure { try decoded(.int64(1), as: Degrees.self) }.code == .invalidValue)
  }

  @Test("a RecordID is no field")
  func recordID() throws {
    let id = RecordID(recordName: "c")
    let error = try failure { try encoded(id) }
    #expect(error.code == .unsupportedType && error.expected.contains("Reference"))
    let stored = RecordValue.reference(Reference(recordID: id))
    #expect(try failure { try decoded(stored, as: RecordID.self) }.code == .unsupportedType)
  }

  @Test("a nil is a field that is not there, both ways")
  func optionals() throws {
    #expect(try encoded(String?.none) == nil)
    #expect(try encoded("a" as String??) == .string("a"))
    let none = record([])
    #expect(try none.decode(Maybe<String>.self).value == nil)
    #expect(try none.decode(Maybe<Int>.self).value == nil)
    #expect(try none.decode(Maybe<Mood>.self).value == nil)
    #expect(try none.decode(Maybe<[URL]>.self).value == nil)
    #expect(try none.decode(Box<Date?>.self).value == nil)
    #expect(try failure { try none.decode(Box<Date>.self) }.code == .missingField)
    #expect(try failure { try none.decode(Box<Mood>.self) }.code == .missingField)
    #expect(try failure { try none.decode(Box<[Mood]>.self) }.code == .missingField)
  }
}
