import Foundation
import RecordPack

/// A record line as a plain `Codable` struct, the way one writes it for Foundation's coders: typed
/// members, nothing dynamic, dates as numbers.
struct ChatLine: Codable {
  struct Zone: Codable {
    var zoneName: String
    var ownerRecordName: String
  }

  struct Stamp: Codable {
    var timestamp: Double
    var userRecordName: String
  }

  struct Link: Codable {
    var recordName: String
    var action: String
  }

  struct Value<T: Codable>: Codable {
    var type: String
    var isEncrypted: Bool?
    var value: T
  }

  struct Fields: Codable {
    var emoji: Value<String>?
    var members: Value<[String]>?
    var note: Value<String>?
    var preview: Value<Data>?
    var relatedRecords: Value<[Link]>?
    var score: Value<Double>?
    var sentAt: Value<Double>?
    var sequence: Value<Int64>?
    var text: Value<String>?
    var title: Value<String>?
  }

  var kind: String
  var database: String
  var zoneID: Zone
  var recordType: String
  var recordName: String
  var recordChangeTag: String
  var created: Stamp
  var modified: Stamp
  var parent: Link?
  var fields: Fields
}

extension ChatLine {
  init(_ record: ResultRecord, _ database: DatabaseScope) {
    kind = "record"
    self.database = database.rawValue
    let zone = record.recordID.zoneID
    zoneID = Zone(zoneName: zone.zoneName, ownerRecordName: zone.ownerName)
    recordType = record.recordType
    recordName = record.recordID.recordName
    recordChangeTag = record.recordChangeTag ?? ""
    created = Stamp(record.systemFields.created)
    modified = Stamp(record.systemFields.modified)
    parent = record.parent.map(Link.init)
    fields = Fields(record)
  }
}

extension ChatLine.Stamp {
  init(_ stamp: RecordStamp?) {
    timestamp = (stamp?.date?.timeIntervalSince1970 ?? 0) * 1000
    userRecordName = stamp?.userRecordName ?? ""
  }
}

extension ChatLine.Link {
  init(_ reference: Reference) {
    recordName = reference.recordID.recordName
    action = reference.action.rawValue
  }
}

extension ChatLine.Fields {
  init(_ record: ResultRecord) {
    for field in record.fields {
      switch (field.name, field.value) {
      case ("emoji", .string(let text)): emoji = .init(type: "STRING", value: text)
      case ("members", .stringList(let names)): members = .init(type: "STRING_LIST", value: names)
      case ("note", .string(let text)):
        note = .init(type: "STRING", isEncrypted: true, value: text)
      case ("preview", .bytes(let data)): preview = .init(type: "BYTES", value: data)
      case ("relatedRecords", .referenceList(let links)):
        relatedRecords = .init(type: "REFERENCE_LIST", value: links.map(ChatLine.Link.init))
      case ("score", .double(let number)): score = .init(type: "DOUBLE", value: number)
      case ("sentAt", .timestamp(let date)):
        sentAt = .init(type: "TIMESTAMP", value: date.timeIntervalSince1970 * 1000)
      case ("sequence", .int64(let number)): sequence = .init(type: "INT64", value: number)
      case ("text", .string(let string)): text = .init(type: "STRING", value: string)
      case ("title", .string(let string)): title = .init(type: "STRING", value: string)
      default: preconditionFailure("the data set has no field \(field.name)")
      }
    }
  }
}

extension ValueSum {
  /// Adds a line's values, as ``add(_:)-(ResultRecord)`` adds a record's; times are numbers here,
  /// so that the sums are not the same.
  mutating func add(_ line: ChatLine) {
    add(text: line.recordName)
    add(text: line.recordType)
    add(text: line.recordChangeTag)
    for stamp in [line.created, line.modified] {
      add(stamp.timestamp)
      add(text: stamp.userRecordName)
    }
    if let parent = line.parent { add(text: parent.recordName) }
    let fields = line.fields
    for field in [fields.emoji, fields.note, fields.text, fields.title] {
      if let field { add(text: field.value) }
    }
    for name in fields.members?.value ?? [] { add(text: name) }
    for link in fields.relatedRecords?.value ?? [] { add(text: link.recordName) }
    if let preview = fields.preview { add(preview.value) }
    if let score = fields.score { add(score.value) }
    if let date = fields.sentAt { add(date.value) }
    if let sequence = fields.sequence { add(sequence.value) }
  }
}
