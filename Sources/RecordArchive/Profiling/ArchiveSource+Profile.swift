import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

extension ArchiveSource {
  /// Counts the content of a bundle or container, as of one moment. Reads all records and assets once,
  /// on several threads, in bounded memory, and about 100 bytes for each stored asset.
  ///
  /// - Parameters:
  ///   - filter: The part to count.
  ///   - largest: The maximum number of largest records.
  ///   - threads: The number of threads that read.
  ///   - progress: Called periodically; an error it throws ends the count.
  /// - Throws: Errors of the source, and `SchemaError.tooManyFields`.
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

/// Counts the items of a reader.
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
    done.totalBytes = reader.lineBytes(of: LineSelection([.record], filter))
    done.totalRecords = try reader.recordCount(filter)
    let zones = try reader.zones().filter {
      filter.contains(database: $0.database, zoneID: $0.zone.zoneID)
    }
    var profile = ArchiveProfile(
      kind: reader.isBundle ? .bundle : .container, name: reader.name, info: try reader.info(),
      isWhole: filter == .all,
      zones: zones.map { ZoneLocation($0.database, $0.zone.zoneID) })
    var stored = StoredAssets()
    for asset in try reader.storedAssets() { stored.add(asset) }
    profile.take(try records(largest, &stored))
    profile.take(stored)
    profile.add(try reader.subscriptions(filter).map { ($0.database, $0.subscription) })
    try reader.forEachTombstone(filter) { tombstone, _ in profile.tombstones.add(tombstone) }
    profile.zoneTombstones = try reader.zoneTombstones(filter).count
    return profile
  }

  private mutating func records(
    _ largest: Int, _ stored: inout StoredAssets
  ) throws -> ProfileCounts {
    let empty = ProfileCounts(largest: largest, of: reader.name)
    var tally = empty
    let known = stored
    var done = done
    try reader.mapBatches(
      of: LineSelection([.record], filter), threads: threads,
      transform: { batch in
        var found = empty
        try batch.forEachRecord { record, database, size in
          let bytes =
            try size
            ?? RecordLine.size(
              ofDictionary: record.jsonValue().compactData.count, in: database)
          try found.add(record, in: database, bytes: bytes + 1, known)
        }
        return (found, batch.size)
      },
      consume: { found, size in
        try tally.add(found, &stored)
        done.records = tally.count
        done.bytes += size
        try progress?(done)
      })
    self.done = done
    return tally
  }
}

extension ArchiveProfile {
  fileprivate mutating func take(_ tally: ProfileCounts) {
    sections = tally.sections.sorted { a, b in
      let (first, second) = (ObjectSection(a), ObjectSection(b))
      return first.section == second.section
        ? compareUTF8(a.entity ?? "", b.entity ?? "") < 0
        : first.section.precedes(second.section)
    }
    types = tally.census.byEntity
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
    var counter = CappedCounter<SubscriptionKey, SubscriptionProfile>()
    for (database, subscription) in subscriptions {
      let (kind, type): (SubscriptionProfile.Kind, String?) =
        switch subscription.kind {
        case .query(let query, _, _, _): (.query, query.recordType)
        case .zone(_, let type): (.zone, type)
        case .database(let type): (.database, type)
        }
      let key = SubscriptionKey(database: database, kind: kind, recordType: type.map { .init($0) })
      let new = SubscriptionProfile(database: database, kind: kind, recordType: type, count: 0)
      counter.update(key, new: new) { $0.count += 1 }
    }
    self.subscriptions = counter.counts
    self.subscriptions.sort { a, b in
      if a.database != b.database { return a.database < b.database }
      if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
      return compareUTF8(a.recordType ?? "", b.recordType ?? "") < 0
    }
  }
}

private struct SubscriptionKey: Hashable {
  var database: DatabaseScope
  var kind: SubscriptionProfile.Kind
  var recordType: ExactString?
}

/// The records of a type in one zone or, of Core Data's records, those of an entity in it.
private struct ObjectSection: Hashable {
  var section: RecordSection
  @ExactText var entity: String?

  init(_ section: RecordSection, _ entity: String?) {
    (self.section, self.entity) = (section, entity)
  }

  init(_ section: ArchiveProfile.Section) {
    self.init(
      RecordSection(section.database, section.zoneID, section.recordType), section.entity)
  }
}

/// Counts of records: of a batch, or of all that came before.
struct ProfileCounts: Sendable {
  private var sectionCounter = CappedCounter<ObjectSection, ArchiveProfile.Section>()
  /// The fields of the records, with the lengths of their values.
  private(set) var census: RecordCensus
  private(set) var created = DayCounts()
  private(set) var modified = DayCounts()
  private(set) var users = UserCounts()
  private(set) var shares = ShareCounts()
  private(set) var largest: LargestRecords
  private(set) var assetReferences = 0
  private(set) var missingAssets = 0
  /// The places of the stored assets that the records of each section of a batch refer to.
  private(set) var usedAssets: [Int: Set<Int>] = [:]

  init(largest: Int, of source: String) {
    self.largest = LargestRecords(largest)
    census = RecordCensus(source: source, maxExamples: 1, measuresLengths: true)
  }

  var count: Int { census.recordCount }

  /// Counts a record.
  ///
  /// - Parameters:
  ///   - bytes: The size of its line in a bundle, with the line's end.
  ///   - stored: The assets whose bytes are there.
  mutating func add(
    _ record: ResultRecord, in database: DatabaseScope, bytes: Int, _ stored: StoredAssets
  ) throws {
    let entity = record.entityName
    let section = RecordSection(database, record.storage.zoneID, record.recordType)
    let place = count(in: ObjectSection(section, entity)) {
      $0.records += 1
      $0.bytes += bytes
    }
    try census.add(record, in: database, entity: entity)
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
          entity: entity, bytes: bytes - 1))
    }
  }

  var sections: [ArchiveProfile.Section] { sectionCounter.counts }

  private mutating func count(
    in place: ObjectSection, _ body: (inout ArchiveProfile.Section) -> Void
  ) -> Int {
    let section = place.section
    let new = ArchiveProfile.Section(
      database: section.database, zoneID: section.zoneID, recordType: section.recordType,
      entity: place.entity)
    return sectionCounter.update(place, new: new, body) ?? 0
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
    // Values of unknown types can refer to assets, too.
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
  mutating func add(_ batch: ProfileCounts, _ stored: inout StoredAssets) throws {
    try census.add(batch.census)
    for (number, section) in batch.sections.enumerated() {
      let key = ObjectSection(section)
      let used = (batch.usedAssets[number] ?? []).filter { stored.use($0) }
      _ = count(in: key) {
        $0.records += section.records
        $0.bytes += section.bytes
        for asset in used { $0.assetBytes = $0.assetBytes.clampedSum(stored.sizes[asset]) }
      }
    }
    created.add(batch.created)
    modified.add(batch.modified)
    users.add(batch.users)
    shares.add(batch.shares)
    for record in batch.largest.records { largest.add(record) }
    assetReferences += batch.assetReferences
    missingAssets += batch.missingAssets
  }
}
