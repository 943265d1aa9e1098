import Foundation
import RecordModel
import RecordStore

/// What a download knows about a zone.
struct ZoneProgress: Codable, Sendable {
  static let prefix = "download.zone "

  let scope: DatabaseScope
  let zoneName: String
  let ownerName: String
  /// The end of the last page; nil to begin from the start.
  var token: Data?
  /// Whether the zone has changes to fetch.
  var isPending = true
  /// Whether records are noted that the server lists.
  var isRelisting = false
  /// The names of records that the server did not send, or not with all their assets.
  var unread: [String] = []

  init(_ zoneID: ZoneID, in scope: DatabaseScope) {
    self.scope = scope
    zoneName = zoneID.zoneName
    ownerName = zoneID.ownerName
  }

  var zoneID: ZoneID { ZoneID(zoneName: zoneName, ownerName: ownerName) }
  var place: DownloadReport.Place { .init(databaseScope: scope, zoneID: zoneID) }

  mutating func setUnread(_ recordName: String, _ isUnread: Bool) {
    unread.removeAll { $0.sameScalars(as: recordName) }
    if isUnread { unread.append(recordName) }
  }

  func write(to writer: MirrorWriter) throws {
    try writer.setNote(try noteName(), DownloadNote.encode(self))
  }

  func remove(from writer: MirrorWriter) throws { try writer.setNote(try noteName(), nil) }

  private func noteName() throws -> String {
    try Self.prefix + DownloadNote.encode([scope.rawValue, ownerName, zoneName])
  }
}
