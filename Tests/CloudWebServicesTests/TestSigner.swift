import CloudWebServices
import Foundation
import RecordPlatform
import Testing

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A server that signs its requests.
final class TestSigner {
  static let keyID = "key-1"

  #if canImport(CryptoKit)
    private let key = P256.Signing.PrivateKey()
    private var point: Data { key.publicKey.x963Representation }

    private func signature(of message: Data) throws -> Data {
      try key.signature(for: message).derRepresentation
    }
  #else
    private let key: OpaquePointer

    init() {
      key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)
      EC_KEY_generate_key(key)
    }

    deinit { EC_KEY_free(key) }

    private var point: Data {
      var point = Data(count: 65)
      point.withUnsafeMutableBytes { bytes in
        _ = EC_POINT_point2oct(
          EC_KEY_get0_group(key), EC_KEY_get0_public_key(key), POINT_CONVERSION_UNCOMPRESSED,
          bytes.baseAddress, bytes.count, nil)
      }
      return point
    }

    private func signature(of message: Data) throws -> Data {
      let digest = message.withUnsafeBytes { RecordPlatform.SHA256Digest(of: $0) }
      let signature = digest.withBytes { ECDSA_do_sign($0.baseAddress, Int32($0.count), key) }
      defer { ECDSA_SIG_free(signature) }
      var bytes: UnsafeMutablePointer<UInt8>?
      let count = i2d_ECDSA_SIG(signature, &bytes)
      defer { CRYPTO_free(bytes, nil, 0) }
      return Data(bytes: try #require(bytes), count: Int(count))
    }
  #endif

  /// The public key, as `openssl ec -pubout` writes it.
  var pem: String {
    let header = Data([
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ])
    let lines = (header + point).base64EncodedString(options: .lineLength64Characters)
    return "-----BEGIN PUBLIC KEY-----\n\(lines)\n-----END PUBLIC KEY-----\n"
  }

  /// Returns a signed request.
  ///
  /// - Parameters:
  ///   - path: the path that is signed.
  ///   - target: the path and query of the request; nil for the signed path.
  ///   - signed: the body that is signed; nil for that of the request.
  ///   - digestsNothing: whether an empty body has a digest.
  func request(
    _ path: String, _ body: String, target: String? = nil, at date: Date = WebClient.now,
    date text: String? = nil, signing signed: String? = nil, digestsNothing: Bool = false
  ) throws -> WebRequest {
    let text = text ?? date.formatted(.iso8601)
    var digest = ""
    if !body.isEmpty || digestsNothing {
      let hash = Data((signed ?? body).utf8).withUnsafeBytes { RecordPlatform.SHA256Digest(of: $0) }
      digest = hash.withBytes { Data($0).base64EncodedString() }
    }
    let signature = try signature(of: Data("\(text):\(digest):\(path)".utf8))
    return WebRequestBox(
      target ?? path, body,
      headers: [
        "X-Apple-CloudKit-Request-KeyID": Self.keyID,
        "X-Apple-CloudKit-Request-ISO8601Date": text,
        "X-Apple-CloudKit-Request-SignatureV1": signature.base64EncodedString(),
      ]
    ).request
  }
}
