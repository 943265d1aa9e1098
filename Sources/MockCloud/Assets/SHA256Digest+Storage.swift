import Foundation
import RecordPlatform

extension SHA256Digest {
  /// - Throws: ``MockContainerError/damaged(detail:)`` for what is no digest.
  init(stored: UnsafeRawBufferPointer) throws {
    guard let digest = SHA256Digest(bytes: stored) else {
      throw MockContainerError.damaged(detail: "an asset has a digest of \(stored.count) bytes")
    }
    self = digest
  }

  /// - Throws: ``MockContainerError/invalidDigest(_:)`` for anything but 64 lower-case digits.
  init(hex: String) throws {
    guard let digest = SHA256Digest(hexadecimal: hex) else {
      throw MockContainerError.invalidDigest(hex)
    }
    self = digest
  }

  /// The 32 bytes, as they stand in a column.
  var data: Data { withBytes { Data($0) } }
}
