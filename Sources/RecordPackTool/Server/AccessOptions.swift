import ArgumentParser
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordText

/// Options for who may send requests.
struct AccessOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A ckAPIToken to accept; the server then rejects all others.", valueName: "token"))
  var apiToken: [String] = []

  @Option(
    help: ArgumentHelp(
      "A ckWebAuthToken and its user; the server then accepts no record names.",
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
    func add(_ name: String, emailAddress: String? = nil) throws {
      do {
        _ = try container.account(name, emailAddress: emailAddress)
      } catch let error as CloudError {
        throw CommandError("cannot add the user '\(name.visible)': \(error.message)")
      }
    }
    for text in user {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try add(String(parts[0]), emailAddress: parts.count > 1 ? String(parts[1]) : nil)
    }
    for pair in userToken where pair.value != ZoneID.currentUserOwnerName { try add(pair.value) }
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
