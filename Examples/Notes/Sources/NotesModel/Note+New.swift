import Foundation
import RecordModel

extension ZoneID {
  /// The zone of the user's own notes.
  public static let notes = ZoneID(zoneName: "Notes")
}

extension Folder {
  /// Creates a new folder of the user.
  public init(name: String) {
    let recordID = RecordID(recordName: UUID().uuidString, zoneID: .notes)
    self.init(recordID: recordID, name: name)
  }
}

extension Note {
  /// Creates a new note.
  ///
  /// - Parameter folder: the folder of the note, which may be one that another user shares. The note is
  ///   shared with it (`parent`), and deleted with it (the reference).
  public init(title: String, body: String? = nil, in folder: Folder? = nil) {
    let zoneID = folder?.recordID.zoneID ?? .notes
    self.init(
      recordID: RecordID(recordName: UUID().uuidString, zoneID: zoneID),
      parent: folder.map { Reference(recordID: $0.recordID) }, body: body,
      folder: folder.map { Reference(recordID: $0.recordID, action: .deleteSelf) }, title: title)
  }
}
