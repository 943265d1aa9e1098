import Foundation
import RecordPack

/// Something that was said in a chat.
struct Message {
  static let recordType = "Message"

  var recordName: String
  var chat: RecordID
  var text: String
  var sentAt: Date
  var answered: RecordID?
  var place: Location?
  var photo: Data?
  var voice: [UInt8]?

  var recordID: RecordID { RecordID(recordName: recordName, zoneID: chat.zoneID) }

  func draft() -> DraftRecord {
    var draft = DraftRecord(recordType: Self.recordType, recordID: recordID)
    // The hierarchy that a share follows. It cannot be queried.
    draft.parent = Reference(recordID: chat)
    // Goes with its chat when that is deleted.
    draft["chat"] = Reference(recordID: chat, action: .deleteSelf)
    // All that one query must find: `relatedRecords CONTAINS chat` gives messages and reactions.
    draft["relatedRecords"] = ([chat] + [answered].compactMap { $0 }).map {
      Reference(recordID: $0)
    }
    // What was said is nobody's business: encrypted end to end, on the device.
    draft.encryptedValues["text"] = text
    draft["sentAt"] = sentAt
    draft["place"] = place
    draft["photo"] = photo.map(Asset.init(data:))
    draft["voice"] = voice.map { Data($0) }
    return draft
  }
}
