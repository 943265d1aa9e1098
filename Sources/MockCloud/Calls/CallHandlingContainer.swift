import CloudInterface
import RecordModel

/// A container whose calls, and those of its databases, all go through one function.
///
/// ```swift
/// struct LoggingContainer<Base: CloudContainer>: CallHandlingContainer {
///   let base: Base
///   var containerIdentifier: String? { base.containerIdentifier }
///
///   func handle(_ call: CloudCall) async throws -> CloudResponse {
///     print(call)
///     return try await base.send(call)
///   }
/// }
/// ```
public protocol CallHandlingContainer: CloudContainer
where Database == CallHandlingDatabase<Self> {
  /// Answers a call.
  ///
  /// - Returns: a response to the call's operation (``CloudResponse/operations``).
  func handle(_ call: CloudCall) async throws -> CloudResponse
}

extension CallHandlingContainer {
  /// Returns the database with a scope.
  public func database(with databaseScope: DatabaseScope) -> CallHandlingDatabase<Self> {
    CallHandlingDatabase(container: self, databaseScope: databaseScope)
  }

  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus {
    let call = CloudCall(.accountStatus)
    guard case .accountStatus(let status) = try await handle(call) else { throw call.mismatch }
    return status
  }

  /// Returns the identifier of the signed-in user's record.
  public func userRecordID() async throws -> RecordID {
    let call = CloudCall(.userRecordID)
    guard case .userRecordID(let recordID) = try await handle(call) else { throw call.mismatch }
    return recordID
  }
}

extension CloudCall {
  /// The error for a response to another operation.
  var mismatch: CloudError {
    CloudError(.internalError, "the response is not one to \(operation.rawValue)")
  }
}
