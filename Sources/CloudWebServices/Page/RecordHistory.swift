import Foundation
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import Synchronization

/// The changes of records since the server started, as their requests made them. The oldest are
/// dropped.
final class RecordHistory: Sendable {
  /// A change of a record.
  struct Change: Sendable {
    let date: Date
    /// The record before; nil if there was none, or if that is not known.
    let before: ResultRecord?
    /// The record after; nil if it was deleted.
    let after: ResultRecord?
    /// The size of both as JSON, in bytes.
    fileprivate let size: Int
  }

  /// A record of one of the containers.
  private struct Key: Hashable {
    let container: PageContainerName
    let location: RecordLocation
  }

  /// A request that may change records.
  struct Watch {
    fileprivate let container: PageContainerName
    fileprivate let store: ContainerStore
    fileprivate var before: [RecordLocation: ResultRecord] = [:]
    fileprivate var last: [DatabaseScope: Int64] = [:]
    /// The number of records that were looked up.
    fileprivate(set) var lookups = 0
  }

  private struct State {
    var changes: [Key: [Change]] = [:]
    /// The records of the changes, the oldest first.
    var order: [Key] = []
    var size = 0
    /// The last change of each container that was noted.
    var noted: [PageContainerName: [DatabaseScope: Int64]] = [:]

    mutating func removeFirst() {
      let key = order.removeFirst()
      guard let change = changes[key]?.first else { return }
      size -= change.size
      changes[key]?.removeFirst()
      if changes[key]?.isEmpty == true { changes[key] = nil }
    }
  }

  /// The number of changes that are kept.
  static let capacity = 5000
  /// The maximum size of all records that are kept, in bytes: 16 MiB.
  static let maxSize = 16 << 20
  /// The number of records of a request whose state before is read.
  private static let maxNames = 400

  private let state = Mutex(State())

  /// Returns the changes of a record, the oldest first.
  func changes(of location: RecordLocation, in container: PageContainerName) -> [Change] {
    state.withLock { $0.changes[Key(container: container, location: location)] ?? [] }
  }

  /// The number of changes that are kept, and the size of their records in bytes.
  var kept: (count: Int, size: Int) { state.withLock { ($0.order.count, $0.size) } }

  /// Forgets the changes of a container, whose contents are replaced.
  func clear(_ container: PageContainerName) {
    state.withLock { state in
      for (key, changes) in state.changes where key.container == container {
        state.size -= changes.reduce(0) { $0 + $1.size }
        state.changes[key] = nil
      }
      state.order.removeAll { $0.container == container }
      state.noted[container] = nil
    }
  }

  // MARK: Requests

  /// Reads the records that a request may change, before it is carried out. Its changes are then found by
  /// an index: without it, each request would read all records.
  ///
  /// - Parameter json: the body of the request.
  func watch(_ served: WebContainer, _ json: JSONValue) throws -> Watch {
    let store = served.container.store
    let names = ChangedNames(json)
    return try store.changes { snapshot in
      var watch = Watch(container: PageContainerName(served), store: store)
      for database in DatabaseScope.allCases {
        watch.last[database] = try snapshot.lastChange(in: database)
        for (zone, records) in names.byZone {
          // The request names the owner as its sender sees it.
          for zoneID in try snapshot.zoneIDs(named: zone.string, in: database) {
            for name in records.sorted().prefix(Self.maxNames) {
              let recordID = RecordID(recordName: name.string, zoneID: zoneID)
              watch.lookups += 1
              // A damaged record is one without a state before.
              if let record = try? snapshot.record(for: recordID, in: database) {
                watch.before[RecordLocation(database, recordID)] = record
              }
            }
          }
        }
      }
      return watch
    }
  }

