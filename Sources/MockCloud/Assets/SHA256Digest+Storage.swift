import Foundation
import RecordPlatform

extension SHA256Digest {
  /// Creates a digest from a column.
  /// - Throws: ``MockContainerError/damaged(detail:)`` if it does not have 32 bytes.
  init(stored: UnsafeRawBufferPointer) throws {
    guard let digest = SHA256Digest(bytes: stored) else {
      throw MockContainerError.damaged(detail: "an asset has a digest of \(stored.count) bytes")
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits.
  /// - Throws: ``MockContainerError/invalidDigest(_:)`` for anything else.
  init(hex: String) throws {
    guard let digest = SHA256Digest(anyCase: hex) else {
      throw MockContainerError.invalidDigest(hex)
    }
    self = digest
  }

  /// Parses 64 hexadecimal digits of any case.
  init?(anyCase text: String) {
    var text = text
    guard let digest = text.withUTF8({ Self(anyCase: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = digest
  }

  init?(anyCase text: UnsafeRawBufferPointer) {
    if let digest = Self(hexadecimal: text) {
      self = digest
      return
    }
    let lower = text.prefix(2 * Self.byteCount + 1).map {
      UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0 ? $0 | 0x20 : $0
    }
    guard let digest = lower.withUnsafeBytes({ Self(hexadecimal: $0) }) else { return nil }
    self = digest
  }

  /// The 32 bytes for a column.
  var data: Data { withBytes { Data($0) } }
}
