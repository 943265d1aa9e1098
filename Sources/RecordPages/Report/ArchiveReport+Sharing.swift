import RecordArchive
import RecordModel
import RecordText

extension ArchiveReport {
  /// Who takes part in the shares: roles, permissions and acceptance, no identities.
  var sharing: HTML {
    let shares = profile.shares
    guard shares.count > 0 else { return .empty }
    let parts: [HTML] = shares.parts.sorted { $0.key < $1.key }.map { part, count in
      """
      <tr><td>\(part.role.text)</td><td>\(part.permission.text)</td>\
      <td>\(part.acceptance.text)</td><td class="number">\(Numbers.grouped(count))</td></tr>
      """
    }
    let unread: HTML? =
      shares.unread > 0
      ? "<p class=\"quiet\">\(Numbers.count(shares.unread, "share")) without readable participants</p>"
      : nil
    let participants = Self.table(
      """
      <th scope="col">Role</th><th scope="col">Permission</th><th scope="col">Acceptance</th>\
      <th scope="col" class="number">Participants</th>
      """, parts, of: parts.count)
    return """
      \(parts.isEmpty ? nil : participants)
      \(list)
      \(unread)
      """
  }

  /// Each share, in a list that is closed at first.
  private var list: HTML {
    let shares = profile.shares
    guard !shares.shares.isEmpty else { return .empty }
    let rows: [HTML] = shares.shares.enumerated().map { number, share in
      let name = showsNames ? share.recordID.recordName : "share \(number + 1)"
      let participants = share.parts.values.reduce(0, +)
      let accepted = share.parts.filter { $0.key.acceptance == .accepted }.values.reduce(0, +)
      return """
        <tr><td>\(name)</td><td>\(share.database.rawValue)</td>\
        <td>\(names.zone(share.database, share.recordID.zoneID))</td>\
        <td>\(share.isZoneWide ? "the zone" : "a record")</td>\
        <td>\(share.publicPermission.text)</td>\
        <td class="number">\(Numbers.grouped(participants))</td>\
        <td class="number">\(Numbers.grouped(accepted))</td></tr>
        """
    }
    let table = Self.table(
      """
      <th scope="col">Share</th><th scope="col">Database</th><th scope="col">Zone</th>\
      <th scope="col">Of</th><th scope="col">Everyone with the link</th>\
      <th scope="col" class="number">Participants</th><th scope="col" class="number">Accepted</th>
      """, rows, of: shares.count - shares.unread)
    return """
      <details><summary>\(Numbers.count(shares.count, "share"))</summary>
      \(table)
      </details>
      """
  }
}

extension ShareParticipant.Role {
  var text: String {
    switch self {
    case .owner: "owner"
    case .administrator: "administrator"
    case .privateUser: "invited"
    case .publicUser: "by the link"
    case .unknown: "unknown"
    }
  }
}

extension ShareParticipant.Permission {
  var text: String {
    switch self {
    case .none: "none"
    case .readOnly: "read"
    case .readWrite: "read and write"
    case .unknown: "unknown"
    }
  }
}

extension ShareParticipant.AcceptanceStatus {
  var text: String {
    switch self {
    case .pending: "pending"
    case .accepted: "accepted"
    case .removed: "removed"
    case .unsubscribed: "unsubscribed"
    case .unknown: "unknown"
    }
  }
}
