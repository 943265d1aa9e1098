import RecordPlatform

extension ContainerChecker {
  func checkAssets() throws {
    try rows("SELECT id, sha256, size, stored FROM asset ORDER BY id") { row in
      guard let digest = SHA256Digest(bytes: row.bytes(1)) else {
        return try fault("an asset", "it has no SHA-256")
      }
      let place = "asset \(digest)"
      let isUsed = try snapshot.db.integer(
        "SELECT 1 FROM assetUse WHERE asset = ?", [row.int64(0)])
      let size = row.isNull(2) ? nil : row.int64(2)
      if isUsed == nil {
        try fault(place, "no record refers to it")
      } else if size == nil {
        try fault(place, "a record refers to it, but its bytes are missing")
      }
      if row.int64(3) != size ?? 0 {
        try fault(place, "\(row.int64(3)) of \(size ?? 0) bytes are marked as stored")
      }
      try checkContent(of: row.int64(0), digest, size, place)
    }
    try rows(
      "SELECT count(*) FROM assetChunk WHERE asset NOT IN (SELECT id FROM asset)"
    ) { row in
      if row.int64(0) > 0 { try fault("the assets", "\(row.int64(0)) chunks belong to no asset") }
    }
    try rows(
      "SELECT count(*) FROM assetUse WHERE record NOT IN (SELECT id FROM record)"
    ) { row in
      if row.int64(0) > 0 { try fault("the assets", "\(row.int64(0)) uses belong to no record") }
    }
  }

  private func checkContent(
    of asset: Int64, _ digest: SHA256Digest, _ size: Int64?, _ place: String
  ) throws {
    var hash = SHA256()
    var bytes: Int64 = 0
    try rows("SELECT data FROM assetChunk WHERE asset = ? ORDER BY number", [asset]) { row in
      let chunk = row.bytes(0)
      hash.update(chunk)
      bytes &+= Int64(chunk.count)
      try count(bytes: chunk.count)
    }
    guard let size else {
      if bytes > 0 { try fault(place, "it has content, but no size") }
      return
    }
    guard bytes == size else {
      return try fault(place, "\(bytes) of \(size) bytes are stored")
    }
    let found = hash.finalize()
    if found != digest { try fault(place, "its content has the SHA-256 \(found)") }
    try count(assets: 1, bytes: 0)
  }
}
