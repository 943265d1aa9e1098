import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

/// Types that encode themselves in ways of their own.
struct ContainerTests {
  enum Key: String, CodingKey { case a, b, c }

  class Animal: Codable {
    var name = "Rex"
    init() {}
  }

  final class Dog: Animal {
    var age = 3
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      age = try container.decode(Int.self, forKey: .a)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(age, forKey: .a)
      try super.encode(to: container.superEncoder())
    }
  }

  @Test("the properties of a superclass are fields of the same record")
  func inheritance() throws {
    let dog = Dog()
    (dog.name, dog.age) = ("Bello", 7)
    let draft = try DraftRecord(encoding: dog, recordType: "Dog")
    #expect(draft["a"] == 7 && draft["name"] == "Bello")
    let read = try draft.decode(Dog.self)
    #expect(read.name == "Bello" && read.age == 7)
  }

  @Test("a type that wraps another one is the same record")
  func wrapping() throws {
    struct Wrapper<T: Codable>: Codable {
      var inner: T
      init(_ inner: T) { self.inner = inner }
      init(from decoder: any Decoder) throws {
        inner = try decoder.singleValueContainer().decode(T.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(inner)
      }
    }
    let draft = try DraftRecord(encoding: Wrapper(Box(value: 1)), recordType: "T")
    #expect(try draft.decode(Wrapper<Box<Int>>.self).inner.value == 1)
    let optional = Box(value: 1) as Box<Int>?
    #expect(try DraftRecord(encoding: optional, recordType: "T")["value"] == 1)
    #expect(try draft.decode(Box<Int>?.self)?.value == 1)
    let sealed = try DraftRecord(
      encoding: Wrapper(EncryptedTests.Marked(value: "s")), recordType: "T")
    #expect(sealed.field(named: "value")?.isEncrypted == true)
  }

  @Test("dictionaries are records with any fields")
  func dynamicKeys() throws {
    let draft = try DraftRecord(encoding: ["a": 1, "b": 2], recordType: "T")
    #expect(draft.allKeys() == ["a", "b"] && draft["b"] == 2)
    #expect(try draft.decode([String: Int].self) == ["a": 1, "b": 2])
    #expect(try draft.decode([String: RecordValue].self)["a"] == .int64(1))
  }

  @Test("keys are there or not, and nil where they are not")
  func keys() throws {
    struct Probe: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        #expect(container.allKeys == [.a, .b])
        #expect(container.contains(.a) && !container.contains(.c))
        #expect(try !container.decodeNil(forKey: .a) && container.decodeNil(forKey: .c))
        #expect(try container.decodeIfPresent(Int.self, forKey: .c) == nil)
        #expect(throws: DecodingError.self) { try container.decode(Int.self, forKey: .c) }
        #expect(throws: DecodingError.self) { try container.decode(String.self, forKey: .a) }
        var list = try container.nestedUnkeyedContainer(forKey: .b)
        #expect(try list.count == 2 && !list.decodeNil() && list.decode(Int.self) == 1)
        #expect(throws: DecodingError.self) { try list.decode(String.self) }
        #expect(
          try list.currentIndex == 1
            && list.superDecoder().singleValueContainer().decode(Int.self) == 2)
        #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        #expect(try container.superDecoder(forKey: .a).singleValueContainer().decode(Int.self) == 7)
      }
    }
    let record = record([
      Field(name: "a", value: .int64(7)), Field(name: "b", value: .int64List([1, 2])),
      Field(name: "z", value: .int64(7)),
    ])
    _ = try record.decode(Probe.self)
  }

  /// Encodes as a closure says.
  struct Custom: Encodable {
    var body: (any Encoder) throws -> Void
    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private func draft(_ body: @escaping (any Encoder) throws -> Void) throws -> DraftRecord {
    try DraftRecord(encoding: Custom(body: body), recordType: "T")
  }

  @Test("lists written by hand, and encoders used later, are fields")
  func manualLists() throws {
    let written = try draft { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .a)
      try list.encode(1)
      try list.encode(2)
      #expect(list.count == 2)
      var later = container.superEncoder(forKey: .b).singleValueContainer()
      try later.encode("x")
      try container.encodeNil(forKey: .c)
    }
    #expect(written.field(named: "a")?.value == .int64List([1, 2]) && written["b"] == "x")
    #expect(written.allKeys() == ["a", "b"])
  }

  @Test("what a record cannot hold is an error, never a crash")
  func unsupported() throws {
    typealias Body = (any Encoder) throws -> Void
    let nested: [Body] = [
      {
        var container = $0.container(keyedBy: Key.self)
        var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try? inner.encode(1, forKey: .b)
      },
      {
        var container = $0.container(keyedBy: Key.self)
        _ = container.nestedContainer(keyedBy: Key.self, forKey: .a)
      },
      {
        var container = $0.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .a)
        var inner = list.nestedUnkeyedContainer()
        try? inner.encode(1)
      },
      {
        var container = $0.container(keyedBy: Key.self)
        var list = container.nestedUnkeyedContainer(forKey: .a)
        var inner = list.superEncoder().singleValueContainer()
        try inner.encode(1)
      },
      {
        var container = $0.container(keyedBy: Key.self)
        var inner = container.superEncoder(forKey: .a).container(keyedBy: Key.self)
        try? inner.encode(1, forKey: .b)
      },
    ]
    for body in nested {
      #expect(try failure { try draft(body) }.code == .nestedValue)
    }
    let noRecord: [Body] = [
      { _ in },
      { _ = $0.singleValueContainer() },
      {
        var container = $0.singleValueContainer()
        try container.encode(1)
      },
      {
        var container = $0.singleValueContainer()
        try container.encodeNil()
      },
    ]
    for body in noRecord {
      #expect(try failure { try draft(body) }.code == .unsupportedType)
    }
    #expect(throws: TypedRecordError.self) { try draft { _ = $0.unkeyedContainer() } }
    #expect(try failure { try encoded(Custom { _ in }) }.code == .unsupportedType)
  }

  @Test("values and lists are no records")
  func topLevel() throws {
    let stored = record("a", .int64(1))
    #expect(try failure { try stored.decode(Int.self) }.code == .unsupportedType)
    #expect(try failure { try stored.decode([Int].self) }.code == .unsupportedType)
    #expect(try failure { try stored.decode(ListTests.Mood.self) }.code == .unsupportedType)
    func code(_ value: some Encodable) throws -> TypedRecordError.Code {
      try failure { try DraftRecord(encoding: value, recordType: "T") }.code
    }
    #expect(try code(1) == .unsupportedType)
    #expect(try code(["a"]) == .unsupportedType)
    #expect(try code(Set(["a"])) == .unsupportedType)
    #expect(try code(ListTests.Mood.calm) == .unsupportedType)
    #expect(try code(Box<Int>?.none) == .unsupportedType)
  }

  @Test("two properties of a field must agree on its encryption")
  func twoProperties() throws {
    struct Twice: Encodable {
      var plain = "a"
      @Encrypted var sealed = "b"
    }
    var encoder = RecordEncoder()
    encoder.keyStrategy = .custom { _ in "text" }
    let error = try failure { try DraftRecord(encoding: Twice(), recordType: "T", using: encoder) }
    #expect(error.code == .encryption)
  }
}
