import CloudInterface
import RecordModel
import RecordStore

/// Zones without a change feed: their records are found by queries, type by type, each time anew.
extension DownloadRun {
  func downloadByQueries(
    _ place: Place, _ database: Container.Database, _ user: RecordID?
  ) async throws {
    guard let zoneID = place.zoneID else { return }
    if recordTypes.isEmpty { report.unqueriedZones.append(place) }
    for type in recordTypes {
      try await downloadQuery(RecordSection(place.databaseScope, zoneID, type), place, database)
    }
    if let user, zoneID == user.zoneID { try await downloadUser(user, place, database) }
  }

  /// Downloads the user's own record, which cannot be queried.
  private func downloadUser(
    _ user: RecordID, _ place: Place, _ database: Container.Database
  ) async throws {
    let section = RecordSection(place.databaseScope, user.zoneID, UserRecord.recordType)
    var query = queries[section] ?? QueryProgress(section)
    guard let zone = zones[place], !query.isDone else { return }
    try await downloadRecords([user.recordName], of: zone, database)
    query.isDone = true
    let done = query
    try await commit { writer, _ in try done.write(to: writer) }
    queries[section] = done
  }

  private func downloadQuery(
    _ section: RecordSection, _ place: Place, _ database: Container.Database
  ) async throws {
    var restarts = 0
    while true {
      let query = queries[section] ?? QueryProgress(section)
      guard !query.isDone else { return }
      let limit = limit ?? 0
      do {
        let (results, cursor) = try await request {
          if let cursor = query.cursor {
            return try await database.records(
              continuingMatchFrom: QueryCursor(data: cursor), desiredKeys: nil,
              resultsLimit: limit)
          }
          return try await database.records(
            matching: RecordQuery(recordType: section.recordType), inZoneWith: section.zoneID,
            desiredKeys: nil, resultsLimit: limit)
        }
        try await keep(results, cursor, query, place, database)
      } catch let error as CloudError {
        switch error.code {
        case .limitExceeded: try halveLimit(after: error)
        case _ where query.cursor != nil && error.isRefusal && restarts < 3:
          // The cursor has expired.
          restarts += 1
          queries[section]?.cursor = nil
        case _ where query.cursor == nil && error.isRefusal:
          report.problems.append(
            DownloadProblem(
              databaseScope: place.databaseScope,
              subject: .recordType(section.recordType, section.zoneID), error: error))
          return
        default: throw error
        }
      }
    }
  }

  private func keep(
    _ results: [(RecordID, Result<ResultRecord, any Error>)], _ cursor: QueryCursor?,
    _ query: QueryProgress, _ place: Place, _ database: Container.Database
  ) async throws {
    guard let zone = zones[place] else { return }
    let page = RecordPage(results)
    let saver = try await saver(of: page, database)
    let section = query.section
    let (newZone, newQuery) = try await commit { writer, state in
      var (zone, query) = (zone, query)
      if query.cursor == nil {
        query.isRelisting = try writer.beginListing(
          of: section.zoneID, section.recordType, in: section.database)
      }
      try saver.save(page, to: writer, &zone, &state.counts)
      if query.isRelisting {
        for recordID in page.recordIDs {
          try writer.noteListed(recordID, section.recordType, in: section.database)
        }
      }
      query.cursor = cursor?.data
      if cursor == nil {
        if query.isRelisting {
          state.counts.deletedRecords += try writer.endListing(
            of: section.zoneID, section.recordType, in: section.database)
        }
        (query.isDone, query.isRelisting) = (true, false)
      }
      try query.write(to: writer)
      try zone.write(to: writer)
      return (zone, query)
    }
    zones[place] = newZone
    queries[section] = newQuery
    try reportProgress()
  }
}
