import RecordModel

extension BundleReader {
  /// Calls `body` with each record in the order of the bundle, on the caller's thread, while other
  /// threads decompress and check further records.
  ///
  /// - Parameters:
  ///   - filter: the records to include; frames without any are not read.
  ///   - threads: the number of threads that decompress and check.
  ///   - body: receives each record; fields are decoded on access. May throw to end early.
  public func forEachRecord(
    _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    try forEachFound(
      filter, threads: threads,
      find: { frame, found in try frame.forEachRecord(filter) { found.append(($0, $1)) } }
    ) { try body($0.0, $0.1) }
  }

  /// Calls `body` with each record's ID and type in the order of the bundle.
  package func forEachRecordID(
    _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    try forEachFound(
      filter, threads: threads,
      find: { frame, found in try frame.forEachRecordID(filter) { found.append(($0, $1, $2)) } }
    ) { try body($0.0, $0.1, $0.2) }
  }

  /// Calls `body` with each item of some kinds, in the order of the bundle.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of lines; frames without any are not read.
  ///   - filter: the items to include; chunks of assets are always included.
  ///   - threads: the number of threads that decompress and check.
  ///   - body: receives each item. May throw to end early.
  public func forEachItem(
    of kinds: Set<LineKind>, _ filter: RecordFilter = .all,
    threads: Int = BundleThreads.recommended, _ body: (BundleItem) throws -> Void
  ) throws {
    try forEachFound(
      of: kinds, filter, threads: threads,
      find: { frame, items in
        try frame.forEachLine { line, number in
          if let kind = LineKind.kind(of: line), !kinds.contains(kind) { return }
          guard let item = try frame.item(line, number: number), kinds.contains(item.kind),
            filter.contains(item)
          else { return }
          items.append(item)
        }
      }, body)
  }

  /// Calls `body` with what is found in each frame, in order.
  private func forEachFound<T: Sendable>(
    of kinds: Set<LineKind> = [.record], _ filter: RecordFilter, threads: Int,
    find: @escaping @Sendable (BundleFrame, inout [T]) throws -> Void,
    _ body: (T) throws -> Void
  ) throws {
    try mapFrames(
      where: { kinds.contains($0.kind) && filter.contains($0) }, threads: threads,
      transform: { frame in
        var found: [T] = []
        try find(frame, &found)
        return found
      }, consume: { try $0.forEach(body) })
  }

  /// Returns the zones of each database.
  public func zones() throws -> [(database: DatabaseScope, zone: RecordZone)] {
    var zones: [(DatabaseScope, RecordZone)] = []
    var seen: [DatabaseScope: Set<ZoneID>] = [:]
    try forEachItem(of: [.zone]) { item in
      guard case .zone(let zone, let database) = item else { return }
      // A split bundle repeats its zones in every file.
      if seen[database, default: []].insert(zone.zoneID).inserted { zones.append((database, zone)) }
    }
    return zones
  }

  /// Calls `body` with each chunk of an asset in order.
  ///
  /// - Throws: ``BundleError`` if the asset is not in the bundle.
  public func forEachChunk(ofAsset sha256: String, _ body: ([UInt8]) throws -> Void) throws {
    try forEachAssetChunk(of: sha256) { try body($0.data) }
  }

  /// Calls `body` with each chunk of an asset in order; see ``forEachChunk(ofAsset:_:)``.
  package func forEachAssetChunk(
    of sha256: String, _ body: (AssetChunk) throws -> Void
  ) throws {
    var next = 0
    var size: Int?
    for file in files where size != next {
      guard let section = file.index.sections.first(where: { $0.kind == .asset }) else { continue }
      for number in file.frame(of: sha256, in: section)...section.frames.upperBound
      where size != next {
        try file.withFrame(number) { frame in
          try frame.forEachLine { line, number in
            // The digest is at the beginning of a line: lines of other assets need not be decoded.
            guard size != next, AssetChunk.mayBe(line, of: sha256),
              case .asset(let chunk)? = try frame.item(line, number: number),
              chunk.sha256 == sha256, chunk.offset == next
            else { return }
            try body(chunk)
            next += chunk.data.count
            size = chunk.assetSize
          }
        }
        // Assets are ordered by digest: it would have begun by now.
        if size == nil, number > file.frame(of: sha256, in: section) { break }
      }
    }
    guard let size else {
      throw BundleError(.notFound, in: files[0].name, "there is no asset with SHA-256 \(sha256)")
    }
    try checkEnd(ofAsset: sha256, after: next, of: size)
  }

  /// Checks that the chunks of an asset are all of it.
  ///
  /// - Parameters:
  ///   - count: the number of bytes in the chunks.
  ///   - size: the size of the asset that its lines state.
  /// - Throws: ``BundleError`` if they differ.
  package func checkEnd(ofAsset sha256: String, after count: Int, of size: Int) throws {
    guard count != size else { return }
    throw BundleError(
      .mismatch, in: files[0].name, "asset \(sha256) ends after \(count) of its \(size) bytes")
  }
}

extension BundleFrame {
  /// Calls `body` with each record.
  package func forEachRecord(
    _ filter: RecordFilter, _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    let isAll = filter == .all
    try forEachLine { line, number in
      let found: (database: DatabaseScope, record: ResultRecord)
      if let canonical = reader.readCanonicalLine(line) {
        found = canonical
      } else if let other = try record(line, number: number) {
        found = other
      } else {
        return
      }
      guard isAll || filter.contains(found.record, database: found.database) else { return }
      try body(found.record, found.database)
    }
  }

  /// Calls `body` with each record's ID and type, without decoding anything else.
  package func forEachRecordID(
    _ filter: RecordFilter, _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    let isAll = filter == .all
    try forEachLine { line, number in
      // The key does not include the modification date.
      if !filter.isByDate, let key = reader.readKey(line) {
        guard
          isAll
            || filter.contains(
              database: key.database, zoneID: key.recordID.zoneID, recordType: key.recordType)
        else { return }
        try body(key.recordID, key.recordType, key.database)
      } else if let (database, record) = try record(line, number: number),
        filter.contains(record, database: database)
      {
        try body(record.recordID, record.recordType, database)
      }
    }
  }
}
