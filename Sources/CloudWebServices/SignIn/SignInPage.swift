import Foundation
import RecordPages
import RecordPlatform

/// The pages of the sign-in.
struct SignInPage {
  private let document: PageDocument

  /// The page with the users.
  ///
  /// - Parameters:
  ///   - users: their record names, and the names that are shown.
  ///   - ticket: what the handler gave out with the address of the page.
  static func users(
    _ users: [(token: String, name: String)], ticket: String, of place: WebPlace
  ) -> SignInPage {
    let rows = users.map { user -> HTML in
      let address = "/sign-in?for=\(ticket)&user=\(query(user.token))"
      return "<li><a href=\"\(address)\">\(user.name)</a> <code>\(user.token)</code></li>"
    }
    return SignInPage(
      document: PageDocument(
        title: "Sign in",
        content: """
          <h1>Sign in</h1>
          <p>to \(place.identifier), \(place.environment.rawValue)</p>
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

  private static func query(_ text: String) -> String {
    let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }

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
