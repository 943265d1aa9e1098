import ArgumentParser
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordText

/// Options for who may send requests.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A valid ckAPIToken; others are not, then.", valueName: "token"))
  var apiToken: [String] = []

  @Option(
    help: ArgumentHelp(
      "A ckWebAuthToken and its user; record names are no tokens, then.",
      valueName: "token=user"))
  var userToken: [PairArgument] = []

  @Option(
    help: ArgumentHelp(
      "A user to add to each container, with an address by which others find the user.",
      valueName: "name[=email]"))
  var user: [String] = []

  @Option(
    help: ArgumentHelp(
      "A server's key identifier, and the PEM file with the public key.", valueName: "id=file"),
    completion: .file())
  var serverKey: [PairArgument] = []

  @Option(
    help: ArgumentHelp(
      "Where the sign-in page sends the browser with the token, as 'ckWebAuthToken'.",
      valueName: "url"))
  var signInCallback: String?

  /// Adds the users of `--user` and `--user-token` to a container.
  func addUsers(to container: MockContainer) throws {
    let tokenUsers = userToken.map(\.value).filter { $0 != ZoneID.currentUserOwnerName }
    for text in user + tokenUsers {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let user = WebUser(
        String(parts[0]), emailAddress: parts.count > 1 ? String(parts[1]) : nil)
      do {
        try user.add(to: container)
      } catch let error as CloudError {
        throw CommandError("cannot add the user '\(text.visible)': \(error.message)")
      }
    }
  }

  func access() throws -> WebAccess {
    var access = WebAccess()
    access.apiTokens = Set(apiToken)
    for pair in userToken { access.userTokens[pair.name] = pair.value }
    for pair in serverKey {
      let text = try Inputs.data(of: pair.value, "a public key")
      guard let key = WebServerKey(pem: String(decoding: text, as: UTF8.self)) else {
        throw CommandError(
          "'\(pair.value.visible)' is not a public key of the curve P-256 in PEM; "
            + "'openssl ec -in key.pem -pubout' writes one")
      }
      access.serverKeys[pair.name] = key
    }
    if let signInCallback {
      guard let url = URL(string: signInCallback), url.scheme != nil else {
        throw CommandError("'\(signInCallback.visible)' is not a URL to send a browser to")
      }
      access.signInCallback = url
    }
    return access
  }
}

/// An argument of two parts with `=` between them.
struct PairArgument: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    name = String(parts[0])
    value = String(parts[1])
  }
}
