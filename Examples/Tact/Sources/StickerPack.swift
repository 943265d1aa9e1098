import Foundation
import RecordPack

/// Pictures to send, the same for everybody: they lie in the public database.
struct StickerPack {
  static let recordType = "StickerPack"

  var recordName: String
  var name: String
  var keywords: [String]
  var releasedAt: Date
  var images: [Data]

  func draft() -> DraftRecord {
    var draft = DraftRecord(
      recordType: Self.recordType, recordID: RecordID(recordName: recordName))
    draft["name"] = name
    draft["keywords"] = keywords
    draft["releasedAt"] = releasedAt
    draft["images"] = images.map(Asset.init(data:))
    return draft
  }
}
