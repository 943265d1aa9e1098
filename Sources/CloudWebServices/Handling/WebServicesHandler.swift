import Foundation
import MockCloud
import RecordCoding
import RecordModel
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
/// The handler has no rules of its own: what is allowed and what comes of it is decided by the
/// container. It opens no sockets. Requests to different containers are answered at the same time.
public final class WebServicesHandler: Sendable {
  /// The containers. Of several that fit an address, the one that names more of it answers.
  public var containers: [WebContainer] { served.withLock { $0 } }
  /// The requests that were answered.
  public let log = RequestLog()

  let served: Mutex<[WebContainer]>
  /// What tests may do; nil for nothing.
  let admin: WebAdmin?
  /// Whether there is a page to look at the containers with.
  let page: WebPage
  private let origins: WebOrigins
  private let now: @Sendable () -> Date
  let signer = TokenSigner()
  let authentication: Authentication
  let uploads: UploadInbox
  let devices = WebDevices()
  /// How long a request for notifications waits for one.
  let pollTime: Duration

  /// The maximum size of a body with JSON, in bytes: 16 MiB.
  public static let maxBodySize = 16 << 20
  /// The maximum size of a file that is uploaded, in bytes: 50 MB, as for an asset.
  public static let maxUploadSize = 50_000_000

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - containers: the containers to serve.
  ///   - origins: the hosts of the handler, and the pages that may send it requests.
  ///   - admin: what tests may do to the containers; nil for nothing. Its clock is then that of the
  ///     handler.
  ///   - page: whether there is a page to look at the containers with.
  ///   - pollTime: how long a request for notifications waits for one.
  ///   - now: returns the time of a request, by which signatures and addresses expire.
  public init(
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
  }

  // MARK: Responding

  /// Answers a request. Errors are responses, too.
  public func respond(to request: WebRequest) async -> WebResponse {
    let start = ContinuousClock.now
    let date = now()
    let notes = RequestNotes()
    var response: WebResponse
    var errorCode: String?
    do {
      guard origins.allows(request.headers) else {
        throw WebError(.accessDenied, "the Host or Origin of the request is not allowed")
      }
      if page != .none, let route = PageRoute(request.path) { return await show(route, request) }
      guard page != .alone else { throw WebError(.notFound, "the path leads nowhere") }
      response =
        request.method == "OPTIONS"
        ? WebResponse(status: 204) : try await answer(request, at: date, notes)
    } catch {
      var error = WebError(error)
      addSignIn(to: &error, of: request)
      errorCode = error.code
      response = WebResponse(status: error.status, json: error.body)
      response.headers["Retry-After"] = error.retryAfterSeconds.map { String($0) }
    }
    CrossOrigin.add(to: &response, for: request, origins)
    if !request.path.hasPrefix("/admin/") {
      log.add(
        request, at: date, response, errorCode, notes.all, ContinuousClock.now - start,
        keepsBodies: page == .withServices)
    }
    return response
  }

  private func answer(
    _ request: WebRequest, at date: Date, _ notes: RequestNotes
  ) async throws -> WebResponse {
    switch try WebRoute(request.path) {
    case .endpoint(let type, let place, let scope):
      return try await answer(request, type, place, scope, at: date, notes)
    case .unknown(let path, let place, let scope):
      return try await answerUnknown(request, path, place, scope)
    case .upload(let token): return try await upload(request, token)
    case .download(let token): return try await download(request, token)
    case .notifications(let token): return try await notifications(request, token)
    case .signIn: return try signIn(request)
    case .admin(let path): return try await administer(request, path, notes)
    }
  }

  private func answer(
    _ request: WebRequest, _ type: any Endpoint.Type, _ place: WebPlace, _ scope: DatabaseScope,
    at date: Date, _ notes: RequestNotes
  ) async throws -> WebResponse {
    guard type.methods.contains(request.method) else {
      throw WebError(
        .badRequest,
        "the method of \(type.path) is \(type.methods.sorted().joined(separator: " or "))")
    }
    let served = try container(at: place)
    let caller = try authentication.caller(of: request, to: served, place)
    if case .server = caller, scope != .public || !type.allowsServers {
      throw WebError(
        .accessDenied, "a server can send requests about the records of the public database only")
    }
    let container = try served.container(of: caller)
    let call = EndpointCall(
      served: served, place: place, caller: caller, container: container, scope: scope,
      baseURL: Self.baseURL(of: request), method: request.method,
      flags: Set(request.queryItems.filter { $0.value.lowercased() == "true" }.map(\.name)),
      signer: signer, uploads: uploads, devices: devices, notes: notes, now: date)
    let json = try Self.json(of: request, try served.ownName(of: caller, in: scope))
    let fault = try await failing(type.path, json)
    if let response = try fault?.answer(at: .before) {
      return withToken(response, of: caller, place)
    }
    var body = try RequestBody(json, notes)
    let endpoint = try type.init(&body)
    body.finish()
    let answer = try await endpoint.answer(call)
    let response = try fault?.answer(at: .after) ?? WebResponse(json: answer)
    return withToken(response, of: caller, place)
  }

  /// Returns a response with the next token of a user.
  func withToken(
    _ response: WebResponse, of caller: WebCaller, _ place: WebPlace
  ) -> WebResponse {
    guard case .user(let name) = caller else { return response }
    var response = response
    response.headers[CrossOrigin.tokenHeader] = authentication.token(of: name, place)
    return response
  }

  /// Returns the container at an address.
  ///
  /// - Throws: ``WebError``: `NOT_FOUND`.
  func container(at place: WebPlace) throws -> WebContainer {
    let fits = containers.compactMap { container in
      container.fit(place.identifier, place.environment).map { (container, $0) }
    }
    guard let found = fits.max(by: { $0.1 < $1.1 }) else {
      let served = containers.map(\.place).sorted().joined(separator: ", ")
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
      throw WebError(.badRequest, "the body has more than \(maxBodySize) bytes")
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
