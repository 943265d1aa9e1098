import RecordModel
import RecordStore

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
