import RecordPack

/// What someone felt about a message.
struct Reaction {
  static let recordType = "Reaction"

  var recordName: String
  var message: RecordID
  var chat: RecordID
  var emoji: String
  /// How hard the finger pressed, 0 to 1.
  var strength: Double

  func draft() -> DraftRecord {
    var draft = DraftRecord(
      recordType: Self.recordType,
      recordID: RecordID(recordName: recordName, zoneID: message.zoneID))
    draft.parent = Reference(recordID: message)
    draft["message"] = Reference(recordID: message, action: .deleteSelf)
    draft["relatedRecords"] = [Reference(recordID: chat), Reference(recordID: message)]
    draft["emoji"] = emoji
    draft["strength"] = strength
    return draft
  }
}
