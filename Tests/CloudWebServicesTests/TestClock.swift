import Foundation
import Synchronization

/// A clock that a test sets.
final class TestClock: Sendable {
  private let date: Mutex<Date>

  init(_ date: Date = WebClient.now) { self.date = Mutex(date) }

  var now: Date { date.withLock { $0 } }
  func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
}
