import RecordModel
import RecordPlatform

/// An intact frame of a damaged file.
struct RecoveryFrame {
  let offset: UInt64
  let compressedSize: Int
  /// SHA-256 of the compressed frame.
  let digest: SHA256Digest
  let lines: Int
  /// Whether one of the lines is an index.
  let hasIndex: Bool
  /// The sort key of the first line that is not a zone; without any, that of the previous frame.
  let sortKey: [UInt8]

  /// Returns the location for a decoder, which checks the digest again.
  func location(index: Int) -> FrameLocation {
    FrameLocation(
      index: index, offset: offset, compressedSize: compressedSize, digest: digest)
  }
}

extension BundleItem {
  /// Bytes that compare as the lines do in a bundle. Only the first 256 bytes of each name count.
  var sortKey: [UInt8] {
    let key = key
    var bytes = [UInt8(key.kind.rank)]
    if let database = key.database { bytes.append(UInt8(database.rank)) }
    for name in [key.zoneID?.ownerName, key.zoneID?.zoneName, key.recordType, name] {
      guard let name else { continue }
      // The terminator precedes every byte of a longer name.
      for byte in name.utf8.prefix(256) { bytes += byte == 0 ? [0, 1] : [byte] }
      bytes += [0, 0]
    }
    if case .asset(let chunk) = self {
      withUnsafeBytes(of: UInt64(chunk.offset).bigEndian) { bytes += $0 }
    }
    return bytes
  }
}
