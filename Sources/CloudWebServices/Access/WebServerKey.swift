import RecordPlatform

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
