/// Finds out who sent a request, by its tokens or its signature.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Composing Web Service Requests".
struct Authentication: Sendable {
  let signer: TokenSigner
  let signatures: ServerSignatures

  /// - Throws: ``WebError``: `AUTHENTICATION_FAILED` for a request without an API token, and for
  ///   wrong tokens and signatures.
  func caller(of request: WebRequest, to container: WebContainer, _ place: WebPlace) throws
    -> WebCaller
  {
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
    guard let user = try user(of: userToken, in: container, place) else {
      throw WebError(
        .authenticationFailed, "the ckWebAuthToken is not that of a user of the container")
    }
    return .user(user)
  }

  /// Returns a new token of a user. Those that the user had before stay valid, as on the server
  /// (MistKit, `what-cloudkit-got-wrong`).
  func token(of user: String, _ place: WebPlace) -> String {
    let number = UInt64.random(in: .min ... .max)
    return signer.token(.user, [user] + place.words + [String(number, radix: 36)])
  }

  private func user(
    of token: String, in container: WebContainer, _ place: WebPlace
  ) throws -> String? {
    if let words = signer.words(.user, of: token), words.count == place.words.count + 2,
      Array(words[1..<words.count - 1]) == place.words
    {
      return try container.hasUser(words[0]) ? words[0] : nil
    }
    let tokens = container.access.userTokens
    let name = tokens.isEmpty ? token : tokens[token]
    guard let name, try container.hasUser(name) else { return nil }
    return name
  }
}
