import Foundation
import RecordCoding
import RecordModel
import Synchronization

/// The requests that a handler has handled. The oldest are dropped.
public final class RequestLog: Sendable {
  /// A handled request.
  public struct Entry: Sendable, Hashable {
    /// The number of the request, from 1.
    public let number: Int
    /// When the request arrived.
    public let date: Date
    /// The method.
    public let method: String
    /// The path, without the query and without a token of an asset or device.
    public let path: String
    /// The status code of the response.
    public let status: Int
    /// The `serverErrorCode` of the response; nil for none.
    public let errorCode: String?
    /// The parts of the request that the handler ignored, such as unknown members of the body.
    public let notes: [String]
    /// The record name of the user who sent the request; nil if it had no token, or a wrong one.
    package let user: String?
    /// The time from the request to its response.
    public let duration: Duration
    /// The facts that the bodies say, which were read when the request came; none if they were not kept.
    let facts: RequestFacts

    /// The entry as an object.
    package var json: JSONValue {
      var members = JSONObjectWriter()
      members.add("number", .integer(number))
      members.add("date", date.formatted(.iso8601))
      members.add("method", method)
      members.add("path", path)
      members.add("status", .integer(status))
      members.add("serverErrorCode", errorCode)
      members.add("notes", notes.isEmpty ? nil : .array(notes.map(JSONValue.string)))
      let (seconds, attoseconds) = duration.components
      members.add("microseconds", .integer(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
      return members.value
    }
  }

  /// The number of entries that are kept: 1000.
  package static let capacity = 1000

  /// The bodies of a request and its response.
  struct Bodies {
    var request: Data
    var response: Data
    var size: Int { request.count + response.count }
  }

  private struct State {
    var count = 0
    var entries: [Entry] = []
    var observers: [@Sendable (Entry) -> Void] = []
    var bodies: [Int: Bodies] = [:]
    var bodiesSize = 0

    mutating func removeFirst() {
      bodiesSize -= bodies.removeValue(forKey: entries.removeFirst().number)?.size ?? 0
    }
  }

  /// The maximum size of the bodies of one request that are kept, in bytes.
  private static let maxBodies = 256 << 10
  /// The maximum size of all bodies, in bytes: 16 MiB. Beyond it, the oldest requests are dropped.
  private static let maxAllBodies = 16 << 20

  private let state = Mutex(State())

  /// Creates an empty log.
  package init() {}

  /// The entries, the oldest first.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// Returns the bodies of a request; nil if they were too large to keep, or nobody looks at them.
  func bodies(of number: Int) -> Bodies? { state.withLock { $0.bodies[number] } }

  /// Removes all entries. The next one has the next number.
  package func clear() {
    state.withLock { state in
      state.entries = []
      state.bodies = [:]
      state.bodiesSize = 0
    }
  }

  /// Calls a function with each entry from now on, one after the other.
  package func onAdding(_ observer: @escaping @Sendable (Entry) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  /// - Returns: the number of the entry.
  func add(
    _ request: WebRequest, at date: Date, _ response: WebResponse, _ errorCode: String?,
    _ notes: RequestNotes, _ duration: Duration, keepsBodies: Bool
  ) -> Int {
    let bodies = Bodies(request: request.body, response: response.body)
    let isKept = keepsBodies && bodies.size <= Self.maxBodies
    let facts = isKept ? RequestFacts(bodies) : RequestFacts()
    return state.withLock { state in
      state.count += 1
      if isKept {
        state.bodies[state.count] = bodies
        state.bodiesSize += bodies.size
      }
      while !state.entries.isEmpty,
        state.entries.count >= Self.capacity || state.bodiesSize > Self.maxAllBodies
      { state.removeFirst() }
      let entry = Entry(
        number: state.count, date: date, method: String(request.method.prefix(16)),
        path: Self.withoutToken(String(request.path.prefix(1000))), status: response.status,
        errorCode: errorCode, notes: notes.all, user: notes.user, duration: duration, facts: facts)
      state.entries.append(entry)
      for observer in state.observers { observer(entry) }
      return state.count
    }
  }

  /// Returns an address or path without the token by which a file is sent or fetched, or
  /// notifications are.
  static func withoutToken(_ text: String) -> String {
    guard text.contains("/assets/") || text.contains("/notifications/") else { return text }
    return text.replacing(#/(/assets/upload/|/assets/download/|/notifications/)[^/?]+/#) { match in
      "\(match.1)…"
    }
  }
}

/// The parts of one request that the handler ignored.
final class RequestNotes: Sendable {
  private let notes = Mutex<[String]>([])
  private let sender = Mutex<String?>(nil)
  private static let maximum = 50

  var all: [String] { notes.withLock { $0 } }
  /// The record name of the user who sent the request.
  var user: String? {
    get { sender.withLock { $0 } }
    set { sender.withLock { $0 = newValue } }
  }

  func add(_ note: String) {
    notes.withLock { if $0.count < Self.maximum, !$0.contains(note) { $0.append(note) } }
  }

  /// Notes an error if the words of Web Services do not say its cause, as for a duplicate subscription.
  func add(_ error: CloudError) {
    if WebError(error).reason != error.message { add(error.message) }
  }
}
