import RecordModel

/// Sends a request again as long as the server asks to wait, ten times at most.
///
/// ```swift
/// let record = try await retry { try await database.record(for: recordID) }
/// ```
public struct Retry: Sendable {
  private let wait: @Sendable (Double) async throws -> Void

  /// Creates a policy.
  ///
  /// - Parameter wait: waits so many seconds; a test needs not to.
  public init(
    wait: @escaping @Sendable (Double) async throws -> Void = {
      try await Task.sleep(for: .seconds($0))
    }
  ) {
    self.wait = wait
  }

  /// Runs `body` until it does not fail with an error that has a `retryAfter`.
  ///
  /// - Throws: any other error of `body`, and the last one.
  @discardableResult
  public func callAsFunction<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> sending Value
  ) async throws -> sending Value {
    for _ in 0..<10 {
      do {
        return try await body()
      } catch let error as CloudError where error.retryAfterSeconds != nil {
        try await wait(error.retryAfterSeconds ?? 0)
      }
    }
    return try await body()
  }
}