  /// Notes what a request has changed.
  func note(_ watch: Watch, at date: Date) throws {
    let found = try watch.store.snapshot { snapshot in
      try DatabaseScope.allCases.flatMap { database in
        let last = watch.last[database] ?? .min
        return try snapshot.histories(in: database, after: last).flatMap { zone in
          try snapshot.newestChanges(
            of: zone, in: database, after: ChangePosition(change: last), limit: Self.maxNames
          ).map { (database, $0.change, $0.position.change) }
        }
      }
    }
    state.withLock { state in
      let noted = state.noted[watch.container] ?? [:]
      for (database, change, number) in found.sorted(by: { $0.2 < $1.2 }) {
        // A request at the same time has noted it.
        if let last = noted[database], number <= last { continue }
        state.noted[watch.container, default: [:]][database] = number
        let (recordID, after): (RecordID, ResultRecord?)
        switch change {
        case .saved(let record): (recordID, after) = (record.recordID, record)
        case .deleted(let tombstone): (recordID, after) = (tombstone.recordID, nil)
        case .unreadable: continue
        }
        let location = RecordLocation(database, recordID)
        let key = Key(container: watch.container, location: location)
        let before = watch.before[location] ?? state.changes[key]?.last?.after
        let size = [before, after].reduce(0) { $0 + ($1.map(Self.size) ?? 0) }
        guard size <= Self.maxSize / 4 else { continue }
        state.changes[key, default: []].append(
          Change(date: date, before: before, after: after, size: size))
        state.order.append(key)
        state.size += size
      }
      while state.order.count > Self.capacity || state.size > Self.maxSize { state.removeFirst() }
    }
  }

  private static func size(_ record: ResultRecord) -> Int {
    ((try? record.jsonValue().compactData.count) ?? 0) + 200
  }
}

/// The names of the records that `records/modify` may change, by the names of their zones.
private struct ChangedNames {
  private(set) var byZone: [ExactString: Set<ExactString>] = [:]

  init(_ json: JSONValue) {
    let zone = json["zoneID"]?["zoneName"]?.string
    for operation in json["operations"]?.elements ?? [] {
      guard let record = operation["record"] else { continue }
      let zone = record["zoneID"]?["zoneName"]?.string ?? zone ?? ZoneID.defaultZoneName
      // A save changes the parent's tag, and that of the root of a new share.
      for named in [record, record["parent"], record["forRecord"]] {
        guard let name = named?["recordName"]?.string else { continue }
        byZone[ExactString(zone), default: []].insert(ExactString(name))
      }
    }
  }
}

/// The changes of a record as a table of fields, before and after, as in a page of differences.
struct RecordHistoryView {
  let context: ConsoleRequest
  let location: RecordLocation

  /// The number of changes that are shown.
  private static let maxChanges = 50

  var changes: [RecordHistory.Change] {
    guard let place = context.place(of: location) else { return [] }
    let changes = context.handler.history.changes(of: place, in: context.name)
    guard context.isPart else { return changes }
    // A public record that the user may not read has no versions to show.
    let isThere = (try? context.record(at: location)) != nil
    guard location.database == .private || isThere else { return [] }
    return changes.map { change in
      RecordHistory.Change(
        date: change.date, before: change.before.map { context.seen($0, in: location.database) },
        after: change.after.map { context.seen($0, in: location.database) }, size: 0)
    }
  }

  /// The section of a record that is not there any more; nothing for a record without changes.
  var known: HTML? { changes.isEmpty ? nil : section }

  /// The section of a record; nothing where no request is recorded.
  var section: HTML? {
    guard context.handler.page == .withServices else { return nil }
    guard context.place(of: location) != nil else {
      return """
        <h2>History</h2>
        <p class="quiet">The server returns no earlier versions of a record that others share. They \
        are in the view of the whole container.</p>
        """
    }
    let changes = changes
    guard !changes.isEmpty else {
      return """
        <h2>History</h2>
        <p class="quiet">No request has changed the record since the server started.</p>
        """
    }
    let rest = changes.count - Self.maxChanges
    return """
      <h2>History</h2>
      \(changes.suffix(Self.maxChanges).reversed().map(table))
      \(when: rest > 0, "<p class=\"quiet\">\(rest) earlier changes are not shown.</p>")
      """
  }

  /// The last change; nil if it is not known.
  var last: HTML? { changes.last.map(table) }

  private func table(_ change: RecordHistory.Change) -> HTML {
    let table = DifferencePage.table(
      from: change.before, to: change.after, showEncrypted: context.showsEncrypted,
      words: ConsoleRequest.words(change.date))
    return "\(table)\(restoration(change))"
  }

  /// The button that gives the record the values that it had after a change, or before its deletion.
  private func restoration(_ change: RecordHistory.Change) -> HTML? {
    guard context.canEdit, context.view == .record, let version = change.after ?? change.before,
      !version.isShare, let tag = version.recordChangeTag
    else { return nil }
    return context.form(
      .restore, [("record", location.formText), ("version", tag)],
      "<button class=\"plain\">Restore\(change.after == nil ? " what was deleted" : "")</button>")
  }
}
