import Foundation
import RecordCoding
import RecordModel
import TestSupport
import Testing
import TypedRecords

/// Properties of all shapes, with values from seeds: `RECORDPACK_MODEL_SEEDS` says how many.
struct ShapePropertyTests {
  private static let recordID = RecordID(recordName: "m1", zoneID: chats)

  private func record(of value: AllShapes) throws -> ResultRecord {
    let draft = try DraftRecord(
      encoding: value, recordType: "Message", recordID: Self.recordID)
    return ResultRecord(systemFields: draft.systemFields, fields: draft.fields)
  }

  @Test("every shape is the same after a record")
  func thereAndBack() throws {
    for seed in SeededGenerator.seeds(200) {
      var random = SeededGenerator(seed)
      let value = AllShapes(&random)
      let record = try record(of: value)
      let read = try record.decode(AllShapes.self)
      #expect(read == value, "seed \(seed)")
      #expect(try self.record(of: read) == record, "seed \(seed)")
    }
  }

  @Test("every shape is the same from the bytes of a bundle or container")
  func bytes() throws {
    for seed in SeededGenerator.seeds(50) {
      var random = SeededGenerator(seed)
      var value = AllShapes(&random)
      // Only a saved asset has bytes.
      value.asset = nil
      let stored = try record(of: value)
      let buffer = ByteBuffer()
      try RecordJSONWriter().write(stored, to: buffer)
      let bytes = Array(buffer.bytes)
      let read = try #require(
        bytes.withUnsafeBytes { RecordJSONReader().readCanonical($0) })
      #expect(read.storage.values == nil, "a record of bytes")
      #expect(try read.decode(AllShapes.self) == value, "seed \(seed)")
      let draft = try recoded(read, as: AllShapes.self)
      #expect(draft.changedKeys().isEmpty, "seed \(seed)")
    }
  }

  @Test("a record in any form is the same after decoding and encoding")
  func unchanged() throws {
    for seed in SeededGenerator.seeds(200) {
      var random = SeededGenerator(seed)
      let record = try otherForm(of: record(of: AllShapes(&random)), &random)
      let draft = try recoded(record, as: AllShapes.self)
      #expect(draft == DraftRecord(record), "seed \(seed): \(draft.changedKeys())")
    }
  }

  @Test("one changed property is one changed key, and all other fields are the same")
  func oneChange() throws {
    for seed in SeededGenerator.seeds(200) {
      var random = SeededGenerator(seed)
      let record = try otherForm(of: record(of: AllShapes(&random)), &random)
      let value = try record.decode(AllShapes.self)
      var changed = value
      let key = random.pick(Self.changes).apply(&changed, &random)
      var draft = DraftRecord(record)
      try draft.encode(changed)
      #expect(draft.changedKeys() == [key], "seed \(seed)")
      #expect(try draft.decode(AllShapes.self) == changed, "seed \(seed), \(key)")
      let others = record.fields.filter { $0.name != key }
      #expect(draft.fields.filter { $0.name != key } == others, "seed \(seed), \(key)")
      #expect(draft.systemFields == record.systemFields)
    }
  }

  /// Changes a property to another value.
  struct Change: Sendable {
    let apply: @Sendable (inout AllShapes, inout SeededGenerator) -> String

    init<V: Equatable & Sendable>(
      _ key: String, _ path: any WritableKeyPath<AllShapes, V> & Sendable,
      isSame: @escaping @Sendable (V, V) -> Bool = { $0 == $1 }
    ) {
      apply = { value, random in
        let old = value[keyPath: path]
        while isSame(old, value[keyPath: path]) {
          value[keyPath: path] = AllShapes(&random)[keyPath: path]
        }
        return key
      }
    }
  }

  static let changes = [
    Change("string", \.string) { $0.sameScalars(as: $1) },
    Change("optionalString", \.optionalString) { $0.sameScalars(as: $1) },
    Change("int", \.int), Change("int8", \.int8), Change("int64", \.int64),
    Change("uint", \.uint), Change("uint32", \.uint32), Change("uint64", \.uint64),
    Change("bool", \.bool), Change("optionalBool", \.optionalBool), Change("double", \.double),
    Change("float", \.float), Change("optionalDouble", \.optionalDouble), Change("date", \.date),
    Change("data", \.data), Change("uuid", \.uuid), Change("url", \.url), Change("mood", \.mood),
    Change("level", \.level), Change("wrapped", \.wrapped), Change("location", \.location),
    Change("reference", \.reference), Change("asset", \.asset), Change("strings", \.strings),
    Change("ints", \.ints), Change("bools", \.bools), Change("doubles", \.doubles),
    Change("floats", \.floats), Change("dates", \.dates), Change("datas", \.datas),
    Change("uuids", \.uuids), Change("moods", \.moods), Change("wraps", \.wraps),
    Change("references", \.references), Change("locations", \.locations),
    Change("stringSet", \.stringSet), Change("intSet", \.intSet), Change("secret", \.secret),
    Change("secretNumbers", \.secretNumbers), Change("secretNested", \.secretNested),
    Change("nested", \.nested), Change("nestedList", \.nestedList),
    Change("optionalNested", \.optionalNested),
  ]

  /// Returns the record with values in forms that the type reads, but would not write.
  private func otherForm(
    of record: ResultRecord, _ random: inout SeededGenerator
  ) throws -> ResultRecord {
    var fields = record.fields.map { field in
      random.chance(2)
        ? field
        : Field(
          name: field.name, value: otherForm(of: field, &random), isEncrypted: field.isEncrypted)
    }
    fields.append(Field(name: "unknown", value: .unknown(type: "NEW", json: .null)))
    fields.append(Field(name: "unknownSecret", value: .string("s"), isEncrypted: true))
    return ResultRecord(systemFields: record.systemFields, fields: fields)
  }

  private func otherForm(of field: Field, _ random: inout SeededGenerator) -> RecordValue {
    switch (field.name, field.value) {
    case ("bool", .int64(1)), ("optionalBool", .int64(1)): .int64(Int64(2 + random.below(9)))
    case ("float", .double): .double(0.1)
    case ("floats", .doubleList(let list)): .doubleList(list.map { _ in 1.0 / 3 })
    case ("uuid", .string(let text)): .string(text.lowercased())
    case ("nested", .bytes(let data)), ("secretNested", .bytes(let data)):
      .string(" " + String(decoding: data, as: UTF8.self) + "\n")
    case ("stringSet", .stringList(let list)): .stringList(list.reversed() + list)
    case (_, .int64(let number)):
      Double(exactly: number).flatMap { Int64(exactly: $0) == number ? .double($0) : nil }
        ?? field.value
    case (_, .double(let number)):
      number.sign == .plus
        ? Int64(exactly: number).map(RecordValue.int64) ?? field.value : field.value
    case (_, let value) where value.elements?.isEmpty == true: .emptyList
    default: field.value
    }
  }
}
