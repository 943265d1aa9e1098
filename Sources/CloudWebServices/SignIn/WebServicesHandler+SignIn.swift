import Foundation
import MockCloud
import RecordModel
import RecordPages

/// The page on which a user signs in: it takes the place of Apple's, to which `redirectURL` leads.
///
/// Source for how the token comes back: Apple's *CloudKit Web Services Reference*, "Accessing CloudKit
/// Using an API Token"; the names of the members, which have changed, from MistKit.
extension WebServicesHandler {
  /// Adds to the error of a request that needs a user where the user signs in.
  func addSignIn(to error: inout WebError, of request: WebRequest) {
    guard error.code == WebErrorCode.authenticationRequired.rawValue,
      case .endpoint(_, let place, _)? = try? WebRoute(request.path),
      let served = try? container(at: place), served.access.userTokens.isEmpty
    else { return }
    let words = place.words + [request.headers["Origin"] ?? ""]
    error.redirectURL =
      "\(Self.baseURL(of: request))/sign-in?for=\(signer.token(.signIn, words))"
  }

  /// Returns the page with the users of a container, or signs in the one that the request names.
  func signIn(_ request: WebRequest) throws -> WebResponse {
    guard request.method == "GET" else {
      throw WebError(.badRequest, "the method of the sign-in page is GET")
    }
    func item(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
    guard let ticket = item("for"), let words = signer.words(.signIn, of: ticket),
      words.count == 3, let place = try? WebPlace(words[0], environment: words[1]),
      let served = try? container(at: place), served.access.userTokens.isEmpty
    else { throw WebError(.notFound, "the address leads to no sign-in page") }
    guard let user = item("user") else {
      return SignInPage.users(try served.users, ticket: ticket, of: place).response
    }
    guard try served.hasUser(user) else {
      throw WebError(.notFound, "the container has no such user")
    }
    let token = authentication.token(of: user, place)
    if let callback = served.access.signInCallback {
      return Self.redirect(to: callback, token)
    }
    return SignInPage.signedIn(user, token: token, origin: words[2]).response
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
