import Foundation
import RecordPlatform

/// The secret on which all pseudonyms depend.
///
/// With the same key, a name gets the same pseudonym in every bundle. The name cannot be computed
/// from the pseudonym without the key.
public struct AnonymisationKey: Sendable {
  /// The smallest number of bytes of a key.
  public static let minimumSize = 16
  /// The largest number of bytes of a key.
  public static let maximumSize = 4096

  private let bytes: [UInt8]

  /// Creates a key of secret bytes, such as 32 random ones.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` for less than ``minimumSize`` bytes.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count >= Self.minimumSize else {
      throw AnonymisationError.key(
        "the key has \(bytes.count) bytes, and needs at least \(Self.minimumSize)")
    }
    guard bytes.count <= Self.maximumSize else {
      throw AnonymisationError.key(
        "the key has more than \(Self.maximumSize) bytes; it is probably another file")
    }
    self.bytes = Array(bytes)
  }

  /// Creates a key of the UTF-8 bytes of a text. White space at its end does not count.
  public init(_ text: String) throws {
    try self.init(Self.trimmed(Array(text.utf8)))
  }

  /// Reads a key from a file. White space at its end does not count.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` if the file cannot be read, or is no key.
  public init(contentsOf url: URL) throws {
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.maximumSize + 2) ?? Data()
    } catch {
      let reason = String(cString: strerror(errno))
      throw AnonymisationError.key("the key cannot be read: \(reason)")
    }
    try self.init(Self.trimmed(Array(data)))
  }

  /// The same secret in a file and in the environment, where no line feed follows it, is one key.
  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<((bytes.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? -1) + 1)])
  }

  /// Returns the keyed hash for a purpose; those of different purposes are independent.
  func hash(for purpose: String) -> SipHash {
    let label = Array("recordpack-anonymise-1:\(purpose)".utf8)
    let digest = label.withUnsafeBytes { label in
      bytes.withUnsafeBytes { SHA256.authenticate(label, key: $0) }
    }
    return digest.withBytes {
      SipHash(
        low: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)),
        high: UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

extension AnonymisationKey: CustomStringConvertible, CustomReflectable {
  /// Does not show the key.
  public var description: String { "AnonymisationKey" }
  /// Does not show the key.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
