import Foundation

/// Things that are costly to make, kept for the next one who needs one.
package final class ResourcePool<Resource: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let make: @Sendable () throws -> Resource
  private var free: [Resource] = []
  private let limit: Int

  /// Makes an empty pool.
  /// - Parameters:
  ///   - limit: how many are kept at most.
  ///   - make: makes another one.
  package init(keeping limit: Int, make: @escaping @Sendable () throws -> Resource) {
    self.limit = limit
    self.make = make
  }

  /// One that nobody else uses.
  package func take() throws -> Resource {
    if let kept = lock.withLock({ free.popLast() }) { return kept }
    return try make()
  }

  /// Takes one back.
  package func giveBack(_ resource: Resource) {
    lock.withLock {
      if free.count < limit { free.append(resource) }
    }
  }

  /// Calls `body` with one that nobody else uses meanwhile.
  package func with<R>(_ body: (Resource) throws -> R) throws -> R {
    let resource = try take()
    defer { giveBack(resource) }
    return try body(resource)
  }
}
