import RecordPlatform

extension AssetWriter {
  /// Adds the next chunk of an asset; the chunks of one asset come in order, from byte 0 on.
  func add(
    _ chunk: UnsafeRawBufferPointer, at offset: Int64, of digest: SHA256Digest, size: Int64
  ) throws {
    if incoming?.digest != digest || offset == 0 {
      try finishIncoming()
      incoming = try begin(digest, size: size)
    }
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == offset, asset.size == size else {
      throw ContainerStoreError.assetOffset(
        sha256: digest.description, expected: asset.received, found: offset)
    }
    asset.received += Int64(chunk.count)
    guard asset.received <= size else {
      throw ContainerStoreError.assetIncomplete(
        sha256: digest.description, stored: asset.received, size: size)
    }
    if !asset.isKnown {
      asset.hash.update(chunk)
      try append(chunk, to: &asset)
    }
    incoming = asset
  }

  /// Ends the incoming asset: it must be complete and match its digest.
  func finishIncoming() throws {
    guard var asset = incoming else { return }
    incoming = nil
    guard asset.received == asset.size else {
      throw ContainerStoreError.assetIncomplete(
        sha256: asset.digest.description, stored: asset.received, size: asset.size)
    }
    guard !asset.isKnown else { return }
    let found = asset.hash.finalize()
    guard found == asset.digest else {
      throw ContainerStoreError.assetDigest(
        expected: asset.digest.description, found: found.description)
    }
    if !asset.pending.isEmpty { try flush(&asset) }
    try setSize(asset.size, of: asset.id)
  }

  private func begin(_ digest: SHA256Digest, size: Int64) throws -> IncomingAsset {
    let row = try row(of: digest)
    noteUnused(row.id)
    return IncomingAsset(id: row.id, digest: digest, size: size, isKnown: row.size != nil)
  }

  /// Splits chunks of any size into stored chunks of ``chunkSize``.
  private func append(_ chunk: UnsafeRawBufferPointer, to asset: inout IncomingAsset) throws {
    if asset.pending.isEmpty && chunk.count == Self.chunkSize {
      try addChunk(chunk, asset.chunks, to: asset.id)
      asset.chunks += 1
      return
    }
    var rest = chunk[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.chunkSize - asset.pending.count)
      asset.pending.append(contentsOf: part)
      rest = rest.dropFirst(part.count)
      if asset.pending.count == Self.chunkSize { try flush(&asset) }
    }
  }

  private func flush(_ asset: inout IncomingAsset) throws {
    try asset.pending.withUnsafeBytes { try addChunk($0, asset.chunks, to: asset.id) }
    asset.chunks += 1
    asset.pending.removeAll(keepingCapacity: true)
  }
}
