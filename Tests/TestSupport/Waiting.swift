/// Something that a test waits for did not happen in two minutes.
package struct NeverHappened: Error {}

/// Suspends until a condition holds.
///
/// - Throws: ``NeverHappened`` after two minutes, so that a test fails in place of waiting for ever.
package func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(120)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw NeverHappened() }
    try await Task.sleep(for: .milliseconds(2))
  }
}
