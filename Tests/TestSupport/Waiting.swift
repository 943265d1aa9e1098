/// Something that a test waits for did not happen.
package struct NeverHappened: Error {}

/// Suspends until a condition holds.
///
/// - Throws: ``NeverHappened`` after two minutes in which the condition was tried 2,000 times, and after 15
///   minutes in any case: a test fails in place of waiting for ever. Beside thousands of other tests, what the
///   test waits for has its turns as seldom as this function.
package func waitUntil(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let (clock, start) = (ContinuousClock(), ContinuousClock.now)
  var tries = 0
  while try await !condition() {
    let time = clock.now - start
    guard time < .seconds(900), time < .seconds(120) || tries < 2_000 else { throw NeverHappened() }
    tries += 1
    try await Task.sleep(for: .milliseconds(2))
  }
}
