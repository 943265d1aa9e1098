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

/// Records that the server has sent together.
struct RecordPage: Sendable {
  /// The records, by name.
  private(set) var records: [ResultRecord] = []
  /// The records that it did not send, by name.
  private(set) var failures: [(recordID: RecordID, error: CloudError)] = []
  /// The records that it does not have any more.
  let deleted: [RecordID]

  init(_ results: [(RecordID, Result<ResultRecord, any Error>)], deleted: [RecordID] = []) {
    self.deleted = deleted
    for (recordID, result) in results.sorted(by: { $0.0 < $1.0 }) {
      switch result {
      case .success(let record): records.append(record)
      case .failure(let error):
        failures.append((recordID, error as? CloudError ?? CloudError(.internalError, "\(error)")))
      }
    }
  }

  init(
    _ results: [RecordID: Result<RecordZoneChange.Modification, any Error>], _ deleted: [RecordID]
  ) {
    self.init(results.map { ($0.key, $0.value.map(\.record)) }, deleted: deleted)
  }

  /// All that the server has listed.
  var recordIDs: [RecordID] { records.map(\.recordID) + failures.map(\.recordID) }
}

/// Saves records as they came, without what was not asked for.
struct RecordSaver: Sendable {
  let scope: DatabaseScope
  let includesEncryptedValues: Bool
  let includesAssets: Bool
  /// Whether what is missing is a problem, because it is not asked for again.
  let isLast: Bool
  /// The contents of assets that came without.
  var contents: [Asset: Result<Asset.Content, CloudError>] = [:]

  /// Saves a page, and notes what is missing in the zone.
  @discardableResult
  func save(
    _ page: RecordPage, to writer: MirrorWriter, _ zone: inout ZoneProgress,
    _ counts: inout DownloadCounts
  ) throws -> [DownloadProblem] {
    var problems: [DownloadProblem] = []
    for recordID in page.deleted {
      if try writer.remove(recordID, from: scope) { counts.deletedRecords += 1 }
      zone.setUnread(recordID.recordName, false)
    }
    for record in page.records {
      var new = counts
      let missing = try save(record, to: writer, &new)
      // A record that is asked for again counts then.
      if missing.isEmpty || isLast { counts = new }
      problems += missing
      zone.setUnread(record.recordID.recordName, !missing.isEmpty)
    }
    for (recordID, error) in page.failures {
      problems.append(problem(.record(recordID), error))
      zone.setUnread(recordID.recordName, true)
    }
    return problems
  }

  private func problem(_ subject: DownloadProblem.Subject, _ error: CloudError) -> DownloadProblem {
    DownloadProblem(databaseScope: scope, subject: subject, error: error)
  }

  private func save(
    _ record: ResultRecord, to writer: MirrorWriter, _ counts: inout DownloadCounts
  ) throws -> [DownloadProblem] {
    var fields = record.allFields
    var problems: [DownloadProblem] = []
    guard fields.contains(where: { $0.isEncrypted || $0.value.isOfAssets }) else {
      counts.bytes += try writer.save(record, in: scope)
      counts.records += 1
      return []
    }
    if !includesEncryptedValues {
      fields.removeAll { $0.isEncrypted }
      counts.omittedEncryptedValues += record.allFields.count - fields.count
    }
    for index in fields.indices where fields[index].value.isOfAssets {
      fields[index] = try fields[index].replacingAssets { asset in
        do {
          return try stored(asset, to: writer, &counts)
        } catch let error as CloudError {
          let subject = DownloadProblem.Subject.asset(record.recordID, field: fields[index].name)
          problems.append(problem(subject, error))
          var result = asset
          result.content = nil
          return result
        }
      }
    }
    let result = ResultRecord(systemFields: record.systemFields, fields: fields)
    counts.bytes += try writer.save(result, in: scope)
    counts.records += 1
    return problems
  }

  /// Stores the content of an asset, and returns the asset without it.
  ///
  /// - Throws: `assetNotAvailable` and the like if the content is missing, or not that which the
  ///   server tells about.
  private func stored(
    _ asset: Asset, to writer: MirrorWriter, _ counts: inout DownloadCounts
  ) throws -> Asset {
    var result = asset
    result.content = nil
    guard includesAssets else {
      counts.omittedAssets += 1
      return result
    }
    guard let content = try asset.content ?? contents[asset]?.get() else {
      if let sha256 = asset.sha256, try writer.reading({ try $0.hasAsset(sha256: sha256) }) {
        return result
      }
      throw CloudError(.assetNotAvailable, "the server did not send the content of the asset")
    }
    let stored = try writer.store(content)
    if let size = asset.size, size != stored.size {
      throw CloudError(
        .assetFileModified, "the file has \(stored.size) bytes; the server has \(size)")
    }
    if let sha256 = asset.sha256, !sha256.sameScalars(as: stored.sha256) {
      throw CloudError(.assetFileModified, "the file has another SHA-256 than the server's")
    }
    (result.sha256, result.size) = (stored.sha256, stored.size)
    counts.assets += 1
    return result
  }
}
