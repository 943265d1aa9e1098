import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// Makes the records of shares.
final class ShareMaker {
  private let shares: ShareSection
  private let users: [FixtureUser]
  private let cursors: [TreeCursor]
  private let writer = RecordJSONWriter()

  init(_ shares: ShareSection, _ users: [FixtureUser]) {
    self.shares = shares
    self.users = users
    cursors = shares.sections.map(TreeCursor.init)
  }

  static func appendName(of index: Int, in section: Section, to buffer: ByteBuffer) {
    buffer.append(text: section.sharePrefix)
    let digits = String(index + 1)
    let width = String(section.count).utf8.count
    for _ in 0..<(width - digits.utf8.count) { buffer.append(UInt8(ascii: "0")) }
    buffer.append(text: digits)
  }

  /// Appends the share of the zone.
  func appendZoneShare(
    _ layout: GenerationLayout, to buffer: ByteBuffer
  ) throws -> [RecordPlace] {
    guard let owner = shares.site.owner else { return [] }
    let spot = ShareSpot(
      participants: users.count - 1, first: (owner + 1) % users.count)
    let created = layout.recipe.referenceMilliseconds
    return [
      try append(
        Share.zoneWideRecordName, spot, owner, created, shares.changes[0] + 1, title: nil,
        to: buffer)
    ]
  }

  /// Appends the shares of the records of one section.
  func append(
    sectionAt place: Int, _ range: Range<Int>, to buffer: ByteBuffer
  ) throws -> [RecordPlace] {
    let cursor = cursors[place]
    let section = shares.sections[place]
    let name = ByteBuffer(capacity: 256)
    var places: [RecordPlace] = []
    for index in range {
      if index == range.lowerBound { cursor.seek(index) } else { cursor.advance() }
      guard let share = cursor.spot.share, let owner = section.site.owner else { continue }
      name.reset()
      Self.appendName(of: index, in: section, to: name)
      places.append(
        try append(
          String(decoding: name.bytes, as: UTF8.self), share, owner, cursor.spot.created,
          shares.changes[place] + index + 1, title: "\(section.type.name) \(index + 1)", to: buffer)
      )
    }
    return places
  }

  private func append(
    _ name: String, _ share: ShareSpot, _ owner: Int, _ created: Int, _ change: Int,
    title: String?, to buffer: ByteBuffer
  ) throws -> RecordPlace {
    let start = buffer.count
    let date = CanonicalDate.date(wholeMilliseconds: Int64(created))
    let stamp = RecordStamp(date: date, userRecordName: users[owner].recordName)
    var draft = DraftRecord(
      recordType: Share.recordType,
      recordID: RecordID(recordName: name, zoneID: shares.site.zoneID))
    draft.shareInfo = Share(
      publicPermission: .none, participants: participants(share, owner), shortGUID: nil)
    var system = draft.systemFields
    system.recordChangeTag = String(change, radix: 36)
    system.created = stamp
    system.modified = stamp
    let fields = title.map { [Field(name: Share.titleKey, value: .string($0))] } ?? []
    try writer.write(ResultRecord(systemFields: system, fields: fields), to: buffer)
    return RecordPlace(name: Array(name.utf8), start: start, end: buffer.count)
  }

  private func participants(_ share: ShareSpot, _ owner: Int) -> [ShareParticipant] {
    var list = [
      ShareParticipant(
        role: .owner, permission: .readWrite, acceptanceStatus: .accepted,
        userIdentity: users[owner].account.identity)
    ]
    var user = share.first
    while list.count <= share.participants {
      if user != owner {
        // The first one has accepted, and may write; every third is still invited.
        let isPending = list.count % 3 == 2
        list.append(
          ShareParticipant(
            role: .privateUser, permission: list.count == 1 ? .readWrite : .readOnly,
            acceptanceStatus: isPending ? .pending : .accepted,
            userIdentity: users[user].account.identity))
      }
      user = (user + 1) % users.count
    }
    return list
  }
}
