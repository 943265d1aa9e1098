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
extension ValueSum {
  mutating func add(_ chat: Chat) {
    add(
      chat.recordID, Chat.recordType, chat.recordChangeTag,
      (chat.creationDate, chat.modificationDate),
      (chat.creatorUserRecordID, chat.lastModifiedUserRecordID), (chat.parent, chat.share))
    for name in chat.members ?? [] { add(text: name) }
    add(text: chat.title ?? "")
  }

  mutating func add(_ message: Message) {
    add(
      message.recordID, Message.recordType, message.recordChangeTag,
      (message.creationDate, message.modificationDate),
      (message.creatorUserRecordID, message.lastModifiedUserRecordID),
      (message.parent, message.share))
    add(text: message.note ?? "")
    if let preview = message.preview { add(preview) }
    for reference in message.relatedRecords ?? [] { add(reference.recordID) }
    if let score = message.score { add(score) }
    if let date = message.sentAt { add(date) }
    if let sequence = message.sequence { add(sequence) }
    add(text: message.text ?? "")
  }

  mutating func add(_ reaction: Reaction) {
    add(
      reaction.recordID, Reaction.recordType, reaction.recordChangeTag,
      (reaction.creationDate, reaction.modificationDate),
      (reaction.creatorUserRecordID, reaction.lastModifiedUserRecordID),
      (reaction.parent, reaction.share))
    add(text: reaction.emoji ?? "")
    for reference in reaction.relatedRecords ?? [] { add(reference.recordID) }
  }

  mutating func add(_ item: CodableItem, recordType: String) {
    add(
      item.recordID, recordType, item.recordChangeTag, (item.creationDate, item.modificationDate),
      (item.creatorUserRecordID, item.lastModifiedUserRecordID), (item.parent, nil))
    for text in [item.emoji, item.note, item.text, item.title] { add(text: text ?? "") }
    for name in item.members ?? [] { add(text: name) }
    if let preview = item.preview { add(preview) }
    for reference in item.relatedRecords ?? [] { add(reference.recordID) }
    if let score = item.score { add(score) }
    if let date = item.sentAt { add(date) }
    if let sequence = item.sequence { add(sequence) }
  }

  private mutating func add(
    _ recordID: RecordID, _ recordType: String, _ changeTag: String?, _ dates: (Date?, Date?),
    _ users: (RecordID?, RecordID?), _ references: (Reference?, Reference?)
  ) {
    add(recordID)
    add(text: recordType)
    add(text: changeTag ?? "")
    if let date = dates.0 { add(date) }
    if let date = dates.1 { add(date) }
    if let user = users.0 { add(user) }
    if let user = users.1 { add(user) }
    if let parent = references.0 { add(parent.recordID) }
    if let share = references.1 { add(share.recordID) }
  }
}
