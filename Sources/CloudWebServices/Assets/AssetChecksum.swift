import Foundation
import RecordPlatform

/// The checksums of assets. The server's are opaque to clients; these are of the SHA-256 digest.
enum AssetChecksum {
  static func text(ofSHA256 sha256: String) -> String {
    (Data([1]) + bytes(sha256)).base64EncodedString()
  }

  static func next(_ sha256: String) -> String {
    Data(sha256.utf8).withUnsafeBytes { "\(SHA256Digest(of: $0))" }
  }

  /// A key that encrypts nothing: contents lie in the container as they are.
  static func key(_ sha256: String) -> String {
    bytes(next(next(sha256))).prefix(16).base64EncodedString()
  }

  private static func bytes(_ sha256: String) -> Data {
    SHA256Digest(hexadecimal: sha256)?.withBytes { Data($0) } ?? Data()
  }
}
