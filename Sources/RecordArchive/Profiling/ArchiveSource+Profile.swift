import RecordBundle
import RecordCoding
import RecordModel

extension ArchiveSource {
  /// Counts what is in a bundle or container, as of one moment. Reads all records and assets once,
  /// on several threads, in bounded memory but for about 100 bytes for each stored asset.
  ///
  /// - Parameters:
  ///   - filter: The part to count.
  ///   - largest: The maximum number of largest records.
  ///   - threads: The number of threads that read.
  ///   - progress: Called periodically; an error it throws ends the count.
  package func profile(
    _ filter: RecordFilter = .all, largest: Int = 10, threads: Int = BundleThreads.recommended,
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws -> ArchiveProfile {
    // The sizes of files, which no snapshot has.
    let summary = try fileSizes()
    return try read { reader in
      var run = ProfileRun(reader, filter, threads, progress)
      var profile = try run.profile(largest: largest)
      profile.name = name
      (profile.fileBytes, profile.contentBytes) = summary
      if case .bundle(let bundle) = self { profile.formatVersion = bundle.header.formatVersion }
      return profile
    }
  }

  private func fileSizes() throws -> (file: Int?, content: Int?) {
    guard case .responses = self else {
      let summary = try summary()
      return (summary.fileBytes, summary.contentBytes)
    }
    return (nil, nil)
  }
}

/// Counts what a reader reads.
private struct ProfileRun {
  private let reader: ArchiveReader
  private let filter: RecordFilter
  private let threads: Int
  private let progress: ((ArchiveProgress) throws -> Void)?
  private var done = ArchiveProgress(records: 0, bytes: 0)

  init(
    _ reader: ArchiveReader, _ filter: RecordFilter, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) {
    (self.reader, self.filter, self.threads, self.progress) = (reader, filter, threads, progress)
  }

  mutating func profile(largest: Int) throws -> ArchiveProfile {
    done.totalBytes = reader.lineBytes(of: LineSelection([.asset])).flatMap { assets in
      reader.lineBytes(of: LineSelection([.record], filter)).map { assets + $0 }
    }
    done.totalRecords = try reader.recordCount(filter)
    let zones = try reader.zones().filter {
      filter.contains(database: $0.database, zoneID: $0.zone.zoneID)
    }
    var profile = ArchiveProfile(
      kind: reader.isBundle ? .bundle : .container, name: reader.name, info: try reader.info(),
      isWhole: filter == .all,
      zones: zones.map { ArchiveSummary.Zone(database: $0.database, zoneID: $0.zone.zoneID) })
    var stored = try storedAssets()
    profile.take(try records(largest, &stored))
    profile.take(stored)
    profile.add(try reader.subscriptions(filter).map { ($0.database, $0.subscription) })
    try reader.forEachTombstone(filter) { tombstone, _ in profile.tombstones.add(tombstone) }
    profile.zoneTombstones = try reader.zoneTombstones(filter).count
    return profile
  }

  private mutating func storedAssets() throws -> StoredAssets {
    var stored = StoredAssets()
    guard reader.isBundle else {
      for asset in try reader.storedAssets() { stored.add(asset) }
      return stored
    }
    var done = done
    try reader.mapBatches(
      of: LineSelection([.asset]), threads: threads,
      transform: { batch in
        var found: [ArchiveSource.StoredAsset] = []
        try batch.forEach(
          scanned: { _, _, _ in },
          item: { item, _ in
            guard case .asset(let chunk) = item, chunk.offset == 0 else { return }
            found.append(.init(sha256: chunk.sha256, size: chunk.assetSize))
          })
        return (found, batch.size)
      },
      consume: { found, size in
        for asset in found { stored.add(asset) }
        done.bytes += size
        try progress?(done)
      })
    self.done = done
    return stored
  }

  private mutating func records(
    _ largest: Int, _ stored: inout StoredAssets
  ) throws -> RecordTally {
    var tally = RecordTally(largest: largest)
    let known = stored
    var done = done
    try reader.mapBatches(
      of: LineSelection([.record], filter), threads: threads,
      transform: { batch in
        var found = RecordTally(largest: largest)
        try batch.forEach(
          line: { line in
            guard let (database, record) = batch.reader.readCanonicalLine(line) else {
              return false
            }
            found.add(record, in: database, bytes: line.count + 1, known)
            return true
          },
          item: { item, _ in
            guard case .record(let record, let database) = item else { return }
            let size = RecordLine.size(
              ofDictionary: try record.jsonValue().compactData.count, in: database)
            found.add(record, in: database, bytes: size + 1, known)
          })
        return (found, batch.size)
      },
      consume: { found, size in
        tally.add(found, &stored)
        done.records = tally.count
        done.bytes += size
        try progress?(done)
      })
    self.done = done
    return tally
  }
}

extension ArchiveProfile {
  fileprivate mutating func take(_ tally: RecordTally) {
    sections = tally.sections.sorted {
      RecordSection($0.database, $0.zoneID, $0.recordType)
        .precedes(RecordSection($1.database, $1.zoneID, $1.recordType))
    }
    types = tally.types.sorted { compareUTF8($0.recordType, $1.recordType) < 0 }
    for index in types.indices { types[index].sort() }
    (created, modified) = (tally.created, tally.modified)
    (users, shares, largest) = (tally.users, tally.shares, tally.largest.records)
    (assets.references, assets.missing) = (tally.assetReferences, tally.missingAssets)
  }

  fileprivate mutating func take(_ stored: StoredAssets) {
    var unused = 0
    for (place, size) in stored.sizes.enumerated() {
      if !stored.isUsed[place] { unused += 1 }
      if stored.isUsed[place] || isWhole { assets.addStored(size) }
    }
    if isWhole { assets.unused = unused }
  }

  fileprivate mutating func add(_ subscriptions: [(DatabaseScope, CloudSubscription)]) {
    var places: [SubscriptionProfile.Key: Int] = [:]
    for (database, subscription) in subscriptions {
      let found: SubscriptionProfile =
        switch subscription.kind {
        case .query(let query, _, _, _):
          .init(database: database, kind: .query, recordType: query.recordType)
        case .zone(_, let type): .init(database: database, kind: .zone, recordType: type)
        case .database(let type): .init(database: database, kind: .database, recordType: type)
        }
      let key = SubscriptionProfile.Key(found)
      if let place = places[key] {
        self.subscriptions[place].count += 1
      } else {
        places[key] = self.subscriptions.count
        self.subscriptions.append(found)
      }
    }
    self.subscriptions.sort { a, b in
      if a.database != b.database { return a.database < b.database }
      if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
      return compareUTF8(a.recordType ?? "", b.recordType ?? "") < 0
    }
  }
}

extension SubscriptionProfile {
  fileprivate struct Key: Hashable {
    var database: DatabaseScope
    var kind: Kind
    var recordType: NameKey?

    init(_ profile: SubscriptionProfile) {
      (database, kind) = (profile.database, profile.kind)
      recordType = profile.recordType.map { NameKey($0) }
    }
  }
}
