import Foundation
import Synchronization

/// The requests that a handler has answered. The oldest are dropped.
public final class RequestLog: Sendable {
  /// An answered request.
  public struct Entry: Sendable, Hashable {
    /// The number of the request, from 1.
    public let number: Int
    /// When the request arrived.
    public let date: Date
    /// The method.
    public let method: String
    /// The path, without the query, which can have tokens.
    public let path: String
    /// The status code of the response.
    public let status: Int
    /// The `serverErrorCode` of the response; nil for none.
    public let errorCode: String?
    /// What the handler did not understand and ignored, such as unknown members of the body.
    public let notes: [String]
    /// The time to answer.
    public let duration: Duration
  }

  /// The number of entries that are kept: 1000.
  public static let capacity = 1000

  private struct State {
    var count = 0
    var entries: [Entry] = []
  }

  private let state = Mutex(State())

  /// Creates an empty log.
  public init() {}

  /// The entries, the oldest first.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// Removes all entries. The next one has the next number.
  public func clear() { state.withLock { $0.entries = [] } }

  func add(
    _ request: WebRequest, at date: Date, _ response: WebResponse, _ errorCode: String?,
    _ notes: [String], _ duration: Duration
  ) {
    state.withLock { state in
      state.count += 1
      if state.entries.count >= Self.capacity { state.entries.removeFirst() }
      state.entries.append(
        Entry(
          number: state.count, date: date, method: String(request.method.prefix(16)),
          path: String(request.path.prefix(1000)), status: response.status, errorCode: errorCode,
          notes: notes, duration: duration))
    }
  }
}

/// What was not understood in one request.
final class RequestNotes: Sendable {
  private let notes = Mutex<[String]>([])
  private static let maximum = 50

  var all: [String] { notes.withLock { $0 } }

  func add(_ note: String) {
    notes.withLock { if $0.count < Self.maximum, !$0.contains(note) { $0.append(note) } }
  }
}
