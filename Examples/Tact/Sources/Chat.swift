import Foundation
import RecordPack

/// A conversation.
struct Chat {
  static let recordType = "Chat"

  var recordName: String
  var zoneID = TactContainer.zoneID
  var title: String
  var emoji: String
  var members: [Person]
  var wallpaper: Data?

  var recordID: RecordID { RecordID(recordName: recordName, zoneID: zoneID) }

  func draft() -> DraftRecord {
    var draft = DraftRecord(recordType: Self.recordType, recordID: recordID)
    draft["title"] = title
    draft["emoji"] = emoji
    draft["isPinned"] = members.count > 2
    draft["memberNames"] = members.map(\.givenName)
    draft["quietHours"] = [22, 7]
    draft["wallpaper"] = wallpaper.map(Asset.init(data:))
    return draft
  }
}
