import CloudInterface
import RecordModel
import RecordStore

/// Single records: those that a page did not have, or not with all their assets.
extension DownloadRun {
  /// Fetches the records of a zone that are still missing.
  func downloadUnread(of place: Place, _ database: Container.Database) async throws {
    guard let zone = zones[place], !zone.unread.isEmpty else { return }
    try await downloadRecords(zone.unread, of: zone, database)
  }

  func downloadRecords(
    _ names: [String], of zone: ZoneProgress, _ database: Container.Database
  ) async throws {
    var rest = names.map { RecordID(recordName: $0, zoneID: zone.zoneID) }[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(max(1, min(limit ?? 200, 200))))
      do {
        let results = try await request { try await database.records(for: ids, desiredKeys: nil) }
        try await keep(ids, results, zone.place, database)
        rest = rest.dropFirst(ids.count)
      } catch let error as CloudError where error.code == .limitExceeded {
        try halveLimit(after: error)
      }
    }
  }

  private func keep(
    _ ids: [RecordID], _ results: [RecordID: Result<ResultRecord, any Error>], _ place: Place,
    _ database: Container.Database
  ) async throws {
    guard let zone = zones[place] else { return }
    let missing = CloudError(.internalError, "the server returned no result for the record")
    var found: [(RecordID, Result<ResultRecord, any Error>)] = []
    var gone: [RecordID] = []
    for id in ids {
      switch results[id] ?? .failure(missing) {
      case .failure(let error as CloudError) where error.isZoneGone:
        return try await removeZone(place)
      case .failure(let error as CloudError) where error.code == .unknownItem: gone.append(id)
      case .success(let record) where record.isUnsavedUser: gone.append(id)
      case let result: found.append((id, result))
      }
    }
    let page = RecordPage(found, deleted: gone)
    let saver = try await saver(of: page, database, isLast: true)
    let (new, problems) = try await commit { writer, state in
      var zone = zone
      let problems = try saver.save(page, to: writer, &zone, &state.counts)
      try zone.write(to: writer)
      return (zone, problems)
    }
    zones[place] = new
    report.problems += problems
    try reportProgress()
  }

  // MARK: Assets

  /// Fetches the contents of assets that came without, and returns what saves the page.
  ///
  /// - Parameter isLast: Whether what is missing in the page is not asked for again.
  func saver(
    of page: RecordPage, _ database: Container.Database, isLast: Bool = false
  ) async throws -> RecordSaver {
    var saver = RecordSaver(
      scope: database.databaseScope, includesEncryptedValues: options.includesEncryptedValues,
      includesAssets: options.includesAssets, isLast: isLast)
    guard options.includesAssets else { return saver }
    let assets = page.records.flatMap { $0.fields.flatMap(\.value.assets) }
      .filter { $0.content == nil }
    guard !assets.isEmpty else { return saver }
    for asset in try await file.missing(assets) where saver.contents[asset] == nil {
      do {
        let url = try await request { try await database.fileURL(for: asset) }
        saver.contents[asset] = .success(.file(url))
      } catch let error as CloudError where error.isOfAsset {
        saver.contents[asset] = .failure(error)
      }
    }
    return saver
  }
}

extension ResultRecord {
  /// Whether it is a user record that was never saved: the server makes one up.
  fileprivate var isUnsavedUser: Bool {
    recordChangeTag == nil && recordType.sameScalars(as: UserRecord.recordType)
  }
}

extension CloudError {
  fileprivate var isOfAsset: Bool {
    switch code {
    case .assetNotAvailable, .assetFileNotFound, .assetFileModified, .unknownItem: true
    default: false
    }
  }
}
