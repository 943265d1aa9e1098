import Foundation

/// The long-lived operations that have started and not ended, in their order. They end with the process.
enum LongLivedOperations {
  private static let running = Locked<[CKOperation]>([])

  static var ids: [CKOperation.ID] { running.current.map(\.operationID) }

  static func operation(_ id: CKOperation.ID) -> CKOperation? {
    running.current.first { $0.operationID == id }
  }

  static func add(_ operation: CKOperation) { running.with { $0.append(operation) } }

  static func remove(_ operation: CKOperation) {
    running.with { $0.removeAll { $0 === operation } }
  }
}

extension CKContainer {
  public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
    LongLivedOperations.ids
  }

  public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
    LongLivedOperations.operation(operationID)
  }

  @preconcurrency
  public func fetchAllLongLivedOperationIDs(
    completionHandler: @escaping @Sendable ([CKOperation.ID]?, (any Error)?) -> Void
  ) {
    reply(completionHandler) { try await self.allLongLivedOperationIDs() }
  }

  @preconcurrency
  public func fetchLongLivedOperation(
    withID operationID: CKOperation.ID,
    completionHandler: @escaping @Sendable (CKOperation?, (any Error)?) -> Void
  ) {
    reply({ completionHandler($0 ?? nil, $1) }) {
      try await self.longLivedOperation(for: operationID)
    }
  }
}
