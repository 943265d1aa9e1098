import Foundation
import RecordModel
import RecordPlatform

/// The numbers of the changes in a transaction.
///
/// Each change of the server gets the next number of its database, which is also the change tag of
/// a saved record. The import that fills a container takes the numbers from the tags: so the same
/// contents have the same numbers in each copy of a container, and change tokens stay valid. They
/// have a number for the contents, the lineage: tokens of others are expired.
final class ChangeNumbers {
  /// Where changes come from.
  enum Source {
    /// Saves and deletions.
    case server
    /// The import that fills a container without changes. What has no tag has the number 1.
    case load
    /// Another import. It must not number changes as tags do: readers know some numbers already.
    case merge
    /// A part of what the container is filled with, in the state of a server. Numbers are those of a
    /// load; tokens of the databases that change expire.
    case mirror
  }

  @exclusivity(unchecked) var source = Source.server
  private let db: SQLiteConnection
  /// The last number that was assigned in each database, and by each counter.
  @exclusivity(unchecked) private var last: [Int64?] = [nil, nil, nil]
  @exclusivity(unchecked) private var counters: [Int64?] = [nil, nil]
  @exclusivity(unchecked) private var highestTag: [Int64] = [0, 0, 0]
  /// The sum of the hashes of what was loaded.
  @exclusivity(unchecked) private var contents: [UInt64] = [0, 0, 0]
  /// Whether something was loaded, and then removed or replaced.
  @exclusivity(unchecked) private var isRewritten = false
  /// The first number that tokens of shared databases may have, where that changes.
  @exclusivity(unchecked) private var expiredShared: Int64?
  /// The least number of a loaded record.
  @exclusivity(unchecked) private var least: [Int64] = [1, 1, 1]
  /// The databases that a mirror changes.
  private var mirrored: Set<DatabaseScope> = []
  /// The greatest number in a zone that was not changed since the source was filled.
  private var limits = [Int64](repeating: .max, count: 3)
  private var history = ContainerHistory()
  private var zones: [DatabaseScope: [ZoneID: ContainerHistory.Zone]] = [:]

  init(_ db: SQLiteConnection) { self.db = db }

  /// Whether a database has no changes besides the creation of its default zone.
  static func areNone(in db: SQLiteConnection) throws -> Bool {
    try DatabaseScope.allCases.allSatisfy { scope in
      let row = try DatabaseRow.read(scope, from: db)
      return row.changes.last <= 1
        && CountedTable.allCases.allSatisfy { $0 == .zones || row.counts[$0] == 0 }
    }
  }

  /// Goes on with the history of the only source of a load, before anything of it is added.
  func follow(_ history: ContainerHistory) {
    guard source == .load else { return }
    self.history = history
    for database in history.databases {
      least[database.scope.rank] = max(1, database.mergedChange)
      limits[database.scope.rank] = max(1, database.loadedChange)
      zones[database.scope] = Dictionary(
        uniqueKeysWithValues: database.zones.map { ($0.zoneID, $0) })
    }
  }

  /// Lets the tokens of all shared databases expire: an import deleted a zone without a trace, and
  /// who saw it there is not known.
  func noteRemovedZone() throws { expiredShared = try next(in: .shared) }

  /// Returns the next number of a database.
  @inline(__always)
  func next(in scope: DatabaseScope) throws -> Int64 {
    let counter = scope.counter
    let next =
      source == .load || source == .mirror
      ? 1 : try (counters[counter] ?? DatabaseRow.lastChange(in: scope, from: db)) &+ 1
    counters[counter] = next
    last[scope.rank] = next
    return next
  }

  /// Returns the number of an imported record.
  ///
  /// - Parameter tag: the number in its change tag, which no later save uses again; 0 if it has
  ///   none.
  @inline(__always)
  func next(ofTag tag: Int64, in zone: ZoneState) throws -> Int64 {
    let rank = zone.scope.rank
    highestTag[rank] = max(highestTag[rank], tag)
    guard source == .load || source == .mirror else { return try next(in: zone.scope) }
    return min(max(least[rank], tag), zone.loadLimit)
  }

