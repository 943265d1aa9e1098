import CloudInterface
import RecordModel
import RecordStore

/// Single records: records that a page did not have, or not with all their assets.
extension DownloadRun {
  func downloadRecords(
    _ recordIDs: [RecordID], of zone: ZoneLocation, _ database: Database
  ) async throws {
    var rest = recordIDs[...]
    try await pages {
      guard !rest.isEmpty else { return false }
      let ids = Array(rest.prefix(max(1, min(limit ?? 200, 200))))
      let results = try await request { try await database.records(for: ids, desiredKeys: nil) }
      try await keep(ids, results, zone, database)
      rest = rest.dropFirst(ids.count)
      return true
    } recovering: { _ in
      false
    }
  }

  private func keep(
    _ ids: [RecordID], _ results: [RecordID: Result<ResultRecord, any Error>],
    _ zone: ZoneLocation, _ database: Database
  ) async throws {
    let missing = CloudError(.internalError, "the server returned no result for the record")
    var found: [(RecordID, Result<ResultRecord, any Error>)] = []
    var gone: [RecordID] = []
    for id in ids {
      switch results[id] ?? .failure(missing) {
      case .failure(let error as CloudError) where error.isZoneGone:
        return try await removeZone(zone)
      case .failure(let error as CloudError) where error.code == .unknownItem: gone.append(id)
      case .success(let record) where record.isUnsavedUser: gone.append(id)
      case let result: found.append((id, result))
      }
    }
    let page = FetchedPage(found, deleted: gone)
    let saver = try await saver(of: page, database, isLast: true)
    let saved = try await commit { writer, state in
      try saver.save(page, to: writer, &state.counts)
    }
    report.problems += saved.problems
    try note(saved)
  }

  func note(_ saved: RecordSaver.Saved) throws {
    unread.subtract(saved.read)
    unread.formUnion(saved.unread)
    try options.progress?(
      ArchiveProgress(records: state.counts.records, bytes: state.counts.bytes))
  }

  /// Fetches the contents of assets that came without, and returns a saver of the page.
  ///
  /// - Parameter isLast: Whether missing assets of the page are not requested again.
  func saver(
    of page: FetchedPage, _ database: Database, isLast: Bool = false
  ) async throws -> RecordSaver {
    var saver = RecordSaver(scope: database.databaseScope, options: options, isLast: isLast)
    saver.unread = Set(page.all.map(saver.location).filter(unread.contains))
    guard options.includesAssets else { return saver }
    let assets = page.records.flatMap { $0.fields.flatMap(\.value.assets) }
      .filter { $0.content == nil }
    guard !assets.isEmpty else { return saver }
    let missing = try await perform { store in
      try store.snapshot { snapshot in
        try assets.filter { asset in
          guard let sha256 = asset.sha256 else { return true }
          return try !snapshot.hasAsset(sha256: sha256)
        }
      }
    }
    for asset in missing where saver.contents[asset] == nil {
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
struct FetchedPage: Sendable {
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

  /// The records that the server has listed.
  var recordIDs: [RecordID] { records.map(\.recordID) + failures.map(\.recordID) }
  /// All records that the page names.
  var all: [RecordID] { recordIDs + deleted }
}

/// Saves records as they came, without the parts that were not requested.
struct RecordSaver: Sendable {
  let scope: DatabaseScope
  let options: ContainerDownload
  /// Whether a missing part is a problem, because it is not requested again.
  let isLast: Bool
  /// The records of the page that were unread before.
  var unread: Set<RecordLocation> = []
  /// The contents of assets that came without.
  var contents: [Asset: Result<Asset.Content, CloudError>] = [:]

  /// The result of saving a page.
  struct Saved: Sendable {
    var problems: [DownloadProblem] = []
    /// The records that are not unread any more.
    var read: [RecordLocation] = []
    /// The records that have become unread.
    var unread: [RecordLocation] = []
  }

  func location(_ recordID: RecordID) -> RecordLocation { RecordLocation(scope, recordID) }

  /// Saves a page, and notes which of its records are unread.
  func save(
    _ page: FetchedPage, to writer: MirrorTransaction, _ counts: inout DownloadReport.Counts
  ) throws -> Saved {
    var saved = Saved()
    func note(_ recordID: RecordID, isUnread: Bool) throws {
      let location = location(recordID)
      guard isUnread != unread.contains(location) else { return }
      try location.setUnread(isUnread, in: writer)
      if isUnread { saved.unread.append(location) } else { saved.read.append(location) }
    }
    for recordID in page.deleted {
      if try writer.remove(recordID, from: scope) { counts.deletedRecords += 1 }
      try note(recordID, isUnread: false)
    }
    for record in page.records {
      var new = counts
      let missing = try save(record, to: writer, &new)
      // A record that is requested again counts then.
      if missing.isEmpty || isLast { counts = new }
      saved.problems += missing
      try note(record.recordID, isUnread: !missing.isEmpty)
    }
    for (recordID, error) in page.failures {
      saved.problems.append(problem(.record(recordID), error))
      try note(recordID, isUnread: true)
    }
    return saved
  }

  private func problem(_ subject: DownloadProblem.Subject, _ error: CloudError) -> DownloadProblem {
    DownloadProblem(databaseScope: scope, subject: subject, error: error)
  }

  private func save(
    _ record: ResultRecord, to writer: MirrorTransaction, _ counts: inout DownloadReport.Counts
  ) throws -> [DownloadProblem] {
    var fields = record.allFields
    var problems: [DownloadProblem] = []
    if !options.includesEncryptedValues {
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
    counts.bytes += try writer.put(result, in: scope)
    counts.records += 1
    return problems
  }

  /// Stores the content of an asset, and returns the asset without it.
  ///
  /// - Throws: `assetNotAvailable` and the like if the content is missing, or differs from the
  ///   size or digest that the server states.
  private func stored(
    _ asset: Asset, to writer: MirrorTransaction, _ counts: inout DownloadReport.Counts
  ) throws -> Asset {
    var result = asset
    result.content = nil
    guard options.includesAssets else {
      counts.omittedAssets += 1
      return result
    }
    guard let content = try asset.content ?? contents[asset]?.get() else {
      if let sha256 = asset.sha256, try writer.hasAsset(sha256: sha256) {
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
