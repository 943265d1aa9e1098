import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct ListTests {
  enum Mood: String, Codable { case calm, merry }
  enum Level: Int16, Codable { case low = 1 }

  struct Tag: Codable, Hashable {
    var name: String
    init(_ name: String) { self.name = name }
    init(from decoder: any Decoder) throws {
      name = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }
  }

  @Test("lists of every type of value")
  func types() throws {
    #expect(try encoded(["a", "b"]) == .stringList(["a", "b"]))
    #expect(try encoded([1, 2] as [UInt8]) == .int64List([1, 2]))
    #expect(try encoded([true, false]) == .int64List([1, 0]))
    #expect(try encoded([0.5] as [Float]) == .doubleList([0.5]))
    #expect(try encoded([Mood.merry]) == .stringList(["merry"]))
    #expect(try encoded([Tag("a")]) == .stringList(["a"]))
    let url = try #require(URL(string: "https://example.com"))
    #expect(try encoded([url]) == .stringList(["https://example.com"]))
    let date = Date(timeIntervalSince1970: 1)
    #expect(try encoded([date]) == .timestampList([date]))
    #expect(try encoded([Data([1])]) == .bytesList([Data([1])]))
    let place = Location(latitude: 1, longitude: 2)
    #expect(try encoded([place]) == .locationList([place]))
    let reference = Reference(recordID: RecordID(recordName: "c"))
    #expect(try encoded([reference]) == .referenceList([reference]))
    let asset = Asset(data: Data())
    #expect(try encoded([asset]) == .assetList([asset]))
    #expect(try encoded([RecordValue.int64(1)]) == .int64List([1]))
    #expect(try decoded(.stringList(["merry"]), as: [Mood].self) == [.merry])
    #expect(try decoded(.stringList(["a"]), as: [Tag].self) == [Tag("a")])
    #expect(try decoded(.referenceList([reference]), as: [Reference].self) == [reference])
    #expect(try decoded(.doubleList([1, 2]), as: [Int].self) == [1, 2])
    #expect(try decoded(.emptyList, as: [Int].self) == [])
  }

  @Test("a new empty list has the type of its Swift elements")
  func emptyLists() throws {
    #expect(try encoded([String]()) == .stringList([]))
    #expect(try encoded([UInt8]()) == .int64List([]))
    #expect(try encoded([Bool]()) == .int64List([]))
    #expect(try encoded([Float]()) == .doubleList([]))
    #expect(try encoded([Date]()) == .timestampList([]))
    #expect(try encoded([Data]()) == .bytesList([]))
    #expect(try encoded([UUID]()) == .stringList([]))
    #expect(try encoded([URL]()) == .stringList([]))
    #expect(try encoded([Mood]()) == .stringList([]))
    #expect(try encoded([Level]()) == .int64List([]))
    #expect(try encoded([Location]()) == .locationList([]))
    #expect(try encoded([Reference]()) == .referenceList([]))
    #expect(try encoded([Asset]()) == .assetList([]))
    // The type alone does not determine the type of field.
    #expect(try encoded([RecordValue]()) == .emptyList)
    #expect(try encoded([Tag]()) == .emptyList)
    #expect(try encoded(Set<Tag>()) == .emptyList)
    #expect(try encoded([String]?.some([])) == .stringList([]))
  }

  @Test("an empty list stays as it was, and an emptied one keeps the type of the field")
  func keptEmptyLists() throws {
    for stored in [RecordValue.emptyList, .stringList([]), .doubleList([])] {
      let draft = try recoded(record("value", stored), as: Box<[String]>.self)
      #expect(draft.changedKeys().isEmpty)
    }
    let doubles = try recoded(record("value", .doubleList([1])), as: Box<[Int]>.self) {
      $0.value = []
    }
    #expect(doubles.field(named: "value")?.value == .doubleList([]))
    let values = try recoded(record("value", .stringList(["a"])), as: Box<[RecordValue]>.self) {
      $0.value = []
    }
    #expect(values.field(named: "value")?.value == .stringList([]))
  }

  @Test("sets are written in order")
  func sets() throws {
    #expect(try encoded(Set(["b", "c", "a"])) == .stringList(["a", "b", "c"]))
    #expect(try encoded(Set([3, 1, 2])) == .int64List([1, 2, 3]))
    #expect(try encoded(Set([0.5, -1])) == .doubleList([-1, 0.5]))
    #expect(try encoded(Set([Tag("b"), Tag("a")])) == .stringList(["a", "b"]))
    let references = ["b", "a"].map { Reference(recordID: RecordID(recordName: $0)) }
    #expect(try encoded(Set(references)) == .referenceList(references.reversed()))
    let uuids = ["0010", "0009"].map { digits in
      Reference(recordID: RecordID(recordName: "00000000-0000-0000-0000-00000000\(digits)"))
    }
    #expect(try encoded(Set(uuids)) == .referenceList(uuids.reversed()))
    #expect(try decoded(.int64List([2, 1, 2]), as: Set<Int>.self) == [1, 2])
  }

  @Test("a list that holds the same set stays as it was")
  func keptSets() throws {
    let stored = record("value", .stringList(["b", "a", "b"]))
    #expect(try recoded(stored, as: Box<Set<String>>.self).changedKeys().isEmpty)
    let changed = try recoded(stored, as: Box<Set<String>>.self) { $0.value.insert("0") }
    #expect(changed.field(named: "value")?.value == .stringList(["0", "a", "b"]))
  }

  @Test("lists with nils, or of values of different types, are an error")
  func invalidLists() throws {
    #expect(try failure { try encoded(["a", nil]) }.code == .unsupportedType)
    let mixed = [RecordValue.int64(1), .string("a")]
    #expect(try failure { try encoded(mixed) }.code == .wrongType)
    #expect(try failure { try encoded([[1], [2]]) }.code == .nestedValue)
    #expect(try failure { try encoded([RecordValue.int64List([1])]) }.code == .nestedValue)
  }

  @Test("an element that does not fit is named")
  func elementErrors() throws {
    let error = try failure { try decoded(.int64List([1, 300]), as: [UInt8].self) }
    #expect(error.code == .outOfRange && error.found == "INT64 300 as element 1")
    #expect(try failure { try decoded(.stringList(["a"]), as: [Int].self) }.code == .wrongType)
    #expect(try failure { try decoded(.string("a"), as: [String].self) }.code == .wrongType)
    #expect(try failure { try decoded(.stringList(["a"]), as: String.self) }.code == .wrongType)
  }
}