  /// Returns the number of a zone's last change in the history that is followed; nil if it has none.
  func lastChange(of zoneID: ZoneID, in scope: DatabaseScope) -> Int64? {
    zones[scope]?[zoneID]?.lastChange
  }

  /// Returns the greatest number of what is loaded of a zone. A record can have a tag that is newer
  /// than its last change.
  func limit(of zoneID: ZoneID, in scope: DatabaseScope) -> Int64 {
    lastChange(of: zoneID, in: scope) ?? limits[scope.rank]
  }

  // MARK: Contents

  /// Notes the hash of a record that was added.
  @inline(__always)
  func noteContent(_ hash: UInt64, in scope: DatabaseScope) { contents[scope.rank] &+= hash }

  /// Notes the JSON of a tombstone that was added.
  func noteContent(_ json: Data, in scope: DatabaseScope) {
    noteContent(json.withUnsafeBytes { XXH64.hash($0) }, in: scope)
  }

  /// Notes that a mirror changes a database.
  func noteMirrored(_ scope: DatabaseScope) { mirrored.insert(scope) }

  /// Notes that something was removed or replaced.
  func noteRewrite() { isRewritten = true }

  /// Adds the names of zones, and of deleted ones.
  private func lineage(of scope: DatabaseScope) throws -> Int64 {
    var sum = contents[scope.rank]
    for table in ["zone", "zoneTombstone"] {
      try db.forEachRow("SELECT owner, name FROM \(table) WHERE scope = ?", [scope.rank]) { row in
        var text = "\(table) \(row.string(0).utf8.count) \(row.string(0)) \(row.string(1))"
        sum &+= text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
      }
    }
    return Int64(bitPattern: sum)
  }

  // MARK: The end

  /// Whether a database has new changes.
  func areNew(in scope: DatabaseScope) -> Bool {
    switch source {
    case .load: true
    case .mirror: mirrored.contains(scope)
    case .server, .merge: last[scope.rank] != nil
    }
  }

  /// Adds the changes of the transaction to those of a database.
  func add(to changes: inout DatabaseChanges, in scope: DatabaseScope) throws {
    let rank = scope.rank
    if source == .mirror { return try addMirrored(to: &changes, in: scope) }
    guard source == .load else {
      guard let last = last[rank] else { return }
      changes.last = max(last, highestTag[rank])
      if source == .merge { changes.merged = changes.last }
      if scope == .shared, let expiredShared { changes.firstShared = expiredShared }
      return
    }
    changes.last = max(changes.last, last[rank] ?? 0, highestTag[rank])
    if let database = history.databases.first(where: { $0.scope == scope }) {
      changes.last = max(changes.last, database.lastChange)
      changes.loaded = database.loadedChange
      changes.lineage = Int64(bitPattern: database.lineage)
      changes.merged = database.mergedChange
    } else {
      changes.loaded = changes.last
      changes.lineage = try lineage(of: scope)
      // A copy is filled with what is left, so it must be told the lineage.
      if isRewritten { changes.merged = changes.last }
    }
    changes.firstShared = changes.last
  }

  private func addMirrored(to changes: inout DatabaseChanges, in scope: DatabaseScope) throws {
    changes.last = max(changes.last, last[scope.rank] ?? 0, highestTag[scope.rank])
    changes.loaded = changes.last
    changes.firstShared = changes.last
    changes.merged = 0
    // What was there before has a part in it, so that no two states have the same.
    changes.lineage = try changes.lineage &* 31 &+ lineage(of: scope)
  }

  /// Writes the changes of zones in the history that is followed.
  func writeZones() throws {
    guard source == .load else { return }
    for database in history.databases {
      for zone in database.zones {
        try db.run(
          "UPDATE zone SET lastChange = ?, firstChange = ? WHERE \(ZoneID.columns)",
          [zone.lastChange, max(1, zone.firstChange)] + zone.zoneID.columns(in: database.scope))
      }
    }
  }
}
