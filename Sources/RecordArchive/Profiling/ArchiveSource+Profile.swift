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
      var profile = try reader.profile(filter, largest: largest, threads: threads, progress)
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

extension ArchiveReader {
  /// Counts the items that a filter selects.
  fileprivate func profile(
    _ filter: RecordFilter, largest: Int, threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?
  ) throws -> ArchiveProfile {
    var profile = ArchiveProfile(
      kind: isBundle ? .bundle : .container, name: name, info: try info(), isWhole: filter == .all,
      zones: try zones(filter).map { ZoneLocation($0.database, $0.zone.zoneID) })
    let stored = StoredAssets(
      try storedAssets().compactMap { asset in
        SHA256Digest(hexadecimal: asset.sha256).map { ($0, asset.size) }
      }, uniquingKeysWith: { first, _ in first })
    let empty = ProfileCounts(largest: largest, of: name)
    let counts = try records(filter, empty, threads, progress, stored)
    profile.take(counts)
    profile.add(stored, used: counts.assets)
    profile.add(try subscriptions(filter).map { ($0.database, $0.subscription) })
    try forEachTombstone(filter) { tombstone, _ in profile.tombstones.add(tombstone) }
    profile.zoneTombstones = try zoneTombstones(filter).count
    return profile
  }

  private func records(
    _ filter: RecordFilter, _ empty: ProfileCounts, _ threads: Int,
    _ progress: ((ArchiveProgress) throws -> Void)?, _ stored: StoredAssets
  ) throws -> ProfileCounts {
    var tally = empty
    try count(LineSelection([.record], filter), threads: threads, progress) { batch in
      var found = empty
      try batch.forEachRecord { record, database, size in
        let bytes =
          try size
          ?? RecordLine.size(ofDictionary: record.jsonValue().compactData.count, in: database)
        try found.add(record, in: database, bytes: bytes + 1, stored)
      }
      return found
    } add: { found in
      try tally.add(found, stored)
      return tally.count
    }
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

  fileprivate mutating func add(_ stored: StoredAssets, used: Set<SHA256Digest>) {
    for (digest, size) in stored where isWhole || used.contains(digest) { assets.addStored(size) }
    if isWhole { assets.unused = stored.count - used.count }
  }

  fileprivate mutating func add(_ subscriptions: [(DatabaseScope, CloudSubscription)]) {
    var counts: [SubscriptionProfile: Int] = [:]
    for (database, subscription) in subscriptions {
      let (kind, type): (SubscriptionProfile.Kind, String?) =
        switch subscription.kind {
        case .query(let query, _, _, _): (.query, query.recordType)
        case .zone(_, let type): (.zone, type)
        case .database(let type): (.database, type)
        }
      counts[SubscriptionProfile(database: database, kind: kind, recordType: type), default: 0] += 1
    }
    self.subscriptions = counts.map { profile, count in
      var profile = profile
      profile.count = count
      return profile
    }
    self.subscriptions.sort { a, b in
      if a.database != b.database { return a.database < b.database }
      if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
      return compareUTF8(a.recordType ?? "", b.recordType ?? "") < 0
    }
  }
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
  /// The stored assets that the records refer to, all and by section.
  private(set) var assets: Set<SHA256Digest> = []
  private var assetsOfSections: [Int: Set<SHA256Digest>] = [:]

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
      if let digest = SHA256Digest(hexadecimal: digest), stored[digest] != nil {
        assetsOfSections[section, default: []].insert(digest)
      }
    }
  }

  private mutating func add(_ asset: Asset, _ stored: StoredAssets) {
    assetReferences += 1
    let size = asset.sha256.flatMap(SHA256Digest.init(hexadecimal:)).flatMap { stored[$0] }
    if size == nil { missingAssets += 1 }
  }

  /// Adds the counts of a batch.
  ///
  /// - Parameter stored: The assets whose bytes are there.
  mutating func add(_ batch: ProfileCounts, _ stored: StoredAssets) throws {
    try census.add(batch.census)
    for (number, section) in batch.sections.enumerated() {
      let key = ObjectSection(section)
      let new = (batch.assetsOfSections[number] ?? []).filter { assets.insert($0).inserted }
      _ = count(in: key) {
        $0.records += section.records
        $0.bytes += section.bytes
        for asset in new { $0.assetBytes = $0.assetBytes.clampedSum(stored[asset] ?? 0) }
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
