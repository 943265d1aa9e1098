import Foundation
import RecordModel

@testable import RecordCoding

/// Keyed archives of CloudKit's records and shares.
struct ArchivesTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    let data = Data(input)
    if let list = try? BinaryPlist(decoding: data) {
      let encoded = list.encoded()
      let again = requireNoError("reading a written property list") {
        try BinaryPlist(decoding: encoded).encoded()
      }
      require(again == encoded, "a property list changes when it is written again")
    }
    let archived = try ArchivedRecord(keyedArchive: data)
    let written = requireNoError("writing an archive of which nothing was changed") {
      try archived.systemFields.encodeSystemFields()
    }
    require(written == data, "an archive of which nothing was changed is written changed")
    checkChangedTag(of: archived.systemFields)
    checkNewArchive(of: archived.systemFields)
    let record = ResultRecord(systemFields: archived.systemFields, fields: archived.fields)
    checkAccess(record)
    let buffer = ByteBuffer()
    // Archives hold numbers that JSON does not.
    guard (try? RecordJSONWriter().write(record, to: buffer)) != nil else { return }
    RecordCodingCircle.check(record)
  }

  /// An archive made from nothing holds what the layout has a place for.
  private func checkNewArchive(of fields: SystemFields) {
    var plain = fields
    plain.archive = nil
    plain.created?.deviceID = nil
    let archive = requireNoError("writing a new archive") { try plain.encodeSystemFields() }
    let back = requireNoError("reading a new archive") { try SystemFields(decoding: archive) }
    require(
      back.recordID == plain.recordID && back.recordType == plain.recordType
        && back.recordChangeTag == plain.recordChangeTag && back.parent == plain.parent
        && back.share == plain.share, "system fields come back changed")
  }

  private func checkChangedTag(of fields: SystemFields) {
    var changed = fields
    changed.recordChangeTag = "fuzz"
    let archive = requireNoError("writing an archive with a new change tag") {
      try changed.encodeSystemFields()
    }
    var back = requireNoError("reading an archive with a new change tag") {
      try SystemFields(decoding: archive)
    }
    require(back.recordChangeTag == "fuzz", "a new change tag is not written")
    back.recordChangeTag = fields.recordChangeTag
    back.archive = fields.archive
    require(back == fields, "a new change tag changes other fields")
  }
}

enum RecordCodingCircle {
  static func check(_ record: ResultRecord) { checkCircle(record) }
}
