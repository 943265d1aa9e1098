import Foundation
import RecordCoding
import RecordModel
import RecordPages
import RecordStore
import Synchronization

/// The changes of records since the server started. The oldest are dropped.
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

  private struct State {
    var changes: [Key: [Change]] = [:]
    /// The records of the changes, the oldest first.
    var order: [Key] = []
    var size = 0

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
    }
  }

  /// Notes the changes of a container from now on.
  func observe(_ served: WebContainer, now: @escaping @Sendable () -> Date) {
    let name = PageContainerName(served)
    served.container.store.observer.withLock { observer in
      observer = { [weak self] in self?.note($0, in: name, at: now()) }
    }
  }

  private func note(_ changes: [RecordChange], in container: PageContainerName, at date: Date) {
    state.withLock { state in
      for change in changes {
        let size = [change.before, change.after].reduce(0) { $0 + ($1.map(Self.size) ?? 0) }
        guard size <= Self.maxSize / 4 else { continue }
        let key = Key(container: container, location: change.location)
        state.changes[key, default: []].append(
          Change(date: date, before: change.before, after: change.after, size: size))
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

  /// The section of a record; nothing where no change is kept.
  var section: HTML? {
    guard context.handler.page == .withServices else { return nil }
    let changes = changes
    let rest = changes.count - Self.maxChanges
    let reason: HTML? =
      context.place(of: location) == nil
      ? """
      The server returns no earlier versions of a record that others share. They are in the view of \
      the whole container.
      """
      : changes.isEmpty ? "Nothing has changed the record since the server started." : nil
    return """
      <h2>History</h2>
      \(reason.map { "<p class=\"quiet\">\($0)</p>" as HTML })
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
