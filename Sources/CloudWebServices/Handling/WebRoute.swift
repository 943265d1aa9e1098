import RecordModel

/// The destination of a request, by its path.
enum WebRoute {
  /// A request to a database or device; the scope of one to a device is private.
  case endpoint(Endpoint, ContainerAddress, DatabaseScope)
  /// A request to a database by a path that the service does not have. A fault of a test may
  /// respond to it.
  case unknown(String, ContainerAddress, DatabaseScope)
  /// The content of an asset on its way to the server.
  case upload(token: String)
  /// The content of an asset on its way to the client.
  case download(token: String)
  /// The notifications of a user's device (`webcourierURL`).
  case notifications(token: String)
  /// The page on which a user signs in.
  case signIn
  /// A request of a test, by what follows `/admin/`.
  case admin(String)

  /// - Throws: ``WebError``: `NOT_FOUND` for a path that leads nowhere.
  init(_ path: String) throws {
    let notFound = WebError(.notFound, "the path leads nowhere")
    guard path.utf8.count <= 10_000, path.first == "/" else { throw notFound }
    let parts = try path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      .map { part in
        guard let part = part.percentDecoded, !part.isEmpty, !part.contains("/"),
          !part.contains("\0")
        else { throw notFound }
        return part
      }
    switch parts.first {
    case "database" where parts.count == 6 && parts[1] == "1" && parts[4] == "tokens",
      "device" where parts.count >= 5 && parts[1] == "1":
      guard let endpoint = Endpoint.ofDevice[parts[4...].joined(separator: "/")] else {
        throw notFound
      }
      self = .endpoint(
        endpoint, try ContainerAddress(parts[2], environment: parts[3]), .private)
    case "database" where parts.count >= 6 && parts[1] == "1":
      guard let scope = DatabaseScope(rawValue: parts[4]) else { throw notFound }
      let path = parts[5...].joined(separator: "/")
      guard let endpoint = Endpoint.ofDatabase[path] else {
        guard let address = try? ContainerAddress(parts[2], environment: parts[3]) else {
          throw notFound
        }
        self = .unknown(path, address, scope)
        return
      }
      self = .endpoint(endpoint, try ContainerAddress(parts[2], environment: parts[3]), scope)
    case "assets" where parts.count == 3 && parts[1] == "upload": self = .upload(token: parts[2])
    // The name of the file is the client's choice.
    case "assets" where parts.count == 4 && parts[1] == "download":
      self = .download(token: parts[2])
    case "notifications" where parts.count == 2: self = .notifications(token: parts[1])
    case "sign-in" where parts.count == 1: self = .signIn
    case "admin" where parts.count == 2: self = .admin(parts[1])
    default: throw notFound
    }
  }
}
