import Foundation
import RecordPack
import Synchronization

/// A sum over every value of every record, so that no decoding can be left out.
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
    if let user = stamp.userRecordName { add(text: user) }
  }

  mutating func add(_ recordID: RecordID) { value &+= UInt64(recordID.recordName.utf8.count) }
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
