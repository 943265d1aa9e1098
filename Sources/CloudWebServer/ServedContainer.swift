import CloudWebServices
import Foundation
import MockCloud
import Synchronization

/// A container that is served in the process of a test, on a free port of this machine.
///
/// ```swift
/// let served = try await ServedContainer(.inMemory(rules: .webServices))
/// let target = "/database/1/iCloud.app/development/private/zones/list"
/// let url = URL(string: served.address + target + served.credentials())!
/// let (data, _) = try await URLSession.shared.data(from: url)
/// ```
///
/// A browser at the address shows the contents and the requests, as long as the test waits.
///
/// The port is closed when the object is released, or by ``stop()``, which waits for it.
public final class ServedContainer: Sendable {
  /// Where the container is served, such as `http://127.0.0.1:49152`.
  public let address: String
  /// The port.
  public let port: UInt16
  /// The clock of the server. A container that a test made has its own, unless it was given this one.
  public let clock: WebClock

  let handler: WebServicesHandler
  let faults: WebFaults
  private let running: Task<Void, any Error>

  /// Serves a container, under the identifier and environment that its metadata names, or any.
  ///
  /// - Parameters:
  ///   - container: the container. Its rules should be those for clients of Web Services
  ///     (`ServerRules.webServices`).
  ///   - access: the tokens and keys for requests.
  ///   - clock: the clock of the server, which the container should have, too.
  /// - Throws: an error if there is no free port; `ContainerStoreError`.
  public convenience init(
    _ container: MockContainer, access: WebAccess = WebAccess(), clock: WebClock = WebClock()
  ) async throws {
    try await self.init([container], access: access, clock: clock)
  }

  /// Serves a copy of a bundle or of a container file, in memory.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - access: the tokens and keys for requests.
  ///   - rules: the rules of the container.
  ///   - clock: the clock of the server and of the container.
  /// - Throws: the errors of opening and importing the file; an error if there is no free port.
  public convenience init(
    contentsOf url: URL, access: WebAccess = WebAccess(), rules: ServerRules = .webServices,
    clock: WebClock = WebClock()
  ) async throws {
    let container = try MockContainer.fixture(at: url, rules: rules) { clock.now }
    try await self.init([container], access: access, clock: clock)
  }

  /// Serves several containers, each under its identifier and environment.
  ///
  /// - Parameters:
  ///   - containers: the containers.
  ///   - access: the tokens and keys for requests to any of them.
  ///   - clock: the clock of the server, which the containers should have, too.
  /// - Throws: an error if there is no free port; `ContainerStoreError`.
  public init(
    _ containers: [MockContainer], access: WebAccess = WebAccess(), clock: WebClock = WebClock()
  ) async throws {
    let served = try containers.map { container in
      var served = try WebContainer(container, access: access)
      served.seed = try container.fork()
      return served
    }
    let admin = WebAdmin(clock: clock)
    let handler = WebServicesHandler(served, admin: admin, page: .withServices)
    let server = try WebServer(handler, port: 0)
    self.clock = clock
    self.handler = handler
    faults = admin.faults
    address = server.address
    port = server.port
    running = server.start()
  }

  deinit { running.cancel() }

  /// Closes the port, and waits until the requests that have arrived are carried out.
  public func stop() async {
    running.cancel()
    _ = await running.result
  }
}

/// Serves a container while a function runs.
///
/// ```swift
/// try await withServedContainer(container) { served in
///   let client = NotesClient(server: served.address)
///   try await client.sync()
/// }
/// ```
///
/// - Parameters:
///   - container: the container.
///   - access: the tokens and keys for requests.
///   - isolation: the actor of the caller, on which the function runs.
///   - body: the function.
/// - Returns: the result of the function. The port is closed then.
/// - Throws: the error of the function; an error if there is no free port.
public func withServedContainer<Result>(
  _ container: MockContainer, access: WebAccess = WebAccess(),
  isolation: isolated (any Actor)? = #isolation,
  _ body: (ServedContainer) async throws -> Result
) async throws -> Result {
  let served = try await ServedContainer(container, access: access)
  do {
    let result = try await body(served)
    await served.stop()
    return result
  } catch {
    await served.stop()
    throw error
  }
}
