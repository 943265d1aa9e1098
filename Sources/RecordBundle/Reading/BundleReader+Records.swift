import RecordCoding
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
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) }, threads: threads,
      transform: { frame in
        var records: [(ResultRecord, DatabaseScope)] = []
        try frame.forEachRecord(filter) { records.append(($0, $1)) }
        return records
      },
      consume: { for (record, database) in $0 { try body(record, database) } })
  }

  /// Calls `body` with what is made of each record, in the order of the bundle.
  ///
  /// - Parameters:
  ///   - transform: called on several threads at a time; returns nil to leave a record out.
  ///   - progress: receives the number of records that were read since the last call.
  package func forEachRecord<T: Sendable>(
    _ filter: RecordFilter,
    transform: @escaping @Sendable (ResultRecord, DatabaseScope) throws -> T?,
    progress: (Int) throws -> Void, _ body: (T) throws -> Void
  ) throws {
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) },
      transform: { frame in
        var count = 0
        var made: [T] = []
        try frame.forEachRecord(filter) { record, database in
          count += 1
          if let value = try transform(record, database) { made.append(value) }
        }
        return (count, made)
      },
      consume: { (count: Int, made: [T]) in
        try progress(count)
        for value in made { try body(value) }
      })
  }

  /// Calls `body` with each record in no order: the fastest way to read all records.
  ///
  /// - Parameters:
  ///   - filter: the records to include; frames without any are not read.
  ///   - threads: the number of threads.
  ///   - body: called on several threads at a time.
  public func concurrentlyForEachRecord(
    _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: @escaping @Sendable (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) }, threads: threads,
      transform: { try $0.forEachRecord(filter, body) }, consume: { _ in })
  }

  /// Calls `body` with each record's ID and type in no order, without decoding anything else.
  package func concurrentlyForEachRecordID(
    _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: @escaping @Sendable (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) }, threads: threads,
      transform: { try $0.forEachRecordID(filter, body) }, consume: { _ in })
  }

  /// Calls `body` with each record's ID and type in the order of the bundle.
  package func forEachRecordID(
    _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    try mapFrames(
      where: { $0.kind == .record && filter.contains($0) }, threads: threads,
      transform: { frame in
        var found: [(RecordID, String, DatabaseScope)] = []
        try frame.forEachRecordID(filter) { found.append(($0, $1, $2)) }
        return found
      },
      consume: { for (recordID, type, database) in $0 { try body(recordID, type, database) } })
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
    try mapFrames(
      where: { kinds.contains($0.kind) && filter.contains($0) }, threads: threads,
      transform: { frame in
        var items: [BundleItem] = []
        try frame.forEachLine { line, number in
          if let kind = LineKind.kind(of: line), !kinds.contains(kind) { return }
          guard let item = try frame.item(line, number: number), kinds.contains(item.kind),
            filter.contains(item)
          else { return }
          items.append(item)
        }
        return items
      },
      consume: { for item in $0 { try body(item) } })
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
  fileprivate func forEachRecord(
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

  fileprivate func forEachRecordID(
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
