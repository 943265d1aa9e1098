import Foundation
import RecordPlatform

/// The secret on which all pseudonyms depend.
///
/// With the same key, a name gets the same pseudonym in every bundle. The name cannot be computed
/// from the pseudonym without the key.
public struct AnonymisationKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The number of secret bytes of a key.
  public static let size = 32
  /// A key has at least this number of different bytes. 32 random bytes have more.
  static let minimumVariety = 16
  /// A text that is longer is another file.
  private static let maximumLength = 4096

  private let bytes: [UInt8]

  /// Creates a key of 32 secret bytes.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` for fewer bytes than ``size``, or bytes that are not random.
  public init(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count >= Self.size else {
      throw AnonymisationError.key("the key has \(bytes.count) bytes, and needs \(Self.size)")
    }
    let variety = Set(bytes).count
    guard variety >= Self.minimumVariety else {
      throw AnonymisationError.key(
        "the key is not random: it has only \(variety) different bytes")
    }
    self.bytes = Array(bytes)
  }

  /// Creates a key of the Base64 or hexadecimal digits of 32 random bytes. White space at its end does not count.
  ///
  /// A word, a sentence or another file can be guessed, and is rejected.
  ///
  /// - Throws: ``AnonymisationError/key(_:)``.
  public init(_ text: String) throws {
    let digits = String(
      text.utf8.reversed().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.reversed()
        .map { Character(Unicode.Scalar($0)) })
    guard text.utf8.count <= Self.maximumLength, let secret = Self.secret(digits) else {
      throw AnonymisationError.key(
        "this is not a key, which is \(Self.size) random bytes in Base64")
    }
    _ = try AnonymisationKey(secret)
    // The digits, as in earlier versions, so that keys keep their pseudonyms.
    bytes = Array(digits.utf8)
  }

  /// The bytes of Base64 or hexadecimal digits; nil for another text.
  private static func secret(_ text: String) -> Data? {
    if text.utf8.count >= 2 * size, text.utf8.count % 2 == 0, text.allSatisfy(\.isHexDigit) {
      let digits = text.compactMap(\.hexDigitValue)
      return Data(
        stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
    // A word of letters is Base64, too; random digits have all kinds.
    let kinds: [(Character) -> Bool] = [\.isUppercase, \.isLowercase, \.isNumber]
    guard kinds.allSatisfy({ text.contains(where: $0) }) else { return nil }
    // Letters of words are of one kind, one behind the other; of random digits, a third of the pairs are.
    let pairs = zip(text, text.dropFirst())
    let equal = pairs.count { pair in kinds.contains { $0(pair.0) && $0(pair.1) } }
    guard 100 * equal <= 65 * (text.count - 1) else { return nil }
    return Data(base64Encoded: text)
      ?? Data(
        base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/")
          + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
  }

  /// Reads a key from a file. White space at its end does not count.
  ///
  /// - Throws: ``AnonymisationError/key(_:)`` if the file cannot be read, or is not a key.
  public init(contentsOf url: URL) throws {
    let data: Data
    do {
      let handle = try FileHandle(forReadingFrom: url)
      defer { try? handle.close() }
      data = try handle.read(upToCount: Self.maximumLength + 1) ?? Data()
    } catch {
      let reason = String(cString: strerror(errno))
      throw AnonymisationError.key("the key cannot be read: \(reason)")
    }
    try self.init(String(decoding: data, as: UTF8.self))
  }

  /// Returns the text of a new key: 32 random bytes of the system in Base64.
  public static func random() -> String {
    var random = SystemRandomNumberGenerator()
    while true {
      let text = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
        .base64EncodedString()
      // One in a hundred thousand looks like words.
      if (try? AnonymisationKey(text)) != nil { return text }
    }
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
