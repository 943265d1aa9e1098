import RecordModel
import RecordPlatform

/// The asset references in a record's canonical JSON.
///
/// They determine which assets a store keeps and a bundle contains.
package enum AssetReferences {
  private static let member = Array("\"sha256\":\"".utf8)

  /// Calls `body` with the digest of each member `sha256` of canonical JSON: 64 lower-case
  /// hexadecimal digits, the only form in which a digest is written.
  ///
  /// The search is by bytes: a quote inside a string is escaped, so a match is the name of a member,
  /// or the end of one where its first quote is escaped. It also finds such members in objects that
  /// are not assets; this can only retain content that is not needed.
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

  /// Returns the end of the next `"sha256":"`.
  private static func end(ofMemberAfter start: Int, in payload: UnsafeRawBufferPointer) -> Int? {
    let length = member.count
    var end = start + length
    return skips.withUnsafeBufferPointer { skips in
      while end <= payload.count {
        let skip = skips[Int(payload[end &- 1])]
        // Many quotes are looked at, and few of them follow a colon.
        if skip == 0, payload[end &- 2] == UInt8(ascii: ":"),
          payload[end - length..<end].elementsEqual(member),
          end == length || payload[end - length - 1] != UInt8(ascii: "\\")
        {
          return end
        }
        end &+= max(1, Int(skip))
      }
      return nil
    }
  }

  /// For each byte, how far the search advances if this byte is in the last place (Horspool's
  /// algorithm).
  private static let skips: [UInt8] = {
    var skips = [UInt8](repeating: UInt8(member.count), count: 256)
    for (index, byte) in member.enumerated() { skips[Int(byte)] = UInt8(member.count - 1 - index) }
    return skips
  }()
}

extension ResultRecord {
  /// The digests of the assets the record refers to, including those in values of unknown types
  /// (see ``AssetReferences``).
  ///
  /// Only fields that may contain assets are decoded.
  package var assetDigests: [String] {
    var digests: [String] = []
    for index in 0..<storage.fieldCount {
      switch storage.valueType(at: index) {
      case .asset, .assetList, nil: break
      default: continue
      }
      switch storage.field(at: index).value {
      case .asset(let asset): if let sha256 = asset.sha256 { digests.append(sha256) }
      case .assetList(let assets): digests += assets.compactMap(\.sha256)
      case .unknown(_, let json):
        var text = json.text
        text.withUTF8 {
          AssetReferences.forEach(in: UnsafeRawBufferPointer($0)) {
            digests.append($0.description)
          }
        }
      default: break
      }
    }
    return digests
  }
}
