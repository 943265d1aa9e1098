import Foundation
import RecordModel
import RecordPlatform

/// The numbers of the changes in a transaction.
///
/// Each change of the server gets the next number of its database, which is also the change tag of
/// a saved record. The import that fills a container takes the numbers from the tags, so equal
/// contents have equal numbers in each container. A change token stays valid in a copy of a
/// container on two conditions: the contents are those that the container was filled with, and the
/// token is older than its first change. Other tokens are expired in a copy.
final class ChangeSequence {
  /// Where changes come from.
  enum Source {
    /// Saves and deletions.
    case server
    /// The import that fills a container without changes. A record without a tag has the number 1.
    case load
    /// Another import. It must not number changes as tags do: readers know some numbers already.
    case merge
    /// A download of a part of a server's contents. Numbers are those of a load; tokens of the
    /// databases that change expire.
    case mirror
  }

  private let source: Source
  private let db: SQLiteConnection
  /// The last number that was assigned in each database, and by each counter.
  @exclusivity(unchecked) private var last: [Int64?] = [nil, nil, nil]
  @exclusivity(unchecked) private var counters: [Int64?] = [nil, nil]
  @exclusivity(unchecked) private var highestTag: [Int64] = [0, 0, 0]
  /// The sum of the hashes of the loaded records and tombstones.
  @exclusivity(unchecked) private var contents: [UInt64] = [0, 0, 0]
  /// The first number that tokens of shared databases may have, where that changes.
  @exclusivity(unchecked) private var expiredShared: Int64?
  /// The databases that a mirror changes.
  private var mirrored: Set<DatabaseScope> = []

  init(_ db: SQLiteConnection, _ source: Source) {
    self.db = db
    self.source = source
  }

  /// Whether numbers are those of tags, and the `historyID` is made of the contents.
  var countsContents: Bool { source == .load || source == .mirror }

  /// Lets the tokens of all shared databases expire: an import deleted a zone without a trace, and
  /// it is not known who saw the zone there.
  func noteRemovedZone() throws { expiredShared = try next(in: .shared) }

  /// Returns the next number of a database.
  @inline(__always)
  func next(in scope: DatabaseScope) throws -> Int64 {
    let counter = scope.counter
    let next =
      countsContents
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
  func next(ofTag tag: Int64, in scope: DatabaseScope) throws -> Int64 {
    highestTag[scope.rank] = max(highestTag[scope.rank], tag)
    return countsContents ? max(1, tag) : try next(in: scope)
  }

  /// Returns the number in a change tag; 0 if it is none.
  static func number(ofTag tag: String?) -> Int64 {
    // Greater ones are not counters, and could overflow.
    guard let tag, let number = ChangeTag.change(of: tag), 0...(Int64.max / 2) ~= number else {
      return 0
    }
    return number
  }

  // MARK: Contents

  /// Adds the hash of a record or tombstone to the contents.
  @inline(__always)
  func addContent(_ hash: UInt64, in scope: DatabaseScope) { contents[scope.rank] &+= hash }

  /// Removes the hash of a record or tombstone that is replaced or removed from the contents.
  func removeContent(_ hash: UInt64, in scope: DatabaseScope) { contents[scope.rank] &-= hash }

  /// Notes that a mirror changes a database.
  func noteMirrored(_ scope: DatabaseScope) { mirrored.insert(scope) }

  /// Returns the sum of the hashes of the names of zones, and of deleted ones.
  private func hashOfZoneNames(in scope: DatabaseScope) throws -> UInt64 {
    var sum: UInt64 = 0
    for table in ["zone", "zoneTombstone"] {
      try db.forEachRow("SELECT owner, name FROM \(table) WHERE scope = ?", [scope.rank]) { row in
        var text = "\(table) \(row.string(0).utf8.count) \(row.string(0)) \(row.string(1))"
        sum &+= text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
      }
    }
    return sum
  }

  // MARK: The end

  /// Whether a database has new changes.
  func areNew(in scope: DatabaseScope) -> Bool {
    switch source {
    case .load: true
    case .mirror: mirrored.contains(scope)
    // Changes of the shared database are part of the private one's history.
    case .server, .merge: last[scope.rank] != nil || scope == .private && last[2] != nil
    }
  }

  /// Adds the changes of the transaction to those of a database.
  ///
  /// - Parameter date: the time of the transaction.
  func add(to changes: inout ChangeCounters, in scope: DatabaseScope, at date: Date) throws {
    let rank = scope.rank
    changes.last = max(changes.last, last[rank] ?? 0, highestTag[rank])
    if countsContents {
      let identity = try contents[rank] &+ hashOfZoneNames(in: scope)
      changes.loaded = changes.last
      changes.firstShared = changes.last
      // The state before a mirror has a part in it, so that no two states have the same.
      let before = source == .mirror ? changes.historyID &* 31 : 0
      changes.contentID = before &+ Int64(bitPattern: identity)
      changes.historyID = changes.contentID
    } else {
      if scope == .shared, let expiredShared { changes.firstShared = expiredShared }
      if changes.historyID == changes.contentID {
        let time = date.timeIntervalSinceReferenceDate.bitPattern
        let change = contents[rank] &* 31 &+ time &* 0x9E37_79B1_85EB_CA87
        changes.historyID = changes.contentID &* 31 &+ Int64(bitPattern: change)
      }
    }
  }
}
