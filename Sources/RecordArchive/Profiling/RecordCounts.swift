import Foundation
import RecordCoding
import RecordModel

/// Counts by day in UTC, in bounded memory: after 4,096 different days, by month.
package struct DayCounts: Sendable, Hashable {
  /// The number of different days that are kept.
  static let maxDays = 4096
  /// The days of the years 1 to 9999.
  private static let calendar = -719_162..<2_932_897

  /// The counts, by the number of days since 1970-01-01.
  package private(set) var days: [Int: Int] = [:]
  /// The number of items without a date, or with one outside of the years 1 to 9999.
  package private(set) var undated = 0
  /// Whether months are counted; each has its first day.
  package private(set) var isByMonth = false
  private var latest: Date?

  package init() {}

  package var total: Int { days.values.reduce(0, +) }
  /// The latest date.
  package var last: Date? { latest }

  package mutating func add(_ date: Date?) {
    guard let date, let day = Self.day(of: date) else {
      undated += 1
      return
    }
    if latest.map({ $0 < date }) ?? true { latest = date }
    add(1, on: day)
  }

  private mutating func add(_ count: Int, on day: Int) {
    days[isByMonth ? Self.monthStart(day) : day, default: 0] += count
    if !isByMonth, days.count > Self.maxDays { groupByMonth() }
  }

  private mutating func groupByMonth() {
    isByMonth = true
    var months: [Int: Int] = [:]
    for (day, count) in days { months[Self.monthStart(day), default: 0] += count }
    days = months
  }

  package mutating func add(_ other: DayCounts) {
    undated += other.undated
    if let date = other.latest, latest.map({ $0 < date }) ?? true { latest = date }
    if other.isByMonth, !isByMonth { groupByMonth() }
    for (day, count) in other.days { add(count, on: day) }
  }

  /// The number of days since 1970-01-01 in UTC; nil outside of the years 1 to 9999.
  static func day(of date: Date) -> Int? {
    let day = (date.timeIntervalSince1970 / 86_400).rounded(.down)
    guard day >= Double(calendar.lowerBound), day < Double(calendar.upperBound) else { return nil }
    return Int(day)
  }

  private static func monthStart(_ day: Int) -> Int {
    guard let date = CivilDate(Date(timeIntervalSince1970: Double(day) * 86_400)) else {
      return day
    }
    return day - date.day + 1
  }
}

/// The users who created or modified records.
package struct UserCounts: Sendable {
  package struct User: Sendable {
    fileprivate let key: CompactName
    package var created = 0
    package var modified = 0

    package var name: String { key.string }
  }

  /// At most 100,000 users are counted one by one.
  private var counter = CappedCounter<CompactName, User>(limit: 100_000)

  package var count: Int { counter.counts.count }
  /// Whether there were more users than are counted.
  package var hasMore: Bool { counter.skipped > 0 }

  mutating func add(created: String?, modified: String?) {
    if let key = created.map(CompactName.init) {
      counter.update(key, new: User(key: key)) { $0.created += 1 }
    }
    if let key = modified.map(CompactName.init) {
      counter.update(key, new: User(key: key)) { $0.modified += 1 }
    }
  }

  mutating func add(_ other: UserCounts) {
    for user in other.counter.counts {
      counter.update(user.key, new: User(key: user.key)) {
        $0.created += user.created
        $0.modified += user.modified
      }
    }
    counter.skip(other.counter.skipped)
  }

  /// The users with the most records, by the number they created, then modified.
  package func most(_ count: Int) -> [User] {
    let sorted = counter.counts.sorted { a, b in
      if a.created != b.created { return a.created > b.created }
      if a.modified != b.modified { return a.modified > b.modified }
      return compareUTF8(a.name, b.name) < 0
    }
    return Array(sorted.prefix(count))
  }
}

/// The shares, and who takes part in them.
package struct ShareCounts: Sendable {
  /// The number of shares that are listed.
  static let maxShares = 200

  /// The permission and the acceptance of participants.
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
