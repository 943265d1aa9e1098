import Foundation
import MockCloud

extension WebServicesHandler {
  /// Handles a request of a test.
  ///
  /// - Parameter path: what follows `/admin/`.
  func administer(
    _ request: WebRequest, _ path: String, _ notes: RequestNotes
  ) async throws -> WebResponse {
    guard let admin else { throw WebError(.notFound, "the path leads nowhere") }
    if request.method == "POST", path == "load" { return try await load(request) }
    var body = try RequestBody(
      request.body.isEmpty ? .object([]) : try Self.parse(request.body), notes)
    defer { body.finish() }
    switch (request.method, path) {
    case ("POST", "reset"):
      try reset(try address(&body))
      return WebResponse(json: .object([]))
    case ("POST", "snapshot"):
      let container = try container(in: try address(&body)).container
      return WebResponse(
        status: 200, headers: ["Content-Type": "application/octet-stream"],
        body: try admin.snapshot(container))
    case ("GET", "clock"): break
    case ("POST", "clock"):
      let seconds = try body.required("advance", Double.self)
      guard (0...1e10).contains(seconds) else {
        throw WebError(.badRequest, "'advance' is a number of seconds that is not negative")
      }
      admin.clock.advance(by: seconds)
    case ("GET", "faults"): return WebResponse(json: admin.faults.json)
    case ("POST", "faults"):
      return WebResponse(
        json: .object([.init("id", .integer(try admin.faults.add(WebFault(&body))))]))
    case ("DELETE", "faults"):
      admin.faults.clear()
      return WebResponse(json: .object([]))
    case ("POST", "release"):
      let id = try body.value("id", Int64.self).map { Int(clamping: $0) }
      return WebResponse(
        json: .object([.init("released", .integer(admin.faults.release(id)))]))
    case ("GET", "users"): return try users(in: try container(in: try address(&body)))
    case ("POST", "users"):
      return try addUser(&body, to: try container(in: try address(&body)))
    case ("GET", "log"):
      return WebResponse(json: .object([.init("requests", .array(log.entries.map(\.json)))]))
    case ("DELETE", "log"):
      log.clear()
      return WebResponse(json: .object([]))
    default: throw WebError(.notFound, "the path leads nowhere")
    }
    return WebResponse(
      json: .object([.init("now", .string(admin.clock.now.formatted(.iso8601)))]))
  }

  /// Adds a user, and returns all users.
  func addUser(_ body: inout RequestBody, to container: WebContainer) throws -> WebResponse {
    _ = try container.container.account(
      try body.required("userRecordName"), nameComponents: try body.value("nameComponents"),
      emailAddress: try body.value("emailAddress"), phoneNumber: try body.value("phoneNumber"))
    return try users(in: container)
  }

  private func users(in container: WebContainer) throws -> WebResponse {
    let users = try container.container.accounts.map { try $0.identity.jsonValue() }
    return WebResponse(json: .object([.init("users", .array(users))]))
  }

  /// Takes the container and environment that a request names; nil if there is only one container.
  private func address(_ body: inout RequestBody) throws -> ContainerAddress? {
    guard let identifier = try body.value("container", String.self) else { return nil }
    return try ContainerAddress(
      identifier, environment: try body.value("environment") ?? "development")
  }

  private func container(in address: ContainerAddress?) throws -> WebContainer {
    if let address { return try container(at: address) }
    guard containers.count == 1, let only = containers.first else {
      throw WebError(.badRequest, "several containers are served; name one in 'container'")
    }
    return only
  }
}

extension WebServicesHandler {
  /// The maximum size of a bundle that is loaded, in bytes: 256 MiB.
  package static let maxBundleSize = 256 << 20

  /// The maximum size of the body of a request, in bytes, by its target: files are larger than JSON.
  package func maxBodySize(ofTarget target: String) -> Int {
    let path = target.prefix { $0 != "?" }
    // Form data has headers and delimiters around a file.
    if path.hasPrefix("/assets/upload/") { return Self.maxUploadSize + 65_536 }
    if page == .withServices, case .action(_, .save)? = PageRoute(String(path)) {
      return ConsoleForm.maxSize
    }
    return admin != nil && path == "/admin/load" ? Self.maxBundleSize : Self.maxBodySize
  }

  /// Resets a container to its contents when it was first served, or loaded last.
  ///
  /// - Parameter address: nil for the only container.
  func reset(_ address: ContainerAddress?) throws {
    try reset(at: try replaceable(address, resets: true))
  }

  /// Resets a container that the page shows to its contents when it was first served, or loaded last.
  func reset(_ container: WebContainer) throws {
    let name = PageContainerName(container)
    guard container.seed != nil,
      let index = containers.firstIndex(where: { PageContainerName($0) == name })
    else { throw Self.inPlace }
    try reset(at: index)
  }

  private static let inPlace = WebError(
    .badRequest, "the contents of a container that is served in place stay")

  /// Resets a container to its contents when it was first served, or loaded last.
  package func reset(at index: Int) throws {
    let container = containers[index]
    guard let seed = container.seed else { return }
    if container.isInPlace {
      // Requests go on meanwhile.
      try container.container.reset(to: seed)
    } else {
      let fork = try seed.fork()
      keepHistory(
        of: served.withLock { served in
          served[index].container = fork
          return served[index]
        })
    }
    forgetChanges(of: container)
  }

  /// Forgets the changes of a container whose contents are replaced.
  private func forgetChanges(of container: WebContainer) {
    history.clear(PageContainerName(container))
    removals.clear(PageContainerName(container))
  }

  /// Replaces the contents of a container by those of a bundle, which it is then reset to.
  func load(_ request: WebRequest) async throws -> WebResponse {
    func item(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
    let address = try item("container").map {
      try ContainerAddress($0, environment: item("environment") ?? "development")
    }
    // Whether it can be replaced is known before the bundle is read.
    let index = try replaceable(address)
    let rules = containers[index].container.rules
    let clock = admin?.clock ?? WebClock()
    let loaded = try await ContainerBundle.container(of: request.body, rules: rules) { clock.now }
    try replace(at: index, with: loaded)
    return WebResponse(json: .object([]))
  }

  /// Replaces a container, and what it is reset to.
  package func replace(at index: Int, with container: MockContainer) throws {
    let copy = try container.fork()
    served.withLock { served in
      served[index].seed = copy
      served[index].container = container
      forgetChanges(of: served[index])
      keepHistory(of: served[index])
    }
  }

  /// Returns the index of a container that is not served in place.
  ///
  /// - Throws: ``WebError``: `BAD_REQUEST`.
  private func replaceable(_ address: ContainerAddress?, resets: Bool = false) throws -> Int {
    let containers = containers
    let fits = containers.indices.filter { index in
      address.map { containers[index].specificity(for: $0) != nil } ?? true
    }
    guard fits.count == 1 else {
      throw WebError(.badRequest, "'container' and 'environment' do not name one container")
    }
    guard containers[fits[0]].seed != nil, resets || !containers[fits[0]].isInPlace else {
      throw Self.inPlace
    }
    return fits[0]
  }
}
