import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct CanonicalRecordTests {
  private func write(_ record: ResultRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    return Array(buffer.bytes)
  }

  private func readCanonical(_ bytes: [UInt8]) -> ResultRecord? {
    bytes.withUnsafeBytes { RecordJSONReader().readCanonical($0) }
  }

  private func read(_ text: String) throws -> ResultRecord {
    try Array(text.utf8).withUnsafeBytes { try RecordJSONReader().read($0) }
  }

  @Test("a record with every kind of value is written as the format says, to the byte")
  func golden() throws {
    let record = try read(Self.goldenText)
    #expect(String(decoding: try write(record), as: UTF8.self) == Self.goldenText)
    #expect(record == Self.goldenRecord)
    #expect(String(decoding: try write(Self.goldenRecord), as: UTF8.self) == Self.goldenText)
    #expect(readCanonical(Array(Self.goldenText.utf8)) == Self.goldenRecord)
  }

  @Test("any record comes back from its bytes the same, and to the same bytes")
  func roundTrip() throws {
    var model = RandomModel(seed: 4)
    let reader = RecordJSONReader()
    let writer = RecordJSONWriter()
    let buffer = ByteBuffer()
    for _ in 0..<500 {
      let record = model.record()
      buffer.reset()
      try writer.write(record, to: buffer)
      let text = String(decoding: buffer.bytes, as: UTF8.self)
      let read = try reader.read(buffer.bytes)
      #expect(read == record, "\(text)")
      #expect(record == read)
      #expect(read.systemFields == record.systemFields)
      #expect(read.recordChangeTag == record.recordChangeTag)
      #expect(read.storage.created == record.systemFields.created)
      #expect(read.parent == record.parent)
      #expect(read.share == record.share)
      #expect(read.storage.otherMembers == record.systemFields.otherMembers)
      #expect(
        read.references.map(\.reference) == record.fields.flatMap(\.value.references))
      #expect(Array(read.fields) == Array(record.fields))
      #expect(read.recordID == record.recordID)
      let name = Array(record.recordID.recordName.utf8)
      #expect(name.withUnsafeBytes { read.storage.hasName($0) })
      #expect(!name.dropLast().withUnsafeBytes { read.storage.hasName($0) })
      #expect(try write(read) == Array(buffer.bytes))
    }
  }

  @Test("the writer on bytes and the mapping through the tree write the same")
  func sameAsTree() throws {
    var model = RandomModel(seed: 5)
    for _ in 0..<300 {
      let record = model.record()
      #expect(
        String(decoding: try write(record), as: UTF8.self) == (try record.jsonValue().compactText))
    }
  }

  @Test("canonical bytes are recognised, whatever the record holds")
  func recognised() throws {
    var model = RandomModel(seed: 6)
    // Objects with escaped names take the tolerant way.
    model.raw = { .number(text: "\(Int.random(in: 0...9, using: &$0))") }
    for _ in 0..<300 {
      let record = model.record()
      let bytes = try write(record)
      #expect(readCanonical(bytes) == record, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test("a layout that is not canonical is read, and never taken for canonical")
  func disordered() throws {
    var model = RandomModel(seed: 7)
    // The order of members that the model does not know is kept, so it would make a difference.
    model.raw = { .array([.number(text: "\(Int.random(in: 0...9, using: &$0))")]) }
    var random = SeededGenerator(8)
    for _ in 0..<300 {
      let record = model.record()
      let canonical = String(decoding: try write(record), as: UTF8.self)
      let text = try record.jsonValue().disordered(using: &random)
      #expect(try read(text) == record, "\(text)")
      if text != canonical { #expect(readCanonical(Array(text.utf8)) == nil, "\(text)") }
    }
  }

  @Test("records that differ in one bit, one scalar or one member are not equal")
  func equality() throws {
    var model = RandomModel(seed: 9)
    model.raw = { .number(text: "\(Int.random(in: 0...9, using: &$0))") }
    for _ in 0..<300 {
      let record = model.record()
      let line = try read(String(decoding: try write(record), as: UTF8.self))
      var fields = Array(record.fields)
      fields.append(Field(name: "zzz", value: .double(0)))
      let more = ResultRecord(systemFields: record.systemFields, fields: fields)
      fields[fields.count - 1] = Field(name: "zzz", value: .double(-0.0))
      let negative = ResultRecord(systemFields: record.systemFields, fields: fields)
      #expect(more != record && record != more && more != line && line != more)
      #expect(more != negative)
      #expect(try readCanonical(write(more)) != readCanonical(write(negative)))
    }
    let composed = ResultRecord(
      systemFields: Self.goldenRecord.systemFields,
      fields: [Field(name: "a", value: .string("\u{e9}"))])
    let decomposed = ResultRecord(
      systemFields: Self.goldenRecord.systemFields,
      fields: [Field(name: "a", value: .string("e\u{301}"))])
    #expect(composed != decomposed)
  }

  @Test("a truncated record is refused at every length")
  func truncated() {
    let bytes = Array(Self.goldenText.utf8)
    for length in 0..<bytes.count {
      #expect(readCanonical(Array(bytes[..<length])) == nil)
      #expect(throws: RecordCodingError.self) {
        try Array(bytes[..<length]).withUnsafeBytes { try RecordJSONReader().read($0) }
      }
    }
  }

  @Test(
    "a flipped byte gives an error or another record, and canonical bytes still mean themselves")
  func flipped() throws {
    let bytes = Array(Self.goldenText.utf8)
    for position in bytes.indices {
      for mask in TestAmount.of([0x02, 0x01, 0x08, 0x20, 0x80, 0xFF] as [UInt8], oneIn: 3) {
        var damaged = bytes
        damaged[position] ^= mask
        if let record = readCanonical(damaged) {
          #expect(record != Self.goldenRecord)
          #expect(try write(record) == damaged)
          for field in record.fields { _ = field.value }
          // What was recognised must mean the same to the tolerant reader.
          let tree = try damaged.withUnsafeBytes {
            try ResultRecord(json: JSONParser.parse($0))
          }
          #expect(tree == record)
        }
        _ = try? damaged.withUnsafeBytes { try RecordJSONReader().read($0) }
      }
    }
  }

  @Test("a record with more fields than a record can have is still read")
  func manyFields() throws {
    let fields = (0..<3000).map { Field(name: "f\(10_000 + $0)", value: .int64(Int64($0))) }
    let record = ResultRecord(systemFields: Self.goldenRecord.systemFields, fields: fields)
    let bytes = try write(record)
    #expect(readCanonical(bytes) == nil)
    #expect(try read(String(decoding: bytes, as: UTF8.self)) == record)
  }

  @Test("many different shapes do not confuse the reader")
  func manyShapes() throws {
    let reader = RecordJSONReader()
    var random = SeededGenerator(10)
    for _ in 0..<2500 {
      let names = (0..<4).map { _ in "n\(Int.random(in: 0...40, using: &random))" }
      let record = ResultRecord(
        systemFields: Self.goldenRecord.systemFields,
        fields: Set(names).map { Field(name: $0, value: .string($0)) })
      let read = try write(record).withUnsafeBytes { try reader.read($0) }
      #expect(read == record)
    }
  }

  @Test("a number that JSON cannot hold is refused, and the buffer is as it was")
  func notFinite() throws {
    let record = ResultRecord(
      systemFields: Self.goldenRecord.systemFields,
      fields: [Field(name: "a", value: .doubleList([1, .nan]))])
    let buffer = ByteBuffer()
    buffer.append("before")
    #expect(throws: RecordCodingError.self) {
      try RecordJSONWriter().writeLine(record, database: .private, to: buffer)
    }
    #expect(String(decoding: buffer.bytes, as: UTF8.self) == "before")
  }
}
