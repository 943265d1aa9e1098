import Foundation
import RecordModel

@testable import RecordCoding

/// Record lines of bundles and record dictionaries, canonical or not.
struct LinesTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    let reader = RecordJSONReader()
    for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      line.withUnsafeBytes { line in
        if let (database, record) = reader.readCanonicalLine(line) {
          checkCanonical(record, in: database, line, reader)
        } else if let record = try? reader.read(line) {
          checkCircle(record)
        }
      }
    }
  }

  /// A canonical line means one record, to each of its readers, and the record means this line.
  private func checkCanonical(
    _ record: ResultRecord, in database: DatabaseScope, _ line: UnsafeRawBufferPointer,
    _ reader: RecordJSONReader
  ) {
    let copy = rebuilt(record)
    require(copy == record, "a record differs from its own values")
    for source in [record, copy] {
      let written = requireNoError("writing a record that was read") {
        let buffer = ByteBuffer()
        try RecordJSONWriter().writeLine(source, database: database, to: buffer)
        return Array(buffer.bytes)
      }
      require(written.elementsEqual(line), difference(written, line))
    }
    let key = reader.readKey(line)
    require(
      key?.database == database && key?.recordID == record.recordID
        && key?.recordType == record.recordType, "the key of a line is not its record's")
    let scan = reader.scanLine(line)
    require(
      scan?.changeTag == record.recordChangeTag
        && scan?.modificationDate == record.modificationDate
        && scan.map { reader.recordName(of: line, $0) } == record.recordID.recordName,
      "a line's scan is not its record's")
    let opening = RecordLine.opening(of: line)?.bodyStart ?? 0
    let dictionary = [UInt8(ascii: "{")] + line[opening...]
    let tolerant = requireNoError("reading a canonical record through the tree") {
      try dictionary.withUnsafeBytes { try ResultRecord(json: JSONParser.parse($0)) }
    }
    require(tolerant == record, "the tolerant reader reads another record")
    let editable = EditableRecord()
    require(reader.load(editable, from: line), "a canonical line cannot be edited")
    editable.begin()
    let edited = requireNoError("writing a record that was not edited") {
      let buffer = ByteBuffer()
      try editable.write(to: buffer)
      return Array(buffer.bytes)
    }
    require(edited.elementsEqual(line) || edited == dictionary, difference(edited, line))
  }
}

/// The record made of its values, as a program would make it.
func rebuilt(_ record: ResultRecord) -> ResultRecord {
  ResultRecord(systemFields: record.systemFields, fields: Array(record.fields))
}

/// Whatever was read can be written, and what was written means the same record and no other bytes.
func checkCircle(_ record: ResultRecord) {
  let bytes = written(record)
  let back = requireNoError("reading what was written") {
    try bytes.withUnsafeBytes { try RecordJSONReader().read($0) }
  }
  require(back == record, "a record comes back changed: \(difference(bytes, []))")
  require(rebuilt(back) == record, "the values of a record come back changed")
  let again = written(rebuilt(back))
  require(again == bytes, difference(again, bytes))
  checkAccess(back)
}

private func written(_ record: ResultRecord) -> [UInt8] {
  requireNoError("writing a record that was read") {
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    return Array(buffer.bytes)
  }
}

/// Every getter answers, whatever the record holds.
func checkAccess(_ record: ResultRecord) {
  _ = record.description
  _ = record.hashValue
  for name in record.allKeys() {
    let field = record.field(named: name)
    require(field?.name == name, "a field is not found by its name")
    _ = record[name] as (any RecordValueConvertible)?
    _ = record[name] as String?
    _ = record[name] as Int?
    _ = record[name] as [String]?
    _ = record.encryptedValues[name] as (any RecordValueConvertible)?
  }
}
