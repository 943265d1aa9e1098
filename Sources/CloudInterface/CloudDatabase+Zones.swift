import RecordModel

extension CloudDatabase {
  /// Fetches a zone.
  ///
  /// - Throws: `CloudError`: `zoneNotFound`.
  public func recordZone(for zoneID: ZoneID) async throws -> RecordZone {
    try await recordZones(for: [zoneID]).result(for: zoneID)
  }

  /// Saves a zone. One that exists keeps its records.
  @discardableResult
  public func save(_ zone: RecordZone) async throws -> RecordZone {
    try await modifyRecordZones(saving: [zone], deleting: []).saveResults.result(for: zone.zoneID)
  }

  /// Deletes a zone with all its records.
  ///
  /// - Throws: `CloudError`: `zoneNotFound`.
  @discardableResult
  public func deleteRecordZone(withID zoneID: ZoneID) async throws -> ZoneID {
    try await modifyRecordZones(saving: [], deleting: [zoneID]).deleteResults.result(for: zoneID)
    return zoneID
  }
}
