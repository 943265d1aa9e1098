import RecordModel

/// The calls that a fault is meant for.
struct CallFilter: Sendable {
  var operation: CloudOperation?
  var databaseScope: DatabaseScope?
  var zoneID: ZoneID?
  var recordID: RecordID?

  func contains(_ call: CloudCall) -> Bool {
    if let operation, operation != call.operation { return false }
    if let databaseScope, databaseScope != call.databaseScope { return false }
    if let zoneID, !call.request.zoneIDs.contains(zoneID) { return false }
    if let recordID, !call.request.items.contains(.record(recordID)) { return false }
    return true
  }
}

/// What a test has set up for some calls.
struct FaultRule: Sendable {
  enum Action: Sendable {
    case fault(Fault)
    case hold(FaultGate, CallPoint)
    case run(@Sendable (CloudCall) async throws -> Void, CallPoint)
  }

  let filter: CallFilter
  let times: FaultTimes
  let action: Action
  /// The number of calls that it was meant for.
  var count = 0
}

extension Fault {
  /// Whether the fault changes the response of a call, so that it is decided when it is known.
  func isOfResponse(of operation: CloudOperation) -> Bool {
    switch effect {
    case .skip: true
    case .itemErrors: !operation.isWriting
    case .error, .limit, .latency, .crash, .action: false
    }
  }

  /// Whether the fault can happen to a request.
  func isPossible(for request: CloudRequest) -> Bool {
    let isMet =
      switch condition {
      case .none: true
      case .items(let count): request.items.count > count
      case .references(let count): request.maxReferenceCount > count
      case .token: request.hasToken
      }
    guard isMet else { return false }
    if case .itemErrors(let choice, _) = effect, request.operation.isWriting {
      return !choice.items(of: request.items).isEmpty
    }
    return true
  }
}

extension CloudRequest {
  /// The token that a fetch of changes starts from is given.
  var hasToken: Bool {
    switch self {
    case .databaseChanges(let token, _), .recordZoneChanges(_, let token, _, _): token != nil
    default: false
    }
  }

  /// The number of references in the longest list of a query's filters.
  fileprivate var maxReferenceCount: Int {
    guard case .query(let query, _, _, _) = self else { return 0 }
    return query.filters.map(\.fieldValue.references.count).max() ?? 0
  }
}
