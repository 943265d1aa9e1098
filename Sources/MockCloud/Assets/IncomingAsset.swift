import RecordPlatform

/// An asset whose pieces are coming in, one after the other.
struct IncomingAsset {
  let id: Int64
  let digest: SHA256Digest
  let size: Int64
  /// Whether the content is stored already, so that the pieces are only counted.
  let isKnown: Bool
  var received: Int64 = 0
  var chunks: Int64 = 0
  var hash = SHA256()
  var pending: [UInt8] = []
}
