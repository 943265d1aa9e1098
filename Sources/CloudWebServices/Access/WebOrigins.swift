/// The hosts under which a handler is reached, and the pages that may send it requests.
///
/// A page in a browser can send requests to a server on the same machine. So the server accepts
/// requests with an `Origin` only from pages of known hosts, and the `Host` must be one of ours: a
/// name that was made to lead here belongs to the page.
package struct WebOrigins: Sendable, Hashable {
  /// The names of hosts besides `localhost` and the loopback addresses. Each is a host of this
  /// server, and of pages that may send requests; an asterisk stands for all.
  package var hosts: Set<String> = []
  /// The schemes of other origins that may send requests, such as `capacitor` or `chrome-extension`,
  /// in lower case.
  package var schemes: Set<String> = []

  /// Creates the origins of a server that only this machine reaches.
  package init(hosts: Set<String> = [], schemes: Set<String> = []) {
    self.hosts = hosts
    self.schemes = schemes
  }

  /// Whether the server accepts a request.
  func allows(_ headers: WebHeaders) -> Bool {
    if let host = headers["Host"], !allows(host: Self.name(ofAuthority: host)) { return false }
    guard let origin = headers["Origin"] else { return true }
    return allows(origin: origin)
  }

  func allows(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return allows(host: Self.name(ofAuthority: String(origin.dropFirst(scheme.count))))
    }
    let scheme = origin.prefix { $0 != ":" }
    return hosts.contains("*") || origin.contains("://") && schemes.contains(scheme.lowercased())
  }

  private func allows(host: String) -> Bool {
    let host = host.lowercased()
    return ["localhost", "127.0.0.1", "[::1]"].contains(host) || hosts.contains(host)
      || hosts.contains("*")
  }

  /// Returns the host without its port; the whole text for one that is not a host and a port
  /// (RFC 9110, 7.2).
  private static func name(ofAuthority authority: String) -> String {
    let isAddress = authority.hasPrefix("[")
    let name =
      isAddress
      ? authority.firstIndex(of: "]").map { authority[...$0] } : authority.prefix { $0 != ":" }
    guard let name else { return authority }
    let port = authority.dropFirst(name.count)
    let isPort = port.isEmpty || port.first == ":" && port.utf8.dropFirst().allSatisfy(isDigit)
    return isPort ? String(name) : authority
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // MARK: Headers

  /// The header with the next token of a user.
  static let tokenHeader = "X-Apple-CloudKit-Web-Auth-Token"

  /// Adds the headers by which a browser lets pages of other origins read a response.
  ///
  /// Source: the Fetch standard. CloudKit exposes the token; Content-Range is for downloads.
  func addHeaders(to response: inout WebResponse, for request: WebRequest) {
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Origin"
    guard let origin = request.headers["Origin"], allows(origin: origin) else { return }
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] =
      Self.tokenHeader + ", Content-Range"
    guard request.method == "OPTIONS" else { return }
    response.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] =
      "Content-Type, Range, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
      + "X-Apple-CloudKit-Request-SignatureV1"
    response.headers["Access-Control-Max-Age"] = "600"
  }
}
