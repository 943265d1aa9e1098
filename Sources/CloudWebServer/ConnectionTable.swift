import Foundation
import Synchronization

/// The open connections, each with the time by which it must have gone on.
final class ConnectionTable: Sendable {
  private struct Connection {
    var isServed: Bool
    var deadline: ContinuousClock.Instant
    var interrupt: @Sendable () -> Void
  }

  private struct State {
    var connections: [Int: Connection] = [:]
    var next = 0
    var bodySize = 0
  }

  private let state = Mutex(State())
  private let limits: WebServerLimits

  init(_ limits: WebServerLimits) { self.limits = limits }

  /// Adds a connection.
  ///
  /// - Parameter interrupt: ends the connection's reading and writing. It is never called after
  ///   ``remove(_:closing:)``.
  /// - Returns: its number, and whether the server handles its requests. With too many connections,
  ///   the server only reports the overload. Nil if there are too many even for the report.
  func add(_ interrupt: @escaping @Sendable () -> Void) -> (number: Int, isServed: Bool)? {
    state.withLock { state in
      let servedCount = state.connections.values.count(where: \.isServed)
      let isServed = servedCount < limits.connections
      guard isServed || state.connections.count - servedCount < limits.refusals else {
        return nil
      }
      state.next += 1
      state.connections[state.next] = Connection(
        isServed: isServed, deadline: .now + limits.idleTime, interrupt: interrupt)
      return (state.next, isServed)
    }
  }

  /// Removes a connection, and closes it. Both are one step: the number of a closed file can be that
  /// of another connection at once.
  func remove(_ number: Int, closing close: () -> Void) {
    state.withLock { state in
      state.connections[number] = nil
      close()
    }
  }

  /// Sets when a connection must have gone on; nil for never.
  func setDeadline(of number: Int, in time: Duration?) {
    let deadline = time.map { ContinuousClock.now + $0 } ?? .now + .seconds(86_400)
    state.withLock { $0.connections[number]?.deadline = deadline }
  }

  /// Ends the connections that have not gone on, or all.
  func interrupt(all: Bool = false) {
    let now = ContinuousClock.now
    state.withLock { state in
      for connection in state.connections.values where all || connection.deadline < now {
        connection.interrupt()
      }
    }
  }

  // MARK: Bodies

  /// Reserves memory for a part of a body; returns false if there is none.
  func reserve(_ count: Int) -> Bool {
    state.withLock { state in
      guard state.bodySize + count <= limits.bodies else { return false }
      state.bodySize += count
      return true
    }
  }

  func release(_ count: Int) { state.withLock { $0.bodySize -= count } }
}

/// The limits on the clients of a server.
package struct WebServerLimits: Sendable {
  /// The maximum number of connections at a time. The requests of others get the status 503.
  package var connections = 256
  /// The maximum number of connections that are told so at a time; others are closed at once.
  package var refusals = 64
  /// The maximum size of all bodies that are being received, in bytes: 256 MiB.
  package var bodies = 256 << 20
  /// How long a connection may be without a complete request.
  package var idleTime = Duration.seconds(15)
  /// How long a client may take to send a body, or to receive a response.
  package var transferTime = Duration.seconds(60)
  /// How long a connection stays open after an error, so that the client reads the response.
  package var closingTime = Duration.seconds(2)

  /// Creates the limits of a server for tests.
  package init() {}
}
