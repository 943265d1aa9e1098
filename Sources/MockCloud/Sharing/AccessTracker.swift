import RecordModel
import RecordStore

/// Notes in the container what accounts begin and cease to see because of a request, for their
/// change feeds.
///
/// Include zones and records that may become visible or invisible before the request changes them. Zones
/// and records are those of the container. A record that is created or changed while an account sees it needs no
/// note: it is among the changes of its zone.
final class AccessTracker {
  private let transaction: ContainerTransaction
  /// The users who may take part in shares; none if the container has one user only.
  private let users: [String]
  private var zones: [ZoneID: Set<String>] = [:]
  private var records: [RecordID: Set<String>] = [:]
  /// The access of each user before the request.
  private let before: [ShareAccess]

  init(_ transaction: ContainerTransaction) throws {
    self.transaction = transaction
    users = try transaction.info().usersOfShares
    before = users.map { ShareAccess(of: $0, in: transaction) }
  }

  // MARK: Before the request

  /// Includes a record and all records below it.
  func include(_ recordID: RecordID) throws {
    guard try includeZone(recordID.zoneID) else { return }
    var found = [recordID]
    var next = 0
    while next < found.count {
      if try includeAlone(found[next]) {
        found += try transaction.records(referringTo: found[next], as: .parent, in: .private)
      }
      next += 1
    }
  }

  /// Includes a share, and what is shared by it.
  func includeShare(_ recordID: RecordID) throws {
    guard try includeZone(recordID.zoneID) else { return }
    _ = try includeAlone(recordID)
    for root in try transaction.records(referringTo: recordID, as: .share, in: .private) {
      try include(root)
    }
  }

  /// Includes a record that is deleted.
  func includeDeleted(_ record: ResultRecord) throws {
    guard try includeZone(record.recordID.zoneID) else { return }
    if record.isShare {
      try includeShare(record.recordID)
    } else {
      _ = try includeAlone(record.recordID)
    }
  }

  /// Includes a zone that users may begin or cease to see.
  ///
  /// - Returns: whether there are users who may see it.
  @discardableResult
  func includeZone(_ zoneID: ZoneID) throws -> Bool {
    guard !users.isEmpty else { return false }
    if zones[zoneID] == nil {
      zones[zoneID] = try Set(
        zip(users, before).filter { try $0.1.includes(zoneID) }.map(\.0))
    }
    return true
  }

  /// - Returns: whether the record was not included before.
  private func includeAlone(_ recordID: RecordID) throws -> Bool {
    guard records[recordID] == nil else { return false }
    records[recordID] = try readers(of: recordID, before)
    return true
  }

  private func readers(of recordID: RecordID, _ access: [ShareAccess]) throws -> Set<String> {
    guard let record = try transaction.record(for: recordID, in: .private) else { return [] }
    return try Set(zip(users, access).filter { try $0.1.level(of: record) > .none }.map(\.0))
  }

  // MARK: After the request

  /// Notes what has become visible and invisible, also for notifications.
  func finish(_ notifier: Notifier, _ view: AccountView) throws {
    let after = users.map { ShareAccess(of: $0, in: transaction) }
    for (zoneID, before) in zones.sorted(by: { $0.key < $1.key }) {
      let now = try Set(zip(users, after).filter { try $0.1.includes(zoneID) }.map(\.0))
      for user in before.subtracting(now).sorted() {
        try transaction.noteLostZone(zoneID, in: .private, account: user)
      }
      for user in now.subtracting(before).sorted() {
        try transaction.noteGainedZone(zoneID, in: .private, account: user)
      }
      for user in before.symmetricDifference(now) {
        notifier.noteZone(in: view.databaseKey(.shared, of: user))
      }
      for user in try noteRecords(in: zoneID, of: before.intersection(now), after) {
        let database = view.databaseKey(.shared, of: user)
        let seen = AccountView(.shared, of: database.account, in: try transaction.info())
          .visible(ZoneLocation(.private, zoneID))
        if let seen { notifier.noteAccess(to: seen, in: database) }
      }
    }
  }

  /// Notes the records that users began or ceased to see, who see the zone before and after.
  ///
  /// - Returns: the users who did.
  private func noteRecords(
    in zoneID: ZoneID, of users: Set<String>, _ after: [ShareAccess]
  ) throws -> [String] {
    guard !users.isEmpty else { return [] }
    var names: [String: [String]] = [:]
    for (recordID, before) in records where recordID.zoneID == zoneID {
      let changed = try before.symmetricDifference(readers(of: recordID, after))
      for user in changed.intersection(users) {
        names[user, default: []].append(recordID.recordName)
      }
    }
    for (user, names) in names.sorted(by: { $0.key < $1.key }) {
      try transaction.noteAccess(
        to: names.sorted { compareUTF8($0, $1) < 0 }, in: zoneID, of: .private, account: user)
    }
    return names.keys.sorted()
  }
}

extension ContainerInfo {
  /// The record names of all users, if there are several.
  var usersOfShares: [String] {
    let others = otherAccounts.map(\.userRecordName)
    return others.isEmpty ? [] : others + [signedInUserRecordName]
  }
}
