import RecordModel

/// A record before and after a transaction.
package struct RecordChange: Sendable {
  package let location: RecordLocation
  /// The record before; nil if there was none, or a damaged one.
  package let before: ResultRecord?
  /// The record after; nil if it was deleted.
  package let after: ResultRecord?

  package init(_ location: RecordLocation, before: ResultRecord?, after: ResultRecord?) {
    (self.location, self.before, self.after) = (location, before, after)
  }
}

/// Records as they were before their first change in a transaction. The deletion of a zone is not a
/// change of its records.
struct RecordsBefore {
  /// The number of records of a transaction that are noted. Memory does not grow with the container.
  private static let capacity = 5_000

  private(set) var all: [(location: RecordLocation, record: ResultRecord?)] = []
  private var known: Set<RecordLocation> = []

  mutating func note(_ recordID: RecordID, _ record: ResultRecord?, in zone: ZoneState) {
    let location = RecordLocation(zone.scope, recordID)
    guard all.count < Self.capacity, known.insert(location).inserted else { return }
    all.append((location, record))
  }
}

extension ContainerTransaction {
  /// Returns the changes so far, in the order of the first ones.
  func recordChanges() throws -> [RecordChange] {
    try (before?.all ?? []).compactMap { location, before in
      // A damaged record has no state to tell.
      guard
        case .success(let stored) = try readableRecord(location.recordID, in: location.database),
        before != nil || stored != nil
      else { return nil }
      return RecordChange(location, before: before, after: stored?.record)
    }
  }
}
