import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Counts of records: of a batch, or of all that came before.
struct RecordTally: Sendable {
  private(set) var sections: [ArchiveProfile.Section] = []
  private var sectionPlaces: [RecordSection: Int] = [:]
  private var latestSection: Int?
  private(set) var types: [TypeProfile] = []
  private var typePlaces: [NameKey: Int] = [:]
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
    let key = NameKey(name)
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
