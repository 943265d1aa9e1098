import RecordModel

/// The users who created or modified records.
package struct UserCounts: Sendable {
  /// The number of users that are counted one by one.
  static let maxUsers = 100_000

  package struct User: Sendable {
    let key: PackedName
    package var created = 0
    package var modified = 0

    package var name: String { key.string }
  }

  /// The users, in the order in which records name them.
  package private(set) var users: [User] = []
  /// Whether there were more users than are counted.
  package private(set) var hasMore = false
  private var places: [PackedName: Int] = [:]
  private var latest: (name: String, place: Int)?

  package var count: Int { users.count }

  mutating func add(created: String?, modified: String?) {
    if let created, let place = place(of: created) { users[place].created += 1 }
    if let modified, let place = place(of: modified) { users[place].modified += 1 }
  }

  private mutating func place(of name: String) -> Int? {
    if let latest, latest.name.sameScalars(as: name) { return latest.place }
    let place = place(of: PackedName(name))
    if let place { latest = (name, place) }
    return place
  }

  private mutating func place(of key: PackedName) -> Int? {
    if let place = places[key] { return place }
    guard users.count < Self.maxUsers else {
      hasMore = true
      return nil
    }
    places[key] = users.count
    users.append(User(key: key))
    return users.count - 1
  }

  mutating func add(_ other: UserCounts) {
    hasMore = hasMore || other.hasMore
    for user in other.users {
      guard let place = place(of: user.key) else { continue }
      users[place].created += user.created
      users[place].modified += user.modified
    }
  }

  /// The users with the most records, by the number they created, then modified.
  package func most(_ count: Int) -> [User] {
    let sorted = users.sorted { a, b in
      if a.created != b.created { return a.created > b.created }
      if a.modified != b.modified { return a.modified > b.modified }
      return compareUTF8(a.name, b.name) < 0
    }
    return Array(sorted.prefix(count))
  }
}
