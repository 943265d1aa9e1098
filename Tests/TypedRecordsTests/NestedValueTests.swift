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
      try code(Point(x: 1)), try code([Point(x: 1)]), try code(["a": 1]),
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

  struct JSON<Value: Codable & Equatable>: Codable, Equatable {
    @JSONBytes var bytes: Value
    @JSONString var text: Value
  }

  @Test("nested values of every kind are JSON")
  func kinds() throws {
    func expectBothWays<T: Codable & Equatable>(_ value: T, _ json: String) throws {
      let both = JSON(bytes: value, text: value)
      let draft = try DraftRecord(encoding: both, recordType: "T")
      #expect(draft.field(named: "bytes")?.value == .bytes(Data(json.utf8)))
      #expect(draft.field(named: "text")?.value == .string(json))
      #expect(try draft.decode(JSON<T>.self) == both)
    }
    try expectBothWays(Point(x: 1), #"{"x":1}"#)
    try expectBothWays([Point(x: 1, y: 2)], #"[{"x":1,"y":2}]"#)
    try expectBothWays([Point](), "[]")
    try expectBothWays(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
    try expectBothWays([String: Int](), "{}")
    try expectBothWays([UUID: Int](), "[]")
    try expectBothWays(Shape.circle(radius: 0.5), #"{"circle":{"radius":0.5}}"#)
    try expectBothWays([[1], []], "[[1],[]]")
    let list = record("bytes", .stringList([#"{"x":1}"#]))
    #expect(try failure { try list.decode(JSON<[Point]>.self) }.code == .wrongType)
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
}
