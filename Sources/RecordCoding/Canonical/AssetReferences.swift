import RecordPlatform

/// The assets that a record's canonical JSON refers to: the one rule for what a store must keep, and
/// what a bundle must hold.
package enum AssetReferences {
  private static let member = Array("\"sha256\":\"".utf8)

  /// Calls `body` with each digest that canonical JSON names in a member `sha256`: 64 lower-case
  /// hexadecimal digits, the only form a digest is written in.
  ///
  /// The search goes by bytes alone: a quote within a text is escaped, so that the sought bytes are
  /// a member's name, or the end of one where their first quote is escaped. A member of that name in
  /// an object that is no asset is found too; it can only keep content alive that would else be
  /// freed.
  package static func forEach(
    in payload: UnsafeRawBufferPointer, _ body: (SHA256Digest) throws -> Void
  ) rethrows {
    var position = 0
    while let start = end(ofMemberAfter: position, in: payload) {
      position = start
      guard payload.count - start > 64, payload[start + 64] == UInt8(ascii: "\"") else { continue }
      let text = UnsafeRawBufferPointer(rebasing: payload[start..<start + 64])
      if let digest = SHA256Digest(hexadecimal: text) { try body(digest) }
    }
  }

  /// Where the next `"sha256":"` ends.
  private static func end(ofMemberAfter start: Int, in payload: UnsafeRawBufferPointer) -> Int? {
    let length = member.count
    var end = start + length
    return skips.withUnsafeBufferPointer { skips in
      while end <= payload.count {
        let skip = skips[Int(payload[end &- 1])]
        if skip == 0 && payload[end - length..<end].elementsEqual(member),
          end == length || payload[end - length - 1] != UInt8(ascii: "\\")
        {
          return end
        }
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
