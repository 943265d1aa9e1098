import CloudInterface
import Foundation
import RecordModel
import RecordPlatform

/// The events of one page of changes, in the order that the rules ask for.
struct FetchedEvents {
  typealias Event = SyncEngineEvent.FetchedRecordZoneChanges

  private(set) var events: [Event] = []

  init(
    _ records: [ResultRecord], _ deletions: [RecordZoneChange.Deletion], _ engine: MockSyncEngine
  ) {
    let records = Self.oldestFirst(records)
    let limit = max(1, engine.rules.maxChangesInEvent)
    switch engine.rules.fetchOrder {
    case .oldestFirst, .olderVersionLast:
      add(records, deletions, limit)
      add(records.compactMap { engine.versions?.remember($0) }, [], limit)
    case .childrenBeforeParents:
      for level in Self.childrenFirst(records) { add(level, [], limit) }
      add([], deletions, limit)
    case .shuffled(let seed): shuffle(records, deletions, limit, seed)
    }
  }

  /// Adds events with as many changes as fit into each.
  private mutating func add(
    _ records: [ResultRecord], _ deletions: [RecordZoneChange.Deletion], _ limit: Int
  ) {
    var (records, deletions) = (records[...], deletions[...])
    while !records.isEmpty || !deletions.isEmpty {
      let saved = records.prefix(limit)
      let deleted = deletions.prefix(limit - saved.count)
      records = records.dropFirst(saved.count)
      deletions = deletions.dropFirst(deleted.count)
      events.append(
        Event(modifications: saved.map { .init(record: $0) }, deletions: Array(deleted)))
    }
  }

  private mutating func shuffle(
    _ records: [ResultRecord], _ deletions: [RecordZoneChange.Deletion], _ limit: Int,
    _ seed: UInt64
  ) {
    // The same page has the same order in every run.
    var random = SeededNumbers(
      seed: seed &+ UInt64(records.count) &* 31 &+ UInt64(deletions.count))
    var changes: [(ResultRecord?, RecordZoneChange.Deletion?)] =
      records.map { ($0, nil) } + deletions.sorted { $0.recordID < $1.recordID }.map { (nil, $0) }
    changes.shuffle(using: &random)
    var rest = changes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...min(limit, rest.count), using: &random))
      rest = rest.dropFirst(part.count)
      add(part.compactMap(\.0), part.compactMap(\.1), limit)
    }
  }

  /// Sorts records by their modification dates and change tags. Change tags grow; tags of one length
  /// can be compared as text.
  private static func oldestFirst(_ records: [ResultRecord]) -> [ResultRecord] {
    // The bytes of a record are read once for its key.
    let keyed = records.map { record in
      let tag = record.recordChangeTag ?? ""
      return (
        date: record.modificationDate ?? .distantPast, length: tag.utf8.count, tag: tag,
        record: record
      )
    }
    return keyed.sorted { a, b in
      if a.date != b.date { return a.date < b.date }
      if a.length != b.length { return a.length < b.length }
      if a.tag != b.tag { return a.tag < b.tag }
      return a.record.recordID < b.record.recordID
    }.map(\.record)
  }

  /// Returns the records in levels: each one before its parent.
  private static func childrenFirst(_ records: [ResultRecord]) -> [[ResultRecord]] {
    let byID = Dictionary(records.map { ($0.recordID, $0) }, uniquingKeysWith: { a, _ in a })
    var depths: [RecordID: Int] = [:]
    for record in records {
      var path: [RecordID] = []
      var next: RecordID? = record.recordID
      // Ends at a record whose depth is known, or that is on the path if parents form a circle.
      while let id = next, depths[id] == nil, byID[id] != nil {
        depths[id] = 0
        path.append(id)
        next = byID[id]?.parent?.recordID
      }
      for id in path.reversed() {
        let parent = byID[id]?.parent?.recordID
        depths[id] = (parent.flatMap { byID[$0] == nil ? nil : depths[$0] } ?? -1) + 1
      }
    }
    let deepest = depths.values.max() ?? 0
    return stride(from: deepest, through: 0, by: -1).map { depth in
      records.filter { depths[$0.recordID] == depth }
    }
  }
}
