import RecordModel
import RecordStore

/// The access of a user to records of another user's zone.
enum AccessLevel: Comparable, Sendable {
  case none, readOnly, readWrite
}

/// Computes a user's access to other users' zones: to the hierarchies and zones whose shares the user has
/// accepted.
///
/// Zones and records are those of the container. An instance remembers its results, so it is valid until
/// something changes.
final class ShareAccess {
  private let user: String
  private let snapshot: ContainerSnapshot
  private let scope: DatabaseScope
  /// Shares that count as not accepted.
  private let left: Set<RecordID>
  private var levels: [RecordID: AccessLevel] = [:]
  /// The nearest shares of records, and of those above them.
  private var nearest: [RecordID: RecordID?] = [:]

  /// - Parameters:
  ///   - scope: the database of the container with the records.
  ///   - left: shares that count as not accepted.
  init(
    of user: String, in snapshot: ContainerSnapshot, _ scope: DatabaseScope = .private,
    leaving left: Set<RecordID> = []
  ) {
    self.left = left
    self.user = user
    self.snapshot = snapshot
    self.scope = scope
  }

  /// Whether the user sees something of a zone. A zone with a damaged share counts: the share's records
  /// are errors then, instead of missing.
  func includes(_ zoneID: ZoneID) throws -> Bool {
    try snapshot.shares(acceptedBy: user, in: zoneID, of: scope).contains { share in
      switch try resultOfItem({ try level(ofShare: share) }) {
      case .success(let level): level > .none
      case .failure: true
      }
    }
  }

  /// Returns what the user may do with the records of a share.
  func level(ofShare recordID: RecordID) throws -> AccessLevel {
    if left.contains(recordID) { return .none }
    if let known = levels[recordID] { return known }
    let level = try snapshot.record(for: recordID, in: scope)?.shareInfo?.level(of: user) ?? .none
    levels[recordID] = level
    return level
  }

  /// Returns what the user may do with a record.
  func level(of record: ResultRecord) throws -> AccessLevel {
    let level = try level(ofShare: record.recordID.zoneID.zoneWideShare)
    if level > .none { return level }
    if record.isShare { return try self.level(ofShare: record.recordID) }
    return try share(above: record).map(self.level(ofShare:)) ?? .none
  }

  /// Returns the share of a record, or of the nearest record above it that has one.
  func share(above record: ResultRecord) throws -> RecordID? {
    var seen: Set<RecordID> = []
    var next: ResultRecord? = record
    var found: RecordID?
    while let record = next, seen.insert(record.recordID).inserted {
      found = record.share?.recordID
      guard found == nil, let parent = record.parent?.recordID else { break }
      if let known = nearest[parent] {
        found = known
        break
      }
      next = try snapshot.record(for: parent, in: scope)
    }
    for recordID in seen { nearest[recordID] = .some(found) }
    return found
  }
}

extension Share {
  /// Returns what a participant may do with the records of the share.
  func level(of user: String) -> AccessLevel {
    guard let participant = participant(user), participant.role != .owner,
      participant.acceptanceStatus == .accepted
    else { return .none }
    let permission = participant.role == .publicUser ? publicPermission : participant.permission
    return switch permission {
    case .readWrite: .readWrite
    case .readOnly: .readOnly
    case .none, .unknown: .none
    }
  }

  /// Returns the participant with a record name.
  func participant(_ user: String) -> ShareParticipant? {
    participants.first { $0.userIdentity.userRecordName?.sameScalars(as: user) ?? false }
  }
}
