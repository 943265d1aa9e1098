import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A public key of the elliptic curve P-256, with the system's implementation: CryptoKit, or
/// OpenSSL's libcrypto.
package struct P256PublicKey: Sendable, Hashable {
  /// The uncompressed point: 0x04 and two coordinates of 32 bytes.
  private let point: Data

  /// Reads a key in PEM, as `openssl ec -pubout` writes it; nil for anything else, and for a point
  /// that is not on the curve.
  package init?(pem: String) {
    let lines = pem.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard lines.first == "-----BEGIN PUBLIC KEY-----", lines.last == "-----END PUBLIC KEY-----",
      let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()),
      der.count == Self.header.count + 65, der.starts(with: Self.header)
    else { return nil }
    point = Data(der.suffix(65))
    guard point.first == 0x04, isOnCurve else { return nil }
  }

  /// The SubjectPublicKeyInfo of an uncompressed point, up to the point (RFC 5480).
  private static let header: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
  ]

  /// Checks an ECDSA signature of the SHA-256 digest of a message.
  ///
  /// - Parameter signature: the signature in DER.
  /// - Returns: whether the signature is valid.
  package func verify(_ signature: Data, of message: Data) -> Bool {
    #if canImport(CryptoKit)
      guard let key = try? P256.Signing.PublicKey(x963Representation: point),
        let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
      else { return false }
      return key.isValidSignature(signature, for: message)
    #else
      guard let key = makeKey() else { return false }
      defer { EC_KEY_free(key) }
      guard let parsed = Self.parse(signature) else { return false }
      defer { ECDSA_SIG_free(parsed) }
      let digest = message.withUnsafeBytes { SHA256Digest(of: $0) }
      return digest.withBytes {
        ECDSA_do_verify($0.baseAddress, Int32($0.count), parsed, key) == 1
      }
    #endif
  }

  private var isOnCurve: Bool {
    #if canImport(CryptoKit)
      return (try? P256.Signing.PublicKey(x963Representation: point)) != nil
    #else
      guard let key = makeKey() else { return false }
      EC_KEY_free(key)
      return true
    #endif
  }

  #if !canImport(CryptoKit)
    /// Returns the key for OpenSSL, which the caller frees; nil for a point that is not on the curve.
    private func makeKey() -> OpaquePointer? {
      guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
      let result = point.withUnsafeBytes { bytes in
        EC_KEY_oct2key(key, bytes.baseAddress, bytes.count, nil)
      }
      guard result == 1 else {
        EC_KEY_free(key)
        return nil
      }
      return key
    }

    /// Returns a signature, which the caller frees; nil for bytes that are not all of one.
    private static func parse(_ signature: Data) -> OpaquePointer? {
      signature.withUnsafeBytes { bytes in
        var next = bytes.bindMemory(to: UInt8.self).baseAddress
        let end = next.map { $0 + bytes.count }
        guard let parsed = d2i_ECDSA_SIG(nil, &next, bytes.count) else { return nil }
        guard next == end else {
          ECDSA_SIG_free(parsed)
          return nil
        }
        return parsed
      }
    }
  #endif
}
