import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import Synchronization

/// Containers as CloudKit Web Services serve them: each request over HTTP has a response.
///
/// ```swift
/// let container = try MockContainer.inMemory(rules: .webServices)
/// let handler = WebServicesHandler([try WebContainer(container)])
/// let request = WebRequest(
///   "POST",
///   "/database/1/iCloud.app/development/private/zones/list"
///     + "?ckAPIToken=test&ckWebAuthToken=__defaultOwner__",
///   body: Data("{}".utf8))
/// let response = await handler.respond(to: request)
/// print(response.status, String(decoding: response.body, as: UTF8.self))
/// ```
///
/// The handler has no rules of its own: the container decides which requests it allows, and their
/// results. It opens no sockets. It handles requests to different containers at the same time.
package final class WebServicesHandler: Sendable {
  /// The containers. If several match an address, the handler uses the container that names more of
  /// the address.
  package var containers: [WebContainer] { served.withLock { $0 } }
  /// The requests that the handler has handled.
  package let log = RequestLog()

  let served: Mutex<[WebContainer]>
  /// The control of tests; nil for none.
  let admin: WebAdmin?
  /// Whether there is a page to look at the containers with.
  let page: WebPage
  private let origins: WebOrigins
  let now: @Sendable () -> Date
  let signer = TicketSigner()
  let authentication: Authentication
  let uploads: UploadInbox
  let devices = WebDevices()
  /// The changes of records, for the page.
  let history = RecordHistory()
  /// The contents of containers as users see them, for the page.
  let copies = RecentValues<[String?], AccountCopy>(4) { $0.isMade || $0.hasFailed }
  /// The filters that go on while their pages are looked at.
  let searches = RecentValues<String, RecordSearch>(8)
  /// The searches and new indexes that go on while pages are looked at.
  package let background = ContainerWork()
  /// The results of views.
  let results = RecentValues<String, ViewResult>(16)
  /// The deletions of the page that can be undone.
  let removals = Removals()
  /// How long a request for notifications waits for one.
  let pollTime: Duration

  /// The maximum size of a body with JSON, in bytes: 16 MiB.
  package static let maxBodySize = 16 << 20
  /// The maximum size of a file that is uploaded, in bytes: 50 MB, as for an asset.
  package static let maxUploadSize = 50_000_000

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - containers: the containers to serve.
  ///   - origins: the hosts of the handler, and the pages that may send it requests.
  ///   - admin: the control of tests over the containers; nil for none. Its clock is then that of the
  ///     handler.
  ///   - page: whether there is a page to look at the containers with.
  ///   - pollTime: how long a request for notifications waits for one.
  ///   - now: returns the time of a request, by which signatures and addresses expire.
  package init(
    _ containers: [WebContainer], origins: WebOrigins = WebOrigins(),
    admin: WebAdmin? = nil, page: WebPage = .none, pollTime: Duration = .seconds(20),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    served = Mutex(containers)
    self.admin = admin
    self.page = page
    self.origins = origins
    self.pollTime = pollTime
    let clock = admin?.clock
    let time: @Sendable () -> Date = { clock?.now ?? now() }
    self.now = time
    authentication = Authentication(signer: signer, signatures: ServerSignatures(now: time))
    uploads = UploadInbox(now: time)
    for served in containers { keepHistory(of: served) }
  }

  /// Keeps the changes of a container for the page.
  func keepHistory(of served: WebContainer) {
    if page == .withServices { history.observe(served, now: now) }
  }

  /// Ends the making of indexes and what goes on behind pages, so that the containers can be closed soon.
  package func stop() {
    for served in containers { served.container.store.stopMakingIndexes() }
    background.stop()
  }

  // MARK: Responding

  /// Handles a request. Errors are responses, too.
  package func respond(to request: WebRequest) async -> WebResponse {
    await answered(request).response
  }

  /// Returns the response to a request, and its number in the log; 0 if the log does not have it.
  func answered(_ request: WebRequest) async -> (response: WebResponse, number: Int) {
    let start = ContinuousClock.now
    let date = now()
    let notes = RequestNotes()
    var response: WebResponse
    var errorCode: String?
    do {
      guard origins.allows(request.headers) else {
        throw WebError(.accessDenied, "the Host or Origin of the request is not allowed")
      }
      if page != .none, let route = PageRoute(request.path) {
        return (await show(route, request), 0)
      }
      guard page != .alone else { throw WebError(.notFound, "the path leads nowhere") }
      response =
        request.method == "OPTIONS"
        ? WebResponse(status: 204) : try await answer(request, notes)
    } catch {
      var error = Self.webError(error, of: request, notes)
      addSignIn(to: &error, of: request)
      errorCode = error.code
      response = WebResponse(status: error.status, json: error.body)
      response.headers["Retry-After"] = error.retryAfterSeconds.map { String($0) }
    }
    origins.addHeaders(to: &response, for: request)
    guard !request.path.hasPrefix("/admin/") else { return (response, 0) }
    let number = log.add(
      request, at: date, response, errorCode, notes, ContinuousClock.now - start,
      keepsBodies: page == .withServices)
    return (response, number)
  }

  /// Returns the error of a request. The server's words for a body that cannot be read do not say where
  /// the problem is: a note does.
  private static func webError(
    _ error: any Error, of request: WebRequest, _ notes: RequestNotes
  ) -> WebError {
    guard let error = error as? RecordCodingError, !request.path.hasPrefix("/admin/") else {
      let answer = WebError(error)
      // The container is at fault, as on a full disk. The log has no other place for it.
      if error is ContainerStoreError { notes.add(answer.reason) }
      return answer
    }
    notes.add("\(error)")
    return .badInput(error)
  }

  /// Adds a user for the page. Web Services have no such request, so that it is the request of a test,
  /// which the handler need not take from others.
  ///
  /// - Returns: the number in the log.
  func addUser(_ json: JSONValue, to served: WebContainer) -> Int {
    let (start, date, notes) = (ContinuousClock.now, now(), RequestNotes())
    var errorCode: String?
    let response: WebResponse
    do {
      var body = try RequestBody(json, notes)
      response = try addUser(&body, to: served)
    } catch {
      let error = WebError(error)
      errorCode = error.code
      response = WebResponse(status: error.status, json: error.body)
    }
    return log.add(
      WebRequest("POST", CopiedRequest.usersPath, body: json.compactData), at: date, response,
      errorCode, notes, ContinuousClock.now - start, keepsBodies: true)
  }

  private func answer(_ request: WebRequest, _ notes: RequestNotes) async throws -> WebResponse {
    switch try WebRoute(request.path) {
    case .endpoint(let endpoint, let address, let scope):
      return try await answer(request, endpoint, address, scope, notes)
    case .unknown(let path, let address, let scope):
      return try await answerUnknown(request, path, address, scope)
    case .upload(let token): return try upload(request, token)
    case .download(let token): return try await download(request, token)
    case .notifications(let token): return try await notifications(request, token)
    case .signIn: return try signIn(request)
    case .admin(let path): return try await administer(request, path, notes)
    }
  }

  private func answer(
    _ request: WebRequest, _ endpoint: Endpoint, _ address: ContainerAddress,
    _ scope: DatabaseScope, _ notes: RequestNotes
  ) async throws -> WebResponse {
    guard endpoint.methods.contains(request.method) else {
      let methods = endpoint.methods.sorted().joined(separator: " or ")
      throw WebError(.badRequest, "the method of \(endpoint.path) is \(methods)")
    }
    let served = try container(at: address)
    let sender = try authentication.sender(of: request, to: served, address)
    if case .user(let name) = sender { notes.user = name }
    if case .server = sender, scope != .public || !endpoint.allowsServers {
      throw WebError(
        .accessDenied, "a server can send requests about the records of the public database only")
    }
    let call = EndpointCall(
      served: served, address: address, sender: sender,
      container: try served.container(of: sender), scope: scope,
      baseURL: Self.baseURL(of: request), method: request.method,
      flags: Set(request.queryItems.filter { $0.value.lowercased() == "true" }.map(\.name)),
      signer: signer, uploads: uploads, devices: devices)
    var json = try Self.json(of: request, try served.ownName(of: sender, in: scope))
    let origin = try FaultOrigin(sender, request, served, admin?.faults)
    let fault = try await failing(endpoint.path, json, origin)
    let itemFault = fault.flatMap {
      $0.isOfItems || $0.needsToken ? ItemFault($0, of: endpoint.path, json) : nil
    }
    if let itemFault {
      guard itemFault.isSent else {
        return try withToken(
          WebResponse(json: itemFault.response(.object([]))), of: sender, address)
      }
      json = itemFault.request
    } else if let response = try fault?.answer(at: .before, json) {
      return try withToken(response, of: sender, address)
    }
    let values = RequestValues(schema: try served.container.currentSchema)
    let answer = try Self.read(try values.checked(json), endpoint, notes)
    var result = try await answer(call)
    result = itemFault?.response(result) ?? result
    if let admin { result = admin.faults.failingItems(of: result, to: endpoint.path, json, origin) }
    let response = itemFault == nil ? try fault?.answer(at: .after, json) : nil
    return try withToken(response ?? WebResponse(json: result), of: sender, address)
  }

  private static func read(
    _ json: JSONValue, _ endpoint: Endpoint, _ notes: RequestNotes
  ) throws -> Endpoint.Answer {
    var body = try RequestBody(json, notes)
    let answer = try endpoint.read(&body)
    body.finish()
    return answer
  }

  /// Returns a response with the next token of a user.
  func withToken(
    _ response: WebResponse, of sender: RequestSender, _ address: ContainerAddress
  ) throws -> WebResponse {
    guard case .user(let name) = sender else { return response }
    var response = response
    response.headers[WebOrigins.tokenHeader] = try authentication.token(of: name, address)
    return response
  }

  /// Returns the container at an address.
  ///
  /// - Throws: ``WebError``: `NOT_FOUND`.
  func container(at address: ContainerAddress) throws -> WebContainer {
    let fits = containers.compactMap { container in
      container.specificity(for: address).map { (container, $0) }
    }
    guard let found = fits.max(by: { $0.1 < $1.1 }) else {
      let served = containers.map(\.addressPattern).sorted().joined(separator: ", ")
      throw WebError(
        .notFound, "no container is served at this address; it would be one of: \(served)")
    }
    return found.0
  }

  /// Returns the body, with the caller's own zones as the container names them.
  ///
  /// - Parameter user: the record name of the caller, if zones of the database can be the caller's.
  static func json(of request: WebRequest, _ user: String?) throws -> JSONValue {
    // Requests without arguments may have no body.
    guard !request.body.isEmpty else { return .object([]) }
    guard request.body.count <= maxBodySize else {
      throw WebError.invalid("the body has more than \(maxBodySize) bytes")
    }
    let json = try parse(request.body)
    return user.map(json.replacingOwner) ?? json
  }

  static func parse(_ body: Data) throws -> JSONValue {
    var limits = JSONParser.Limits()
    limits.depth = 64
    limits.nodes = 1_000_000
    return try body.withUnsafeBytes { try JSONParser.parse($0, limits: limits) }
  }

  static func baseURL(of request: WebRequest) -> String {
    let isSecure = request.headers["X-Forwarded-Proto"]?.lowercased() == "https"
    return (isSecure ? "https://" : "http://") + (request.headers["Host"] ?? "localhost")
  }
}
