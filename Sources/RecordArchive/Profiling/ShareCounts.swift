import RecordCoding
import RecordModel

/// The shares, and who takes part in them.
package struct ShareCounts: Sendable {
  /// The number of shares that are listed.
  static let maxShares = 200

  /// What a participant may do, and whether they have joined.
  package struct Part: Sendable, Hashable, Comparable {
    package var role: ShareParticipant.Role
    package var permission: ShareParticipant.Permission
    package var acceptance: ShareParticipant.AcceptanceStatus

    init(_ participant: ShareParticipant) {
      role = participant.role
      permission = participant.permission
      acceptance = participant.acceptanceStatus
    }

    private var order: [Int] {
      [
        ShareParticipant.Role.allCases.firstIndex(of: role) ?? 0,
        ShareParticipant.Permission.allCases.firstIndex(of: permission) ?? 0,
        ShareParticipant.AcceptanceStatus.allCases.firstIndex(of: acceptance) ?? 0,
      ]
    }

    package static func < (a: Part, b: Part) -> Bool {
      a.order.lexicographicallyPrecedes(b.order)
    }
  }

  /// A share.
  package struct Share: Sendable {
    package var database: DatabaseScope
    package var recordID: RecordID
    package var publicPermission: ShareParticipant.Permission
    /// The number of participants of each kind.
    package var parts: [Part: Int] = [:]

    /// Whether all records of the zone are shared.
    package var isZoneWide: Bool {
      recordID.recordName.sameScalars(as: RecordModel.Share.zoneWideRecordName)
    }
  }

  package private(set) var count = 0
  /// The number of shares whose participants could not be read.
  package private(set) var unread = 0
  /// The first 200, in the order of a bundle.
  package private(set) var shares: [Share] = []
  /// The number of participants of each kind in all shares.
  package private(set) var parts: [Part: Int] = [:]

  mutating func add(_ record: ResultRecord, in database: DatabaseScope) {
    count += 1
    guard let info = record.shareInfo else {
      unread += 1
      return
    }
    var share = Share(
      database: database, recordID: record.recordID, publicPermission: info.publicPermission)
    var participants = info.participants
    if let owner = info.owner, !participants.contains(where: { $0.role == .owner }) {
      participants.append(owner)
    }
    for participant in participants { share.parts[Part(participant), default: 0] += 1 }
    parts.merge(share.parts, uniquingKeysWith: +)
    if shares.count < Self.maxShares { shares.append(share) }
  }

  mutating func add(_ other: ShareCounts) {
    count += other.count
    unread += other.unread
    parts.merge(other.parts, uniquingKeysWith: +)
    shares += other.shares.prefix(Self.maxShares - shares.count)
  }
}
