import Foundation
import RecordPack
import TestSupport

/// A container whose migration takes about a second, and a plan that changes it in every way: new
/// fields, new names, new zones, new records, and references that follow.
package enum LargeContainer {
  package static let zone = ZoneID(zoneName: "Notes")
  package static let notes = 4000
  /// The number of records that the plan makes.
  package static let made = notes / 40

  package static let plan = """
    recordpack-migration: 1
    from: a
    to: b
    steps:
      - {do: rename-field, type: Note, field: text, to: body}
      - {do: add-field, type: Note, field: size, expression: length(body)}
      - {do: rename-records, type: Book, name: "'book-' + recordName"}
      - {do: split-record, type: Scrap, fields: [text, secret], into: Page, reference: page}
      - {do: drop-field, type: Scrap, field: book}
      - {do: move, type: [Scrap, Page], from-zone: Notes, to-zone: Scraps}
      - {do: look-up, type: Note, field: bookTitle, through: book, of: Book, from: title}
    """

  /// Writes the container to a file. It is made once.
  package static func make(at path: String) throws {
    try bytes.get().write(to: URL(fileURLWithPath: path))
  }

  private static let bytes = Result {
    try withFolder { folder in
      try build(at: folder + "/large.sqlite")
      return try Data(contentsOf: URL(fileURLWithPath: folder + "/large.sqlite"))
    }
  }

  private static func build(at path: String) throws {
    let info = ContainerInfo(
      identifier: "iCloud.com.example.notes", environment: .development, schemaVersion: "a")
    try ContainerStore.build(path: path, info: info) { writer in
      try writer.add(RecordZone(zoneID: zone), to: .private)
      for number in 0..<notes { try writer.add(note(number), to: .private) }
      for number in 0..<50 {
        try writer.add(record("Book", "b\(number)", number, ["title": .string("x")]), to: .private)
      }
      try writer.add(
        DeletedRecord(
          recordID: RecordID(recordName: "gone", zoneID: zone), recordType: "Note",
          deletionDate: Date(timeIntervalSinceReferenceDate: 1)), to: .private)
    }
  }

  private static func note(_ number: Int) -> ResultRecord {
    let book = RecordID(recordName: "b\(number % 50)", zoneID: zone)
    return record(
      number % 40 == 7 ? "Scrap" : "Note", "n\(number)", number,
      [
        "text": .string(String(repeating: "word \(number) ", count: 120)),
        "book": .reference(Reference(recordID: book)),
        "written": .timestamp(Date(timeIntervalSinceReferenceDate: Double(number) / 3)),
      ], secret: "hidden \(number)")
  }

  private static func record(
    _ type: String, _ name: String, _ number: Int, _ values: [String: RecordValue],
    secret: String? = nil
  ) -> ResultRecord {
    let stamp = RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: Double(number)), userRecordName: "_me")
    var fields = values.map { Field(name: $0.key, value: $0.value) }
    if let secret {
      fields.append(Field(name: "secret", value: .string(secret), isEncrypted: true))
    }
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type,
        recordChangeTag: String(number + 1, radix: 36), created: stamp, modified: stamp),
      fields: fields)
  }
}
