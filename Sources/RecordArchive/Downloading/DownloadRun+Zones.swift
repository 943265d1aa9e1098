import CloudInterface
import RecordModel
import RecordStore

/// The zones of a database, by its change token and by their list.
extension DownloadRun {
  /// Finds the zones that have changed or are gone since the last time.
  func fetchDatabaseChanges(of database: Container.Database) async throws {
    let scope = database.databaseScope
    var moreComing = true
    while moreComing {
      let token = state.tokens[scope.rawValue].map { ServerChangeToken(data: $0) }
      do {
        let limit = limit
        let page = try await request {
          try await database.databaseChanges(since: token, resultsLimit: limit)
        }
        try await keep(
          page.modifications.map(\.zoneID), page.deletions.map(\.zoneID), page.changeToken, scope)
        moreComing = page.moreComing
        try checkEnd(moreComing, token, page.changeToken)
      } catch CloudError.changeTokenExpired where token != nil {
        try await startAnew(scope)
      } catch let error as CloudError where error.code == .limitExceeded {
        try halveLimit(after: error)
      }
    }
  }

  /// A page without an end would never end.
  func checkEnd(
    _ moreComing: Bool, _ token: ServerChangeToken?, _ next: ServerChangeToken
  ) throws {
    guard moreComing, token == next else { return }
    throw CloudError(
      .internalError, "the server says that more is coming, and sends the same token")
  }

  private func keep(
    _ changed: [ZoneID], _ deleted: [ZoneID], _ token: ServerChangeToken, _ scope: DatabaseScope
  ) async throws {
    let deleted = deleted.map { Place(databaseScope: scope, zoneID: $0) }
    for place in deleted { try await removeZone(place) }
    var pending = changed.filter(options.includes).map { zoneID in
      zones[Place(databaseScope: scope, zoneID: zoneID)] ?? ZoneProgress(zoneID, in: scope)
    }
    for index in pending.indices { pending[index].isPending = true }
    let new = pending
    try await commit { writer, state in
      for zone in new { try zone.write(to: writer) }
      state.tokens[scope.rawValue] = token.data
    }
    for zone in new { zones[zone.place] = zone }
  }

  /// After the database's token has expired, every zone may have changed.
  private func startAnew(_ scope: DatabaseScope) async throws {
    var known = zones.values.filter { $0.scope == scope }
    for index in known.indices { known[index].isPending = true }
    let pending = known
    try await commit { writer, state in
      for zone in pending { try zone.write(to: writer) }
      state.tokens[scope.rawValue] = nil
    }
    for zone in pending { zones[zone.place] = zone }
  }

  /// Fetches the zones themselves, and removes those that are gone.
  ///
  /// - Returns: the zones to download, in the order of a bundle.
  func fetchZones(of database: Container.Database) async throws -> [RecordZone] {
    let scope = database.databaseScope
    var listed = try await allZones(of: database).filter { options.includes($0.zoneID) }
    listed += try await unlistedZones(Set(listed.map(\.zoneID)), of: database)
    let found = listed.sorted { $0.zoneID < $1.zoneID }
    let new = found.map { ZoneProgress($0.zoneID, in: scope) }.filter { zones[$0.place] == nil }
    try await commit { writer, _ in
      for zone in found { try writer.save(zone, in: scope) }
      for zone in new { try zone.write(to: writer) }
    }
    for zone in new { zones[zone.place] = zone }
    return found
  }

  /// The public database has the default zone only, whether or not it can be asked for.
  private func allZones(of database: Container.Database) async throws -> [RecordZone] {
    do {
      return try await request { try await database.allRecordZones() }
    } catch let error as CloudError where database.databaseScope == .public && error.isRefusal {
      return [RecordZone(zoneID: .default)]
    }
  }

  /// Asks for the known zones that were not listed, so that nothing is removed because of an
  /// incomplete list, and removes those that are gone.
  ///
  /// - Returns: those that the server has.
  private func unlistedZones(
    _ listed: Set<ZoneID>, of database: Container.Database
  ) async throws -> [RecordZone] {
    let scope = database.databaseScope
    var known = Set(zones.keys.filter { $0.databaseScope == scope }.compactMap(\.zoneID))
    if scope != .shared { known.insert(.default) }
    let missing = known.subtracting(listed).filter(options.includes).sorted()
    guard !missing.isEmpty else { return [] }
    let results = try await request { try await database.recordZones(for: missing) }
    var found: [RecordZone] = []
    for zoneID in missing {
      do {
        guard let zone = try results[zoneID]?.get() else {
          throw CloudError(.internalError, "the server returned no result for a zone")
        }
        found.append(zone)
      } catch let error as CloudError where error.isZoneGone {
        try await removeZone(Place(databaseScope: scope, zoneID: zoneID))
      }
    }
    return found
  }

  /// Removes a zone that the server no longer has.
  func removeZone(_ place: Place) async throws {
    guard let zone = zones[place] else { return }
    try await commit { writer, state in
      if try writer.reading({ try $0.hasZone(zone.zoneID, in: zone.scope) }) {
        try writer.removeZone(zone.zoneID, from: zone.scope)
        state.counts.deletedZones += 1
      }
      try zone.remove(from: writer)
    }
    zones[place] = nil
  }

  // MARK: Records

  /// Downloads the changed records of a zone.
  func downloadChanges(of place: Place, _ database: Container.Database) async throws {
    var restarts = 0
    while let zone = zones[place], zone.isPending {
      let token = zone.token.map { ServerChangeToken(data: $0) }
      let limit = limit
      do {
        let page = try await request {
          try await database.recordZoneChanges(
            inZoneWith: zone.zoneID, since: token, desiredKeys: nil, resultsLimit: limit)
        }
        let records = RecordPage(page.modificationResultsByID, page.deletions.map(\.recordID))
        try await keep(records, token: page.changeToken, page.moreComing, zone, database)
        try checkEnd(page.moreComing, token, page.changeToken)
      } catch let error as CloudError {
        switch error.code {
        case .changeTokenExpired where token != nil && restarts < 3:
          restarts += 1
          var zone = zone
          zone.token = nil
          try await write(zone)
        case .limitExceeded: try halveLimit(after: error)
        case _ where error.isZoneGone: try await removeZone(place)
        default: throw error
        }
      }
    }
  }

  func write(_ zone: ZoneProgress) async throws {
    try await commit { writer, _ in try zone.write(to: writer) }
    zones[zone.place] = zone
  }

  private func keep(
    _ page: RecordPage, token: ServerChangeToken, _ moreComing: Bool, _ zone: ZoneProgress,
    _ database: Container.Database
  ) async throws {
    let saver = try await saver(of: page, database)
    let zone = try await commit { writer, state in
      var zone = zone
      if zone.token == nil {
        zone.isRelisting = try writer.beginListing(of: zone.zoneID, nil, in: zone.scope)
      }
      try saver.save(page, to: writer, &zone, &state.counts)
      if zone.isRelisting {
        for recordID in page.recordIDs { try writer.noteListed(recordID, nil, in: zone.scope) }
      }
      zone.token = token.data
      if !moreComing {
        if zone.isRelisting {
          state.counts.deletedRecords += try writer.endListing(
            of: zone.zoneID, nil, in: zone.scope)
        }
        (zone.isRelisting, zone.isPending) = (false, false)
      }
      try zone.write(to: writer)
      return zone
    }
    zones[zone.place] = zone
    try reportProgress()
  }
}

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
