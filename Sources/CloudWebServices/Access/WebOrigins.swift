/// The hosts under which a handler is reached, and the pages that may send it requests.
///
/// A page in a browser can send requests to a server on the same machine. So requests with an
/// `Origin` are answered only for pages of known hosts, and the `Host` must be one of ours: a name
/// that was made to lead here belongs to the page.
public struct WebOrigins: Sendable, Hashable {
  /// The names of hosts besides `localhost` and the loopback addresses. Each is a host of this
  /// server, and of pages that may send requests; an asterisk stands for all.
  public var hosts: Set<String> = []

  /// Creates the origins of a server that only this machine reaches.
  public init(hosts: Set<String> = []) { self.hosts = hosts }

  /// Whether a request may be answered.
  func allows(_ headers: WebHeaders) -> Bool {
    if let host = headers["Host"], !allows(host: Self.name(ofAuthority: host)) { return false }
    guard let origin = headers["Origin"] else { return true }
    return allows(origin: origin)
  }

  func allows(origin: String) -> Bool {
    for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
      return allows(host: Self.name(ofAuthority: String(origin.dropFirst(scheme.count))))
    }
    return hosts.contains("*")
  }

  private func allows(host: String) -> Bool {
    let host = host.lowercased()
    return ["localhost", "127.0.0.1", "[::1]"].contains(host) || hosts.contains(host)
      || hosts.contains("*")
  }

  /// Returns the host without its port.
  private static func name(ofAuthority authority: String) -> String {
    if authority.hasPrefix("[") {
      return authority.firstIndex(of: "]").map { String(authority[...$0]) } ?? authority
    }
    return authority.split(separator: ":", omittingEmptySubsequences: false).first
      .map(String.init) ?? ""
  }
}
