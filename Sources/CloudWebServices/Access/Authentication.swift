import CloudInterface
import MockCloud
import RecordModel

/// The sender of a request.
enum RequestSender: Sendable {
  /// Someone with an API token only: the public database can be read.
  case anonymous
  /// A user, by the record name; `__defaultOwner__` for a signed-in user without one.
  case user(String)
  /// Another server, which has the public database only.
  case server
}

/// Finds out who sent a request, by its tokens or its signature.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Composing Web Service Requests".
struct Authentication: Sendable {
  let signer: TicketSigner
  let signatures: ServerSignatures

  /// - Throws: ``WebError``: `AUTHENTICATION_FAILED` for a request without an API token, and for
  ///   wrong tokens and signatures.
  func sender(
    of request: WebRequest, to container: WebContainer, _ address: ContainerAddress
  ) throws -> RequestSender {
    if request.headers[ServerSignatures.keyHeader] != nil {
      try signatures.check(request, container.access.serverKeys)
      return .server
    }
    let items = request.queryItems
    func item(_ names: String...) -> String? {
      items.first { names.contains($0.name) && !$0.value.isEmpty }?.value
    }
    guard let token = item("ckAPIToken") else {
      throw WebError(
        .authenticationFailed, "the request has neither a ckAPIToken nor a signature of a server")
    }
    guard container.access.apiTokens.isEmpty || container.access.apiTokens.contains(token) else {
      throw WebError(.authenticationFailed, "the ckAPIToken is not one of the container")
    }
    // Version 1 of CloudKit JS calls it `ckSession`.
    guard let userToken = item("ckWebAuthToken", "ckSession") else { return .anonymous }
    guard let user = user(of: userToken, in: container, address), try container.hasUser(user) else {
      throw WebError(
        .authenticationFailed, "the ckWebAuthToken is not that of a user of the container")
    }
    return .user(user)
  }

  /// Returns a new token of a user. The user's earlier tokens stay valid, as on the server
  /// (MistKit, `what-cloudkit-got-wrong`).
  func token(of user: String, _ address: ContainerAddress) throws -> String {
    try signer.token(.user(user, of: address, number: .random(in: .min ... .max)))
  }

  private func user(
    of token: String, in container: WebContainer, _ address: ContainerAddress
  ) -> String? {
    if case .user(let name, of: address, number: _)? = signer.ticket(of: token) { return name }
    let tokens = container.access.userTokens
    return tokens.isEmpty ? token : tokens[token]
  }
}

/// A container as someone sees it.
protocol SenderContainer: CloudContainer where Database == MockDatabase {}

extension MockContainer: SenderContainer {}
extension MockAccount: SenderContainer {}
extension MockDevice: SenderContainer {}

extension WebContainer {
  /// Returns the container as the sender of a request sees it.
  ///
  /// - Parameter device: the name of the sender's device; nil for none.
  func container(of sender: RequestSender, device: String? = nil) throws -> any SenderContainer {
    switch sender {
    case .anonymous:
      let device = container.device("web services: nobody")
      device.signOut()
      return device
    case .server: return container
    case .user(let name):
      let current = try container.store.info().signedInUserRecordName
      if name == ZoneID.currentUserOwnerName || name == current {
        return device.map(container.device) ?? container
      }
      let account = try container.account(name)
      return device.map(account.device) ?? account
    }
  }

  /// Returns the record name under which the sender may own zones of a database; nil for none.
  func ownName(of sender: RequestSender, in scope: DatabaseScope) throws -> String? {
    guard case .user(let name) = sender, scope != .shared else { return nil }
    return name == ZoneID.currentUserOwnerName
      ? try container.store.info().signedInUserRecordName : name
  }

  /// Whether the container has a user.
  func hasUser(_ name: String) throws -> Bool {
    let info = try container.store.info()
    return name == ZoneID.currentUserOwnerName || name == info.signedInUserRecordName
      || info.accounts.contains { $0.userRecordName == name }
  }
}
