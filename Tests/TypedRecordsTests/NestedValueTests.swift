import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct NestedValueTests {
  struct Point: Codable, Hashable {
    var x: Int
    var y: Int?
  }

  enum Shape: Codable, Equatable {
    case dot
    case circle(radius: Double)
  }

  @Test("nested values are an error that says what to do")
  func refused() throws {
    func code(_ value: some Encodable) throws -> TypedRecordError {
      try failure { try encoded(value) }
    }
    for error in [
      try code(Point(x: 1)), try code([Point(x: 1)]), try code([Point]()), try code(["a": 1]),
      try code([UUID(): "a"]), try code([String: Int]()), try code(Shape.dot), try code([[1]]),
    ] {
      #expect(error.code == .nestedValue && error.expected.contains("@JSONBytes"))
    }
    let pairs = RecordValue.stringList([UUID().uuidString, "a"])
    #expect(try failure { try decoded(pairs, as: [UUID: String].self) }.code == .nestedValue)
    let json = RecordValue.bytes(Data(#"{"x":1}"#.utf8))
    #expect(try failure { try decoded(json, as: Point.self) }.code == .nestedValue)
    #expect(try failure { try decoded(.string("{}"), as: [String: Int].self) }.code == .nestedValue)
  }

  @Test("nested values are JSON where a strategy says so")
  func strategies() throws {
    func expectBothWays<T: Codable & Equatable>(_ value: T, _ json: String) throws {
      var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
      decoder.nestedValueStrategy = .jsonString
      encoder.nestedValueStrategy = .jsonBytes
      #expect(try encoded(value, using: encoder) == .bytes(Data(json.utf8)))
      encoder.nestedValueStrategy = .jsonString
      #expect(try encoded(value, using: encoder) == .string(json))
      #expect(try decoded(.string(json), as: T.self, using: decoder) == value)
      #expect(try decoded(.bytes(Data(json.utf8)), as: T.self, using: decoder) == value)
    }
    try expectBothWays(Point(x: 1), #"{"x":1}"#)
    try expectBothWays([Point(x: 1, y: 2)], #"[{"x":1,"y":2}]"#)
    try expectBothWays([Point](), "[]")
    try expectBothWays(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
    try expectBothWays([String: Int](), "{}")
    try expectBothWays([UUID: Int](), "[]")
    try expectBothWays(Shape.circle(radius: 0.5), #"{"circle":{"radius":0.5}}"#)
    try expectBothWays([[1], []], "[[1],[]]")
    var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
    encoder.nestedValueStrategy = .jsonBytes
    decoder.nestedValueStrategy = .jsonBytes
    let list = RecordValue.stringList([#"{"x":1}"#])
    #expect(
      try failure { try decoded(list, as: [Point].self, using: decoder) }.code == .nestedValue)
    #expect(try encoded(["a"], using: encoder) == .stringList(["a"]))
    #expect(try encoded([String](), using: encoder) == .stringList([]))
  }

  struct Drawing: Codable, Equatable {
    @JSONBytes var points: [Point]
    @JSONString var shape: Shape?
    @JSONBytes var number: Int? = nil
  }

  @Test("wrappers mark properties as JSON")
  func wrappers() throws {
    let drawing = Drawing(points: [Point(x: 1)], shape: .dot, number: 5)
    let draft = try DraftRecord(encoding: drawing, recordType: "Drawing")
    #expect(draft.field(named: "points")?.value == .bytes(Data(#"[{"x":1}]"#.utf8)))
    #expect(draft.field(named: "shape")?.value == .string(#"{"dot":{}}"#))
    #expect(draft.field(named: "number")?.value == .bytes(Data("5".utf8)))
    #expect(try draft.decode(Drawing.self) == drawing)
    let empty = try DraftRecord(
      encoding: Drawing(points: [], shape: nil), recordType: "Drawing")
    #expect(empty.allKeys() == ["points"])
    #expect(try empty.decode(Drawing.self) == Drawing(points: [], shape: nil))
  }

  @Test("JSON that means the same stays as it was")
  func unchanged() throws {
    let spaced = record([
      Field(name: "points", value: .string(#"[ {"y": null, "x": 1, "more": true} ]"#)),
      Field(name: "shape", value: .bytes(Data(#"{ "dot" : {} }"#.utf8))),
    ])
    let same = try recoded(spaced, as: Drawing.self)
    #expect(same.changedKeys().isEmpty)
    let changed = try recoded(spaced, as: Drawing.self) {
      $0.points[0].y = 2
      $0.shape = .circle(radius: 1)
    }
    #expect(changed.field(named: "points")?.value == .string(#"[{"x":1,"y":2}]"#))
    let shape = RecordValue.bytes(Data(#"{"circle":{"radius":1}}"#.utf8))
    #expect(changed.field(named: "shape")?.value == shape)
  }

  @Test("JSON that does not fit is an error with its place")
  func invalidJSON() throws {
    let wrong = record("points", .string(#"[{"x":"a"}]"#))
    let error = try failure { try wrong.decode(Drawing.self) }
    #expect(error.code == .invalidValue && error.key == "points" && error.found.contains("x"))
    let noJSON = record("points", .string("["))
    #expect(try failure { try noJSON.decode(Drawing.self) }.code == .invalidValue)
    let number = record("points", .int64(1))
    #expect(try failure { try number.decode(Drawing.self) }.code == .wrongType)
    #expect(try failure { try record([]).decode(Drawing.self) }.code == .missingField)
    let infinite = Drawing(points: [], shape: .circle(radius: .infinity))
    let encoding = try failure { try DraftRecord(encoding: infinite, recordType: "Drawing") }
    #expect(encoding.code == .invalidValue && encoding.key == "shape")
  }

  @Test("an empty list that could be JSON is what the field is")
  func ambiguousEmptyList() throws {
    struct OneWay: Encodable { var x = 1 }
    var encoder = RecordEncoder()
    encoder.nestedValueStrategy = .jsonBytes
    var draft = DraftRecord(record("value", .string("[1]")))
    try draft.encode(Box(value: [OneWay]()), using: encoder)
    #expect(draft.field(named: "value")?.value == .string("[]"))
    #expect(try encoded([OneWay](), using: encoder) == .emptyList)
  }
}
