import Crypto
import RecordModel

/// SHA-256 of an asset's content: 32 bytes in a column, 64 hexadecimal digits in JSON.
struct AssetDigest: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ digest: SHA256.Digest) { bytes = Array(digest) }

  /// - Throws: ``MockContainerError/damaged(detail:)`` for what is no digest.
  init(stored: UnsafeRawBufferPointer) throws {
    guard stored.count == SHA256.byteCount else {
      throw MockContainerError.damaged(detail: "an asset has a digest of \(stored.count) bytes")
    }
    bytes = Array(stored)
  }

  /// - Throws: ``MockContainerError/invalidDigest(_:)`` for anything but 64 lower-case digits.
  init(hex: String) throws {
    var hex = hex
    let parsed = hex.withUTF8 { AssetDigest(hex: UnsafeRawBufferPointer($0)) }
    guard let parsed else { throw MockContainerError.invalidDigest(hex) }
    self = parsed
  }

  init?(hex: UnsafeRawBufferPointer) {
    guard hex.count == 64 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(hex[index]), let low = Self.value(hex[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  var hex: String {
    String(unsafeUninitializedCapacity: 64) { text in
      for (index, byte) in bytes.enumerated() {
        text[2 * index] = Self.digit(byte >> 4)
        text[2 * index + 1] = Self.digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit &- 0x30
    case 0x61...0x66: digit &- 0x57
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}

extension AssetDigest {
  private static let member = Array("\"sha256\":\"".utf8)

  /// Calls `body` with each digest that canonical JSON names in a member `sha256`.
  ///
  /// The search goes by bytes alone: a quote within a text is escaped, so the sought bytes are
  /// always a member's name. A member of that name in an object that is no asset is found too; it
  /// can only keep content alive that would else be freed.
  static func forEach(
    in payload: UnsafeRawBufferPointer, _ body: (AssetDigest) throws -> Void
  ) rethrows {
    var position = 0
    while let start = end(ofMemberAfter: position, in: payload) {
      position = start
      guard payload.count - start > 64, payload[start + 64] == UInt8(ascii: "\"") else { continue }
      let text = UnsafeRawBufferPointer(rebasing: payload[start..<start + 64])
      if let digest = AssetDigest(hex: text) { try body(digest) }
    }
  }

  /// Where the next `"sha256":"` ends.
  private static func end(ofMemberAfter start: Int, in payload: UnsafeRawBufferPointer) -> Int? {
    let length = member.count
    var end = start + length
    return skips.withUnsafeBufferPointer { skips in
      while end <= payload.count {
        let skip = skips[Int(payload[end &- 1])]
        if skip == 0 && payload[end - length..<end].elementsEqual(member) { return end }
        end &+= max(1, Int(skip))
      }
      return nil
    }
  }

  /// How far the sought bytes may be moved on, by the byte that stands where their last should be
  /// (Horspool's search).
  private static let skips: [UInt8] = {
    var skips = [UInt8](repeating: UInt8(member.count), count: 256)
    for (index, byte) in member.enumerated() { skips[Int(byte)] = UInt8(member.count - 1 - index) }
    return skips
  }()
}
