import Foundation
import RecordCoding
import RecordModel
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
    let size: Int
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
    // Transactions wait meanwhile, and the bytes of a stored record are there.
    let stored = record.storage.withCanonicalBytes { $0.count }
    return (stored ?? (try? record.jsonValue().compactData.count) ?? 0) + 200
  }
}
