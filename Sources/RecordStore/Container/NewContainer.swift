import Foundation
import RecordModel

/// A container in memory that is filled once, which is quicker than an import into an empty one.
package struct NewContainer: Sendable {
  /// The container, to be used when it is filled.
  package let store: ContainerStore

  /// - Parameters:
  ///   - limits: the limits that saves to the container are checked against.
  ///   - now: returns the time of such a save.
  package init(limits: RecordLimits, now: @escaping @Sendable () -> Date) throws {
    store = try EmptyContainer.toFill.store().copy(to: ":memory:", limits: limits, now: now)
  }

  /// Fills the container; to be called once.
  ///
  /// - Parameters:
  ///   - resolve: decides about a record that is repeated with other content.
  ///   - body: adds the content.
  package func fill<T>(
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution,
    _ body: (ImportTransaction) throws -> T
  ) throws -> T {
    try store.writing { db in
      let transaction = try ImportTransaction(new: db, store.infoCache, resolve)
      return try transaction.completing { try body(transaction) }
    }
  }
}
