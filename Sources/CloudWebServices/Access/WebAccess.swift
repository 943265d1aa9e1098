import RecordPlatform

import struct Foundation.URL

/// The tokens and keys of those who may send requests to a served container.
public struct WebAccess: Sendable {
  /// The API tokens (`ckAPIToken`); if there are none, every token is one.
  public var apiTokens: Set<String> = []
  /// The record names of users by their web auth tokens (`ckWebAuthToken`). If there are none, the
  /// record name of a user of the container is the token of that user. `__defaultOwner__` stands for
  /// the signed-in user.
  public var userTokens: [String: String] = [:]
  /// The keys of servers by their identifiers.
  public var serverKeys: [String: WebServerKey] = [:]

  /// Where the sign-in page sends the browser with the token, as `ckWebAuthToken` and `ckSession` in the
  /// query; nil for a message to the page that has opened it. An API token has either set in CloudKit
  /// Console.
  public var signInCallback: URL?

  /// Creates the access that a server on one's own machine needs: any API token, and the record names
  /// of users as their tokens.
  public init() {}
}

/// The public key by which requests of another server are checked.
public struct WebServerKey: Sendable, Hashable {
  let key: P256PublicKey

  /// Reads a key in PEM, as `openssl ec -pubout` writes it.
  ///
  /// - Returns: nil for text that is not a public key of the curve P-256 (`prime256v1`).
  public init?(pem: String) {
    guard let key = P256PublicKey(pem: pem) else { return nil }
    self.key = key
  }
}
