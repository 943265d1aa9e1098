import RecordModel

/// Sends a request again as long as the server asks to wait, ten times at most.
///
/// ```swift
/// let record = try await retry { try await database.record(for: recordID) }
/// ```
struct Retry: Sendable {
  /// Waits so many seconds.
  let wait: @Sendable (Double) async throws -> Void

  /// Runs `body` until it does not fail with an error that has a `retryAfter`.
  ///
  /// - Throws: any other error of `body`, and the last one.
  @discardableResult
  func callAsFunction<Value>(
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
