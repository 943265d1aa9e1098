import Foundation
import RecordPack
import Synchronization

/// A sum over every value of every record, so that no decoding can be left out.
///
/// Of a record's name, it asks for the bytes and not for a `String`: identifiers keep UUIDs as
/// numbers, and a string for each would cost more than reading the rest of the record.
///
/// The same values give the same sum in any order and on any number of threads.
struct ValueSum {
  private(set) var value: UInt64 = 0

  mutating func add(_ record: ResultRecord) {
    let system = record.systemFields
    add(system.recordID)
    add(text: system.recordType)
    if let tag = system.recordChangeTag { add(text: tag) }
    add(system.created)
    add(system.modified)
    if let parent = system.parent { add(parent.recordID) }
    if let share = system.share { add(share.recordID) }
    for field in record.fields { add(field.value) }
  }

  mutating func add(_ stamp: RecordStamp?) {
    guard let stamp else { return }
    if let date = stamp.date { add(date) }
    if var user = stamp.userRecordName {
      user.withUTF8 { add(name: UnsafeRawBufferPointer($0)) }
    }
  }

  mutating func add(_ recordID: RecordID) { recordID.withUTF8RecordName { add(name: $0) } }

  private mutating func add(name: UnsafeRawBufferPointer) {
    value &+= UInt64(name.count) &+ UInt64(name.last ?? 0)
  }

  mutating func add(text: String) { value &+= UInt64(text.utf8.count) }
  mutating func add(_ date: Date) { add(date.timeIntervalSinceReferenceDate) }
  mutating func add(_ number: Double) { value &+= number.bitPattern }
  mutating func add(_ number: Int64) { value &+= UInt64(bitPattern: number) }
  mutating func add(_ bytes: Data) { value &+= UInt64(bytes.count) &+ UInt64(bytes.last ?? 0) }

  private mutating func add(_ value: RecordValue) {
    switch value {
    case .string(let text): add(text: text)
    case .int64(let number): add(number)
    case .double(let number): add(number)
    case .timestamp(let date): add(date)
    case .bytes(let bytes): add(bytes)
    case .reference(let reference): add(reference.recordID)
    case .stringList(let texts): for text in texts { add(text: text) }
    case .referenceList(let references): for reference in references { add(reference.recordID) }
    default: preconditionFailure("the data set has no such values")
    }
  }
}

/// The sums of typed values are those of the records they were read from.
///
/// The properties are read where they lie: a closure or a tuple would copy them, and count what they
/// refer to, which no peer's sum does.
extension ValueSum {
  @inline(__always)
  mutating func add(_ chat: Chat) {
    add(
      recordID: chat.recordID, type: Chat.recordType, changeTag: chat.recordChangeTag,
      created: chat.creationDate, by: chat.creatorUserRecordID,
      modified: chat.modificationDate, by: chat.lastModifiedUserRecordID,
      parent: chat.parent, share: chat.share)
    if let names = chat.members { for name in names { add(text: name) } }
    add(optional: chat.title)
  }

  @inline(__always)
  mutating func add(_ message: Message) {
    add(
      recordID: message.recordID, type: Message.recordType, changeTag: message.recordChangeTag,
      created: message.creationDate, by: message.creatorUserRecordID,
      modified: message.modificationDate, by: message.lastModifiedUserRecordID,
      parent: message.parent, share: message.share)
    add(optional: message.note)
    if let preview = message.preview { add(preview) }
    if let references = message.relatedRecords { add(references) }
    if let score = message.score { add(score) }
    if let date = message.sentAt { add(date) }
    if let sequence = message.sequence { add(sequence) }
    add(optional: message.text)
  }

  @inline(__always)
  mutating func add(_ reaction: Reaction) {
    add(
      recordID: reaction.recordID, type: Reaction.recordType,
      changeTag: reaction.recordChangeTag,
      created: reaction.creationDate, by: reaction.creatorUserRecordID,
      modified: reaction.modificationDate, by: reaction.lastModifiedUserRecordID,
      parent: reaction.parent, share: reaction.share)
    add(optional: reaction.emoji)
    if let references = reaction.relatedRecords { add(references) }
  }

  @inline(__always)
  mutating func add(_ item: CodableItem, recordType: String) {
    add(
      recordID: item.recordID, type: recordType, changeTag: item.recordChangeTag,
      created: item.creationDate, by: item.creatorUserRecordID,
      modified: item.modificationDate, by: item.lastModifiedUserRecordID,
      parent: item.parent, share: nil)
    for text in [item.emoji, item.note, item.text, item.title] { add(optional: text) }
    if let names = item.members { for name in names { add(text: name) } }
    if let preview = item.preview { add(preview) }
    if let references = item.relatedRecords { add(references) }
    if let score = item.score { add(score) }
    if let date = item.sentAt { add(date) }
    if let sequence = item.sequence { add(sequence) }
  }

  @inline(__always)
  private mutating func add(
    recordID: RecordID, type: String, changeTag: String?, created: Date?, by creator: RecordID?,
    modified: Date?, by modifier: RecordID?, parent: Reference?, share: Reference?
  ) {
    add(recordID)
    add(text: type)
    add(optional: changeTag)
    if let created { add(created) }
    if let modified { add(modified) }
    creator?.withUTF8RecordName { add(name: $0) }
    modifier?.withUTF8RecordName { add(name: $0) }
    parent?.recordID.withUTF8RecordName { add(name: $0) }
    share?.recordID.withUTF8RecordName { add(name: $0) }
  }

  @inline(__always)
  private mutating func add(optional text: String?) {
    value &+= UInt64(text?.utf8.count ?? 0)
  }

  @inline(__always)
  private mutating func add(_ references: [Reference]) {
    for index in references.indices { add(references[index].recordID) }
  }
}
