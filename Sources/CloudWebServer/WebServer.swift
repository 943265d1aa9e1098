import CloudWebServices
import FlyingSocks
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Serves a handler over HTTP.
///
/// FlyingFox's own `HTTPServer` is not used: it limits neither headers nor connections, does not time
/// out, and ends when there are no more file descriptors.
package final class WebServer: Sendable {
  /// Where the server listens, such as `http://127.0.0.1:8080`.
  package let address: String
  /// The port.
  package let port: UInt16

  package let handler: WebServicesHandler
  private let limits: WebServerLimits
  private let table: ConnectionTable
  private let listeners: [Socket]

  /// Opens a port.
  ///
  /// - Parameters:
  ///   - handler: handles the requests.
  ///   - host: the IP address to listen on, such as `::1`; `0.0.0.0` or `::` for all of the machine.
  ///     `localhost` stands for both loopback addresses, or the one of IPv4 where there is no IPv6.
  ///   - port: the port; 0 for a free one.
  ///   - limits: the limits on clients.
  /// - Throws: ``ListeningError`` for a host that is not an address, and for a port that cannot be
  ///   opened.
  package init(
    _ handler: WebServicesHandler, host: String = "localhost", port: UInt16,
    limits: WebServerLimits = WebServerLimits()
  ) throws {
    self.handler = handler
    self.limits = limits
    table = ConnectionTable(limits)
    // A client that has gone is an error of the write, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    if host == "localhost" {
      (listeners, self.port) = try Self.listenLocally(port)
    } else {
      let (listener, port) = try Self.listen(host, port)
      listeners = [listener]
      self.port = port
    }
    let name = host == "localhost" ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    address = "http://\(name):\(self.port)"
  }

  /// Opens a port of both loopback addresses: clients take either for `localhost`.
  private static func listenLocally(_ port: UInt16) throws -> ([Socket], UInt16) {
    let (first, found) = try listen("127.0.0.1", port)
    do {
      return ([first, try listen("::1", found).0], found)
    } catch ListeningError.cannotListen(_, _, ListeningError.inUse) {
      try? first.close()
      guard port == 0 else {
        throw ListeningError.cannotListen(host: "::1", port: port, reason: ListeningError.inUse)
      }
      return try listenLocally(0)
    } catch {
      // The machine has no IPv6.
      return ([first], found)
    }
  }

  /// Opens a port of one address.
  private static func listen(_ host: String, _ port: UInt16) throws -> (Socket, UInt16) {
    func open(_ place: some SocketAddress) throws -> (Socket, UInt16) {
      let listener = try Socket(domain: Int32(type(of: place).family))
      do {
        try listener.setValue(true, for: .localAddressReuse)
        try listener.bind(to: place)
        try listener.listen()
        switch try listener.sockname() {
        case .ip4(_, let port), .ip6(_, let port): return (listener, port)
        default: throw SocketError.unsupportedAddress
        }
      } catch {
        try? listener.close()
        throw error
      }
    }
    do {
      if let place = try? sockaddr_in.inet(ip4: host, port: port) { return try open(place) }
      if let place = try? sockaddr_in6.inet6(ip6: host, port: port) { return try open(place) }
    } catch {
      throw ListeningError(error, host: host, port: port)
    }
    throw ListeningError.notAnAddress(host)
  }

  /// Handles requests until the task is cancelled, and closes the port. The server carries out
  /// requests that have arrived, but sends their clients no response. A server runs once.
  package func run() async throws {
    // Only when nobody waits for it any more: its number can be that of another file at once.
    defer { for listener in listeners { try? listener.close() } }
    try await withTaskExecutorPreference(ServerExecutor.shared) { try await serve() }
  }

  /// Begins to handle requests, as ``run()`` does, on threads of the server's own.
  ///
  /// A task that calls ``run()`` has to wait for one of the threads that Swift has for tasks before
  /// the server handles the first request. This takes long where other tasks compute.
  ///
  /// - Returns: the task to cancel when the server is to end, and to wait for.
  package func start() -> Task<Void, any Error> {
    Task.detached(executorPreference: ServerExecutor.shared) { try await self.run() }
  }

  private func serve() async throws {
    let sockets = try listeners.map { try AsyncSocket(socket: $0, pool: DispatchPool()) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.watch() }
      for socket in sockets { group.addTask { try await self.accept(socket) } }
      defer {
        group.cancelAll()
        table.interrupt(all: true)
      }
      do {
        try await group.next()
      } catch {
        // When the task is cancelled, the sockets end with an error of their own.
        guard Task.isCancelled else { throw error }
      }
    }
  }

  /// Ends connections that do not go on.
  private func watch() async throws {
    while true {
      try await Task.sleep(for: .milliseconds(250))
      table.interrupt()
    }
  }

  private func accept(_ socket: AsyncSocket) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try Task.checkCancellation()
        let connection: AsyncSocket
        do {
          connection = try await socket.accept()
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          // There are no file descriptors left, or the client has gone already.
          try await Task.sleep(for: .milliseconds(50))
          continue
        }
        let file = connection.socket.file.rawValue
        guard let (number, isServed) = table.add({ _ = shutdown(file, Int32(SHUT_RDWR)) }) else {
          try? connection.close()
          continue
        }
        group.addTask { [handler, limits, table] in
          var http = HTTPConnection(
            SocketStream(socket: connection), number: number, table, limits,
            maxBodySize: handler.maxBodySize
          ) { await handler.respond(to: $0) }
          await http.run(isServed: isServed)
          table.remove(number) { try? connection.close() }
        }
      }
    }
  }
}

private struct SocketStream: ByteStream {
  let socket: AsyncSocket

  func read() async throws -> [UInt8]? {
    do {
      return try await socket.read(atMost: 4096)
    } catch SocketError.disconnected {
      return nil
    }
  }

  func write(_ data: Data) async throws { try await socket.write(data) }

  func finishWriting() { _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR)) }
}
