import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

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
    var recordType: ExactString?

    init(_ profile: SubscriptionProfile) {
      (database, kind) = (profile.database, profile.kind)
      recordType = profile.recordType.map { ExactString($0) }
    }
  }
}

/// Counts of records: of a batch, or of all that came before.
struct RecordTally: Sendable {
  private(set) var sections: [ArchiveProfile.Section] = []
  private var sectionPlaces: [RecordSection: Int] = [:]
  private var latestSection: Int?
  private(set) var types: [TypeProfile] = []
  private var typePlaces: [ExactString: Int] = [:]
  private var latestType: Int?
  private(set) var created = DayCounts()
  private(set) var modified = DayCounts()
  private(set) var users = UserCounts()
  private(set) var shares = ShareCounts()
  private(set) var largest: LargestRecords
  private(set) var count = 0
  private(set) var assetReferences = 0
  private(set) var missingAssets = 0
  /// The places of the stored assets that the records of each section of a batch refer to.
  private(set) var usedAssets: [Int: Set<Int>] = [:]
  private let maxLargest: Int

  init(largest: Int) {
    maxLargest = largest
    self.largest = LargestRecords(largest)
  }

  /// Counts a record.
  ///
  /// - Parameters:
  ///   - bytes: The size of its line in a bundle, with the line's end.
  ///   - stored: The assets whose bytes are there.
  mutating func add(
    _ record: ResultRecord, in database: DatabaseScope, bytes: Int, _ stored: StoredAssets
  ) {
    count += 1
    let place = place(of: record, database)
    sections[place].records += 1
    sections[place].bytes += bytes
    types[type(of: record)].add(record)
    addAssets(of: record, place, stored)
    let system = record.systemFields
    created.add(system.creationDate)
    modified.add(system.modificationDate)
    users.add(
      created: system.created?.userRecordName, modified: system.modified?.userRecordName)
    if record.isShare { shares.add(record, in: database) }
    if largest.takes(bytes - 1) {
      largest.add(
        RecordSize(
          database: database, recordID: record.recordID, recordType: record.recordType,
          bytes: bytes - 1))
    }
  }

  private mutating func place(of record: ResultRecord, _ database: DatabaseScope) -> Int {
    let (zoneID, type) = (record.storage.zoneID, record.recordType)
    if let latestSection {
      let latest = sections[latestSection]
      if latest.database == database, latest.recordType.sameScalars(as: type),
        latest.zoneID.isIdentical(to: zoneID) || latest.zoneID == zoneID
      {
        return latestSection
      }
    }
    let place = place(of: RecordSection(database, zoneID, type))
    latestSection = place
    return place
  }

  private mutating func place(of key: RecordSection) -> Int {
    if let place = sectionPlaces[key] { return place }
    sectionPlaces[key] = sections.count
    sections.append(
      ArchiveProfile.Section(
        database: key.database, zoneID: key.zoneID, recordType: key.recordType))
    return sections.count - 1
  }

  private mutating func type(of record: ResultRecord) -> Int {
    let name = record.recordType
    if let latestType, types[latestType].recordType.sameScalars(as: name) { return latestType }
    let place = type(named: name)
    latestType = place
    return place
  }

  private mutating func type(named name: String) -> Int {
    let key = ExactString(name)
    if let place = typePlaces[key] { return place }
    typePlaces[key] = types.count
    types.append(TypeProfile(name))
    return types.count - 1
  }

  private mutating func addAssets(of record: ResultRecord, _ section: Int, _ stored: StoredAssets) {
    for index in 0..<record.storage.fieldCount {
      switch record.storage.valueType(at: index) {
      case .asset, .assetList: break
      default: continue
      }
      switch record.storage.field(at: index).value {
      case .asset(let asset): add(asset, stored)
      case .assetList(let assets): for asset in assets { add(asset, stored) }
      default: break
      }
    }
    // Those of values of unknown types too.
    for digest in record.assetDigests {
      if let place = SHA256Digest(hexadecimal: digest).flatMap({ stored.places[$0] }) {
        usedAssets[section, default: []].insert(place)
      }
    }
  }

  private mutating func add(_ asset: Asset, _ stored: StoredAssets) {
    assetReferences += 1
    let place = asset.sha256.flatMap(SHA256Digest.init(hexadecimal:)).flatMap { stored.places[$0] }
    if place == nil { missingAssets += 1 }
  }

  /// Adds the counts of a batch.
  ///
  /// - Parameter stored: The assets; those that the batch refers to become used.
  mutating func add(_ batch: RecordTally, _ stored: inout StoredAssets) {
    count += batch.count
    for (number, section) in batch.sections.enumerated() {
      let key = RecordSection(section.database, section.zoneID, section.recordType)
      let place = place(of: key)
      sections[place].records += section.records
      sections[place].bytes += section.bytes
      for asset in batch.usedAssets[number] ?? [] where stored.use(asset) {
        sections[place].assetBytes = sections[place].assetBytes.clampedSum(stored.sizes[asset])
      }
    }
    for type in batch.types { types[self.type(named: type.recordType)].add(type) }
    created.add(batch.created)
    modified.add(batch.modified)
    users.add(batch.users)
    shares.add(batch.shares)
    for record in batch.largest.records { largest.add(record) }
    assetReferences += batch.assetReferences
    missingAssets += batch.missingAssets
  }
}
