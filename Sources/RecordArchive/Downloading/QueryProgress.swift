import Foundation
import RecordModel
import RecordStore

/// What an unfinished download knows about the query of a type.
struct QueryProgress: Codable, Sendable {
  static let prefix = "download.query "

  let scope: DatabaseScope
  let zoneName: String
  let ownerName: String
  let recordType: String
  /// Where the next page begins; nil to begin from the start.
  var cursor: Data?
  var isDone = false
  var isRelisting = false

  init(_ section: RecordSection) {
    scope = section.database
    zoneName = section.zoneID.zoneName
    ownerName = section.zoneID.ownerName
    recordType = section.recordType
  }

  var section: RecordSection {
    RecordSection(scope, ZoneID(zoneName: zoneName, ownerName: ownerName), recordType)
  }

  func write(to writer: MirrorWriter) throws {
    let name = try DownloadNote.encode([scope.rawValue, ownerName, zoneName, recordType])
    try writer.setNote(Self.prefix + name, DownloadNote.encode(self))
  }
}
