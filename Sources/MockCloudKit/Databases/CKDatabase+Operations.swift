import Foundation

/// The queues of the operations that a database or container was given.
private let operations = OperationQueue()

extension CKDatabase {
  public func add(_ operation: CKDatabaseOperation) {
    operation.database = self
    operations.addOperation(operation)
  }

  // The configuration has no effect: there is no network.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    body: (CKDatabase) throws -> R
  ) rethrows -> R {
    try body(self)
  }

  @discardableResult @preconcurrency
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    body: @Sendable (CKDatabase) async throws -> R
  ) async rethrows -> R {
    try await body(self)
  }
}

extension CKContainer {
  public func add(_ operation: CKOperation) {
    if (operation as? CKDatabaseOperation)?.database == nil {
      operation.configuration.container = self
    }
    operations.addOperation(operation)
  }

  // The configuration has no effect: there is no network.
  @discardableResult
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    body: (CKContainer) throws -> R
  ) rethrows -> R {
    try body(self)
  }

  @discardableResult @preconcurrency
  public func configuredWith<R>(
    configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
    body: @Sendable (CKContainer) async throws -> R
  ) async rethrows -> R {
    try await body(self)
  }
}
