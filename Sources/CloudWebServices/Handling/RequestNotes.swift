import Synchronization

/// What was not understood in one request.
final class RequestNotes: Sendable {
  private let notes = Mutex<[String]>([])
  private static let maximum = 50

  var all: [String] { notes.withLock { $0 } }

  func add(_ note: String) {
    notes.withLock { if $0.count < Self.maximum, !$0.contains(note) { $0.append(note) } }
  }
}
