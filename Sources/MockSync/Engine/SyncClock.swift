/// A clock of any type, as far as an engine needs it. Times count from the engine's creation.
struct SyncClock: Sendable {
  /// Returns the time since the engine was made.
  let elapsed: @Sendable () -> Duration
  /// Waits until a time.
  let sleep: @Sendable (_ time: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
