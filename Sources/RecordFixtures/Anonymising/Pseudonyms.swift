import Foundation
import RecordModel
import RecordPlatform
import RecordSchema

/// Everything that depends on the key: the names that replace names, and the seeds of made-up values.
///
/// All of it is HMAC-SHA-256 under keys of its own for each purpose. A pseudonym depends on the name
/// alone, so parts of a container that are anonymised apart fit together.
struct Pseudonyms: Sendable {
  /// The kind of thing that a name is for. Each kind has names that CloudKit gives, which mean the same in every
  /// container and stay.
  enum Kind: Sendable {
    case record, user, zone, owner, other

    fileprivate var reserved: [String] {
      switch self {
      case .record: [Share.zoneWideRecordName, ZoneID.currentUserOwnerName]
      case .user, .owner: [ZoneID.currentUserOwnerName]
      case .zone: [ZoneID.defaultZoneName, CoreDataNames.zoneName]
      case .other: []
      }
    }
  }

  /// The pseudonym of a record, and the seed of its made-up values.
  struct Place {
    var name: CompactName
    var seed: UInt64
    /// The number of the name among the shapes of references.
    var node: UInt64
    /// Whether the policy keeps the name.
    var isKept: Bool
  }

  private let names: HMACSHA256
  private let tags: HMACSHA256
  private let values: HMACSHA256
  /// The names that stay, beside those that CloudKit gives.
  private let kept: [NamePattern]
  /// The bits of a name's digits that are used: all, except in tests of collisions.
  var mask: UInt64 = .max

  init(_ key: AnonymisationKey, keeping kept: [NamePattern] = []) {
    names = key.hash(for: "names")
    tags = key.hash(for: "tags")
    values = key.hash(for: "values")
    self.kept = kept
  }

  // MARK: Names

  /// Returns the pseudonym of a name; the name itself if it is kept.
  ///
  /// A user, `_` and 32 hexadecimal digits, becomes another user; all else is a UUID, whatever it was.
  func name(_ name: String, _ kind: Kind) -> String { place(CompactName(name), kind).name.string }

  func place(_ name: CompactName, _ kind: Kind) -> Place {
    let words = name.withUTF8 { names.authenticate($0) }.words
    let isKept = !kept.isEmpty && keepsByPolicy(name.string)
    let stays = isKept || isReserved(name, kind)
    return Place(
      name: stays ? name : pseudonym(of: name, words[0] & mask, words[1] & mask),
      seed: words[2], node: words[3], isKept: isKept)
  }

  private func pseudonym(of name: CompactName, _ high: UInt64, _ low: UInt64) -> CompactName {
    if case .user = name { return .user(high, low) }
    // The version and the variant of random UUIDs (RFC 9562).
    return .upperUUID(
      high & ~0xF000 | 0x4000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// Whether CloudKit gives a name.
  private func isReserved(_ name: CompactName, _ kind: Kind) -> Bool {
    if case .text(let text) = name { kind.reserved.contains(text.string) } else { false }
  }

  /// Whether the policy keeps a name.
  private func keepsByPolicy(_ name: String) -> Bool { kept.contains { $0.matches(name) } }

  /// Returns the change tag that replaces the tag of a record or deletion.
  func changeTag(_ tag: String, of recordID: RecordID) -> String {
    var text = tag
    let words = text.withUTF8 { tag in
      recordID.withUTF8RecordName { tags.authenticate($0, UnsafeRawBufferPointer(tag)) }
    }.words
    // Numbers in base 36, as change tags are; tokens of JavaScript can hold them.
    return String(words[0] >> 12, radix: 36)
  }

  // MARK: Seeds

  /// Returns the seed of what replaces a value wherever it occurs.
  ///
  /// - Parameter purpose: The kind of the value, so that equal values of different kinds have
  ///   nothing in common.
  func seed(_ purpose: StaticString, of value: UnsafeRawBufferPointer) -> UInt64 {
    purpose.withUTF8Buffer { values.authenticate(UnsafeRawBufferPointer($0), value) }.words[0]
  }

  func seed(_ purpose: StaticString, of value: String) -> UInt64 {
    var value = value
    return value.withUTF8 { seed(purpose, of: UnsafeRawBufferPointer($0)) }
  }
}

/// The secret on which all pseudonyms depend.
///
/// With the same key, a name gets the same pseudonym in every bundle. The name cannot be computed
/// from the pseudonym without the key.
public struct AnonymisationKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The smallest number of bytes of a key.
  public static let minimumSize = 16
  /// The largest number of bytes of a key.
  public static let maximumSize = 4096
  /// A key has at least this number of different bytes. Of 16 random bytes, hardly two are equal.
  static let minimumVariety = 8

  private let bytes: [UInt8]

  /// Creates a key of secret bytes, such as 32 random ones.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` for less than ``minimumSize`` bytes, or for bytes that
  ///   are all the same, or few different ones.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count >= Self.minimumSize else {
      throw AnonymisationError.key(
        "the key has \(bytes.count) bytes, and needs at least \(Self.minimumSize)")
    }
    guard bytes.count <= Self.maximumSize else {
      throw AnonymisationError.key(
        "the key has more than \(Self.maximumSize) bytes; it is probably another file")
    }
    guard Set(bytes).count >= Self.minimumVariety else {
      throw AnonymisationError.key(
        "the key is not random: it has only \(Set(bytes).count) different bytes")
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

  /// Returns the keyed hash for a purpose; the hashes of different purposes are independent.
  func hash(for purpose: String) -> HMACSHA256 {
    let label = Array("recordpack-anonymise-1:\(purpose)".utf8)
    let master = bytes.withUnsafeBytes { HMACSHA256(key: $0) }
    return label.withUnsafeBytes { master.authenticate($0) }.withBytes { HMACSHA256(key: $0) }
  }

  /// Does not show the key.
  public var description: String { "AnonymisationKey" }
  /// Does not show the key.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
