import CloudWebServices
import Foundation
import MockCloud
import RecordModel

/// The control of a test over the server, as over HTTP at the paths under `/admin/`.
extension ServedContainer {
  /// The container that is served; the first one of several. ``reset()`` and ``load(contentsOf:)`` put
  /// another one in its place.
  public var container: MockContainer { handler.containers[0].container }

  /// All containers that are served.
  public var containers: [MockContainer] { handler.containers.map(\.container) }

  /// The requests that the server has handled.
  public var log: RequestLog { handler.log }

  /// Returns the query of an address with tokens: `?ckAPIToken=…&ckWebAuthToken=…`.
  ///
  /// - Parameter user: the token of a user, without settings the record name; nil for nobody.
  public func credentials(user: String? = ZoneID.currentUserOwnerName) -> String {
    func encoded(_ text: String) -> String {
      let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
      return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
    let token = handler.containers.first?.access.apiTokens.min() ?? "test"
    let own = "?ckAPIToken=" + encoded(token)
    return user.map { own + "&ckWebAuthToken=" + encoded($0) } ?? own
  }

  // MARK: Contents

  /// Resets all containers to their contents when they were first served, or loaded last.
  public func reset() throws {
    for index in handler.containers.indices { try handler.reset(at: index) }
  }

  /// Replaces the contents by a copy of a bundle or a container file, which ``reset()`` returns to.
  /// The address stays.
  ///
  /// - Throws: the errors of opening and importing the file; nothing is changed then.
  public func load(contentsOf url: URL) async throws {
    let loaded = try MockContainer.fixture(at: url, rules: container.rules) { [clock] in clock.now }
    try handler.replace(at: 0, with: loaded)
  }

  /// Returns a bundle with the contents.
  public func snapshot() throws -> Data { try ContainerBundle.data(of: container) }

  // MARK: Faults

  /// Sets up a fault of requests.
  ///
  /// - Throws: an error for a number that is out of its range, a response that cannot be sent, and
  ///   for more than 1000 faults.
  public func add(_ fault: WebFault) throws { _ = try faults.add(fault) }

  /// Removes all faults, and lets all requests go on that wait.
  public func removeFaults() { faults.clear() }

  /// The paths of the requests that wait, such as `zones/list`, in the order of their arrival.
  public var heldRequests: [String] { faults.held.map(\.path) }

  /// Lets all requests go on that wait.
  public func releaseRequests() { _ = faults.release(nil) }
}
