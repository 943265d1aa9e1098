import RecordPlatform

/// An asset whose chunks are being added.
struct IncomingAsset {
  let id: Int64
  let digest: SHA256Digest
  let size: Int64
  /// Whether the content is already stored, so that the chunks are only counted.
  let isKnown: Bool
  var received: Int64 = 0
  var chunks: Int64 = 0
  var hash = SHA256()
  var pending: [UInt8] = []
}
