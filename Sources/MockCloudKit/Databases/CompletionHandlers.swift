import Foundation

/// Calls a handler on a queue of the system, when a request has ended.
///
/// The task inherits the values of the caller's task, such as the running test.
func reply<Value: Sendable>(
  _ handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
  _ request: @escaping @Sendable () async throws -> Value
) {
  reply(
    { (result: Result<Value, any Error>) in handler(result.successValue, result.failureValue) },
    request)
}

/// Calls a handler with a result, when a request has ended.
func reply<Value: Sendable>(
  _ handler: @escaping @Sendable (Result<Value, any Error>) -> Void,
  _ request: @escaping @Sendable () async throws -> Value
) {
  Task {
    let result: Result<Value, any Error>
    do {
      result = .success(try await request())
    } catch {
      result = .failure(error)
    }
    // A handler may block its thread, which a task must not.
    DispatchQueue.global().async { handler(result) }
  }
}
