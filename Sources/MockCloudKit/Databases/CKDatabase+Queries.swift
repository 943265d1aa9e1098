import CloudInterface
import Foundation
import RecordModel

extension CKDatabase {
  public func records(
    matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int = CKQueryOperation.maximumResults
  ) async throws -> (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
    queryCursor: CKQueryOperation.Cursor?
  ) {
    let model = try RecordQuery(query)
    let answer = try await translatingErrors {
      try await database.records(
        matching: model, inZoneWith: zoneID.map { ZoneID($0) }, desiredKeys: desiredKeys,
        resultsLimit: resultsLimit)
    }
    return (await matches(answer.matchResults), answer.queryCursor.map { .init($0) })
  }

  public func records(
    continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
    desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int = CKQueryOperation.maximumResults
  ) async throws -> (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
    queryCursor: CKQueryOperation.Cursor?
  ) {
    let answer = try await translatingErrors {
      try await database.records(
        continuingMatchFrom: queryCursor.model, desiredKeys: desiredKeys,
        resultsLimit: resultsLimit)
    }
    return (await matches(answer.matchResults), answer.queryCursor.map { .init($0) })
  }

  private func matches(
    _ matches: [(RecordID, Result<ResultRecord, any Error>)]
  ) async -> [(CKRecord.ID, Result<CKRecord, any Error>)] {
    var translated: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
    for (id, result) in matches {
      translated.append((CKRecord.ID(id), await reader.result(result)))
    }
    return translated
  }
}
