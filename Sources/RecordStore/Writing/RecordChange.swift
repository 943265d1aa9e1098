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

  private var order: [RecordLocation] = []
  /// The records, and whether more than their tags has changed.
  private var records: [RecordLocation: (record: ResultRecord?, isChanged: Bool)] = [:]

  /// The records that are changed, in the order of their first changes.
  var all: [(location: RecordLocation, record: ResultRecord?)] {
    order.compactMap { location in
      records[location].flatMap { $0.isChanged ? (location, $0.record) : nil }
    }
  }

  /// - Parameter isChange: whether the change feed has the record as changed.
  mutating func note(
    _ recordID: RecordID, _ record: ResultRecord?, in zone: ZoneState, isChange: Bool = true
  ) {
    let location = RecordLocation(zone.scope, recordID)
    if let known = records[location] {
      records[location] = (known.record, known.isChanged || isChange)
    } else if order.count < Self.capacity {
      order.append(location)
      records[location] = (record, isChange)
    }
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
