import Foundation
import RecordModel
import RecordPlatform

/// Makes the names of records for objects that CloudKit has no name for: UUIDs that follow from the
/// store's identity and the row, so that they are the same each time.
///
/// The UUIDs are of version 8 (RFC 9562, for custom uses). The first eight bytes are a digest of the
/// store's UUID and the root entity. The others are the row's key: names sort as rows do. A row gets its
/// key back when the same store is filled.
struct RecordNames {
  let store: String
  /// The greatest key that fits a name.
  static let maxKey = Int64(1) << 62 - 1

  private func digest(_ text: String) -> SIMD4<UInt64> {
    var text = store + "/" + text
    return text.withUTF8 { SHA256Digest(of: UnsafeRawBufferPointer($0)).words }
  }

  private static func versioned(_ word: UInt64) -> UInt64 {
    word & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
  }

  /// Returns the beginning of the names of an entity's objects.
  ///
  /// - Parameter entity: The name of the entity without a parent.
  func prefix(of entity: String) -> UInt64 { Self.versioned(digest(entity)[0]) }

  /// Returns the name of an object.
  ///
  /// - Parameter key: The row's key, from 0 to ``maxKey``.
  static func name(_ prefix: UInt64, _ key: Int64) -> CompactName {
    .upperUUID(prefix, UInt64(key) | 1 << 63)
  }

  /// Returns the key in a name that was made with a prefix; nil for any other name.
  static func key(in name: CompactName, _ prefix: UInt64) -> Int64? {
    guard case .upperUUID(prefix, let low) = name, low >> 62 == 2 else { return nil }
    return Int64(low & ~(1 << 63))
  }

  /// Returns the name of the link of two objects.
  func link(_ table: String, _ first: Int64, _ second: Int64) -> CompactName {
    let words = digest("\(table)/\(first)/\(second)")
    return .upperUUID(Self.versioned(words[0]), words[1] & ~(3 << 62) | 1 << 63)
  }
}
