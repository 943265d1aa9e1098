import Foundation
import RecordPlatform

extension SHA256Digest {
  /// Creates a digest from a column.
  /// - Throws: ``ContainerStoreError/damaged(detail:)`` if it does not have 32 bytes.
  init(stored: UnsafeRawBufferPointer) throws {
    guard let digest = SHA256Digest(bytes: stored) else {
      throw ContainerStoreError.damaged(detail: "an asset has a digest of \(stored.count) bytes")
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits.
  /// - Throws: ``ContainerStoreError/invalidDigest(_:)`` for anything else.
  init(hex: String) throws {
    guard let digest = SHA256Digest(anyCase: hex) else {
      throw ContainerStoreError.invalidDigest(hex)
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits of any case.
  init?(anyCase text: String) { self.init(hexadecimal: text.lowercased()) }

  /// The 32 bytes for a column.
  var data: Data { withBytes { Data($0) } }
}
