import Foundation
import RecordModel
import RecordPages
import RecordPlatform

/// The page on which a user signs in: it takes the place of Apple's, to which `redirectURL` leads.
///
/// Source for how the token comes back: Apple's *CloudKit Web Services Reference*, "Accessing CloudKit
/// Using an API Token"; the names of the members, which have changed, from MistKit.
extension WebServicesHandler {
  /// Adds to the error of a request that needs a user where the user signs in.
  func addSignIn(to error: inout WebError, of request: WebRequest) {
    guard error.code == WebErrorCode.authenticationRequired.rawValue,
      case .endpoint(_, let address, _)? = try? WebRoute(request.path),
      let served = try? container(at: address), served.access.userTokens.isEmpty
    else { return }
    let ticket = Ticket.signIn(to: address, origin: request.headers["Origin"] ?? "")
    error.redirectURL = (try? signer.token(ticket)).map {
      "\(Self.baseURL(of: request))/sign-in?for=\($0)"
    }
  }

  /// Returns the page with the users of a container, or signs in the one that the request names.
  func signIn(_ request: WebRequest) throws -> WebResponse {
    guard request.method == "GET" else {
      throw WebError(.badRequest, "the method of the sign-in page is GET")
    }
    func item(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
    guard let ticket = item("for"),
      case .signIn(to: let address, origin: let origin)? = signer.ticket(of: ticket),
      let served = try? container(at: address), served.access.userTokens.isEmpty
    else { throw WebError(.notFound, "the address leads to no sign-in page") }
    guard let user = item("user") else {
      return SignInPage.users(try served.users, ticket: ticket, of: address).response
    }
    guard try served.hasUser(user) else {
      throw WebError(.notFound, "the container has no such user")
    }
    let token = try authentication.token(of: user, address)
    if let callback = served.access.signInCallback {
      return Self.redirect(to: callback, token)
    }
    return SignInPage.signedIn(user, token: token, origin: origin).response
  }

  /// Sends the browser back with the token, under both names that it has had.
  private static func redirect(to callback: URL, _ token: String) -> WebResponse {
    let items = ["ckWebAuthToken", "ckSession"].map { URLQueryItem(name: $0, value: token) }
    let url = callback.appending(queryItems: items).absoluteString
    return WebResponse(status: 302, headers: ["Location": url, "Referrer-Policy": "no-referrer"])
  }
}

extension WebContainer {
  /// The users who can sign in, the signed-in one first, with the names that pages show.
  fileprivate var users: [(token: String, name: String)] {
    get throws {
      let info = try container.store.info()
      let current = info.currentUserRecordName ?? ZoneID.currentUserOwnerName
      let others = info.accounts.map(\.userRecordName).filter { $0 != current }
      return ([current] + others).map { name in
        let account = info.accounts.first { $0.userRecordName == name }
        let parts = [account?.nameComponents?.givenName, account?.nameComponents?.familyName]
        let words = parts.compactMap(\.self).filter { !$0.isEmpty }
        return (name, words.isEmpty ? name : words.joined(separator: " "))
      }
    }
  }
}

/// The pages of the sign-in.
struct SignInPage {
  private let document: PageDocument

  /// The page with the users.
  ///
  /// - Parameters:
  ///   - users: their record names, and the names that are shown.
  ///   - ticket: the ticket in the address of the page.
  static func users(
    _ users: [(token: String, name: String)], ticket: String, of address: ContainerAddress
  ) -> SignInPage {
    let rows = users.map { user -> HTML in
      let address = "/sign-in?for=\(ticket)&user=\(user.token.percentEncoded)"
      return "<li><a href=\"\(address)\">\(user.name)</a> <code>\(user.token)</code></li>"
    }
    return SignInPage(
      document: PageDocument(
        title: "Sign in",
        content: """
          <h1>Sign in</h1>
          <p>to \(address.identifier), \(address.environment.rawValue)</p>
          <ul>
          \(rows)
          </ul>
          """))
  }

  /// The page that hands a token to the page that opened it.
  ///
  /// - Parameter origin: that of the page that sent the first request; empty for none.
  static func signedIn(_ user: String, token: String, origin: String) -> SignInPage {
    SignInPage(
      document: PageDocument(
        title: "Signed in",
        content: """
          <h1>Signed in</h1>
          <p>as <code>\(user)</code>. This window can be closed.</p>
          <p>ckWebAuthToken: <code id="token" data-origin="\(origin)">\(token)</code></p>
          <script>\(HTML(markup: script))</script>
          """))
  }

  /// Posts the token to the page that has opened this one, if it is of the origin.
  private static let script = """

    const token = document.getElementById("token");
    if (window.opener && token.dataset.origin) {
      const message = { ckWebAuthToken: token.textContent, ckSession: token.textContent };
      window.opener.postMessage(message, token.dataset.origin);
      window.close();
    }

    """

  private static let policy = {
    let digest = Data(script.utf8).withUnsafeBytes { SHA256Digest(of: $0) }
    let hash = digest.withBytes { Data($0).base64EncodedString() }
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(hash)'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }()

  var response: WebResponse {
    WebResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=UTF-8", "Content-Security-Policy": Self.policy,
        "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
      ], body: Data(document.html.text.utf8))
  }
}
