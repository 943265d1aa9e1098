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
        try fault(place, "no record names it")
      } else if size == nil {
        try fault(place, "a record names it, and its bytes are missing")
      }
      if row.int64(3) != size ?? 0 {
        try fault(place, "\(row.int64(3)) bytes are said to be stored of \(size ?? 0)")
      }
      try checkContent(of: row.int64(0), digest, size, place)
    }
    try rows(
      "SELECT count(*) FROM assetChunk WHERE asset NOT IN (SELECT id FROM asset)"
    ) { row in
      if row.int64(0) > 0 { try fault("the assets", "\(row.int64(0)) pieces belong to none") }
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
    let pieces = try RawStatement.make(
      "SELECT number, data FROM assetChunk WHERE asset = ? ORDER BY number", in: snapshot.db)
    pieces.bind(1, asset)
    defer { pieces.reset() }
    while try pieces.step() {
      let piece = pieces.bytes(1)
      hash.update(piece)
      bytes &+= Int64(piece.count)
      try count(bytes: piece.count)
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
