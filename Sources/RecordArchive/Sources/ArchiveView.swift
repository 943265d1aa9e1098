import MockCloud
import RecordBundle
import RecordModel

/// A bundle, or a container as it is at one moment.
struct ArchiveView {
  enum Content {
    case bundle(BundleReader)
    case snapshot(ContainerSnapshot)
  }

  let content: Content

  func sections(_ filter: RecordFilter) throws -> [ArchiveSource.Section] {
    switch content {
    case .bundle(let bundle):
      return bundle.sections.compactMap { section in
        guard section.kind == .record, let database = section.database, let zone = section.zoneID,
          let type = section.recordType,
          filter.contains(database: database, zoneID: zone, recordType: type)
        else { return nil }
        return ArchiveSource.Section(
          database: database, zoneID: zone, recordType: type, records: section.lines,
          bytes: section.bytes)
      }
    case .snapshot(let snapshot):
      return try DatabaseScope.allCases.flatMap { scope in
        try snapshot.recordTypes(in: scope).filter {
          filter.contains(database: scope, zoneID: $0.zoneID, recordType: $0.recordType)
        }.map {
          ArchiveSource.Section(
            database: scope, zoneID: $0.zoneID, recordType: $0.recordType, records: $0.recordCount,
            bytes: Int($0.byteCount))
        }.sorted { $0.precedes($1) }
      }
    }
  }

  func zones() throws -> [(database: DatabaseScope, zone: RecordZone)] {
    switch content {
    case .bundle(let bundle): return try bundle.zones()
    case .snapshot(let snapshot):
      return try DatabaseScope.allCases.flatMap { scope in
        try snapshot.zones(in: scope).sorted { $0.zoneID < $1.zoneID }.map { (scope, $0) }
      }
    }
  }

  func subscriptions(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, subscription: Subscription)] {
    switch content {
    case .bundle(let bundle):
      var found: [(DatabaseScope, Subscription)] = []
      try bundle.forEachItem(of: [.subscription], filter) {
        if case .subscription(let subscription, let database) = $0 {
          found.append((database, subscription))
        }
      }
      return found
    case .snapshot(let snapshot):
      return try DatabaseScope.allCases.flatMap { scope in
        try snapshot.subscriptions(in: scope).sorted {
          compareUTF8($0.subscriptionID, $1.subscriptionID) < 0
        }.filter { filter.contains($0, database: scope) }.map { (scope, $0) }
      }
    }
  }

  func zoneTombstones(
    _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, zoneID: ZoneID)] {
    switch content {
    case .bundle(let bundle):
      var found: [(DatabaseScope, ZoneID)] = []
      try bundle.forEachItem(of: [.zoneTombstone], filter) {
        if case .zoneTombstone(let zoneID, let database) = $0 { found.append((database, zoneID)) }
      }
      return found
    case .snapshot(let snapshot):
      return try DatabaseScope.allCases.flatMap { scope in
        try snapshot.zoneTombstones(in: scope).sorted().filter {
          filter.contains(zoneTombstone: $0, database: scope)
        }.map { (scope, $0) }
      }
    }
  }

  func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (Tombstone, DatabaseScope) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle):
      try bundle.forEachItem(of: [.tombstone], filter) {
        if case .tombstone(let tombstone, let database) = $0 { try body(tombstone, database) }
      }
    case .snapshot(let snapshot):
      for scope in DatabaseScope.allCases {
        try snapshot.forEachTombstone(in: scope, filter: filter) { try body($0, scope) }
      }
    }
  }

  func assets() throws -> [ArchiveSource.StoredAsset] {
    var assets: [ArchiveSource.StoredAsset] = []
    switch content {
    case .bundle(let bundle):
      try bundle.forEachItem(of: [.asset]) {
        guard case .asset(let chunk) = $0, chunk.offset == 0 else { return }
        assets.append(.init(sha256: chunk.sha256, size: chunk.assetSize))
      }
    case .snapshot(let snapshot):
      try snapshot.forEachAsset { asset in
        if let size = asset.size { assets.append(.init(sha256: asset.sha256, size: Int(size))) }
      }
    }
    return assets
  }

  func forEachRecord(
    _ filter: RecordFilter, _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle): try bundle.forEachRecord(filter, body)
    case .snapshot(let snapshot):
      for scope in DatabaseScope.allCases where filter.contains(database: scope) {
        try snapshot.forEachRecord(in: scope, filter: filter) { try body($0, scope) }
      }
    }
  }

  func forEachRecordID(
    _ filter: RecordFilter, _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    switch content {
    case .bundle(let bundle): try bundle.forEachRecordID(filter, body)
    case .snapshot(let snapshot):
      for scope in DatabaseScope.allCases where filter.contains(database: scope) {
        try snapshot.forEachRecordBytes(in: scope, filter: filter) { _, key in
          try body(key.recordID, key.recordType, scope)
        }
      }
    }
  }
}

extension ArchiveSource.Section {
  fileprivate func precedes(_ other: Self) -> Bool {
    if zoneID != other.zoneID { return zoneID < other.zoneID }
    return compareUTF8(recordType, other.recordType) < 0
  }
}
