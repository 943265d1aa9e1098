import Foundation

/// A pool of reusable resources that are expensive to create.
package final class ResourcePool<Resource: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private let make: @Sendable () throws -> Resource
  private var free: [Resource] = []
  private let limit: Int

  /// Creates an empty pool.
  /// - Parameters:
  ///   - limit: the maximum number of resources to keep.
  ///   - make: creates a resource.
  package init(keeping limit: Int, make: @escaping @Sendable () throws -> Resource) {
    self.limit = limit
    self.make = make
  }

  /// Returns a resource for exclusive use.
  package func take() throws -> Resource {
    if let kept = lock.withLock({ free.popLast() }) { return kept }
    return try make()
  }

  package func putBack(_ resource: Resource) {
    lock.withLock {
      if free.count < limit { free.append(resource) }
    }
  }

  /// Releases the resources that nothing uses.
  package func removeAll() { lock.withLock { free = [] } }

  /// Calls `body` with a resource for exclusive use.
  package func with<R>(_ body: (Resource) throws -> R) throws -> R {
    let resource = try take()
    defer { putBack(resource) }
    return try body(resource)
  }
}
