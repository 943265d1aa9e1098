import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// The zones of a database, by its change token and by their list, and their records.
extension DownloadRun {
  /// Finds the zones that have changed or are gone since the last time.
  func fetchDatabaseChanges(of database: Database) async throws {
    let scope = database.databaseScope
    try await pages {
      let token = state.tokens[scope.rawValue].map { ServerChangeToken(data: $0) }
      let page = try await request {
        try await database.databaseChanges(since: token, resultsLimit: limit)
      }
      for deletion in page.deletions { try await removeZone(ZoneLocation(scope, deletion.zoneID)) }
      let changed = page.modifications.map(\.zoneID).filter(options.includes).map { zoneID in
        let new = Listing(ZoneLocation(scope, zoneID))
        return listings[new.key] ?? new
      }
      try await setPending(changed, page.changeToken.data, in: scope)
      try checkEnd(page.moreComing, token, page.changeToken)
      return page.moreComing
    } recovering: { error in
      guard error.code == .changeTokenExpired, state.tokens[scope.rawValue] != nil else {
        return false
      }
      // Every zone may have changed.
      let known = listings.values.filter { $0.scope == scope && $0.recordType == nil }
      try await setPending(known, nil, in: scope)
      return true
    }
  }

  /// Notes that zones have changed up to a token of their database.
  private func setPending(
    _ zones: [Listing], _ token: Data?, in scope: DatabaseScope
  ) async throws {
    let pending = zones.map { zone in
      var zone = zone
      zone.isPending = true
      return zone
    }
    try await commit { writer, state in
      for zone in pending { try zone.write(to: writer) }
      state.tokens[scope.rawValue] = token
    }
    for zone in pending { listings[zone.key] = zone }
  }

  /// Throws for a page without an end.
  private func checkEnd(
    _ moreComing: Bool, _ token: ServerChangeToken?, _ next: ServerChangeToken
  ) throws {
    guard moreComing, token == next else { return }
    throw CloudError(
      .internalError, "the server says that more is coming, and sends the same token")
  }

  /// Fetches the zones themselves, and removes those that are gone.
  ///
  /// - Returns: The zones to download, in the order of a bundle.
  func fetchZones(of database: Database) async throws -> [RecordZone] {
    let scope = database.databaseScope
    var listed = try await allZones(of: database).filter { options.includes($0.zoneID) }
    listed += try await unlistedZones(Set(listed.map(\.zoneID)), of: database)
    let found = listed.sorted { $0.zoneID < $1.zoneID }
    let new = found.map { Listing(ZoneLocation(scope, $0.zoneID)) }
      .filter { listings[$0.key] == nil }
    try await commit { writer, _ in
      for zone in found { try writer.put(zone, in: scope) }
      for zone in new { try zone.write(to: writer) }
    }
    for zone in new { listings[zone.key] = zone }
    return found
  }

  /// The public database has the default zone only, whether or not it can be asked for.
  private func allZones(of database: Database) async throws -> [RecordZone] {
    do {
      return try await request { try await database.allRecordZones() }
    } catch let error as CloudError where database.databaseScope == .public && error.isRefusal {
      return [RecordZone(zoneID: .default)]
    }
  }

  /// Asks for the known zones that were not listed, so that nothing is removed because of an
  /// incomplete list, and removes those that are gone.
  ///
  /// - Returns: The zones that the server has.
  private func unlistedZones(
    _ listed: Set<ZoneID>, of database: Database
  ) async throws -> [RecordZone] {
    let scope = database.databaseScope
    var known = Set(listings.values.filter { $0.scope == scope }.map(\.zoneID))
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
        try await removeZone(ZoneLocation(scope, zoneID))
      }
    }
    return found
  }

  /// Removes a zone that the server no longer has.
  func removeZone(_ zone: ZoneLocation) async throws {
    let gone = listings.values.filter { $0.zone == zone }
    guard gone.contains(where: { $0.recordType == nil }) else { return }
    let records = unread.filter { $0.zone == zone }
    try await commit { writer, state in
      if try writer.hasZone(zone.zoneID, in: zone.database) {
        try writer.removeZone(zone.zoneID, from: zone.database)
        state.counts.deletedZones += 1
      }
      for listing in gone { try listing.remove(from: writer) }
      for record in records { try record.setUnread(false, in: writer) }
    }
    for listing in gone { listings[listing.key] = nil }
    unread.subtract(records)
  }

  // MARK: Records

  /// Queries a zone without a change feed for its records, type by type, each time anew.
  func downloadByQueries(
    _ zone: ZoneLocation, _ database: Database, _ user: RecordID?
  ) async throws {
    if recordTypes.isEmpty {
      report.unqueriedZones.append(.init(databaseScope: zone.database, zoneID: zone.zoneID))
    }
    for type in recordTypes { try await download(Listing(zone, ofType: type), database) }
    // The user's own record cannot be queried.
    guard let user, user.zoneID == zone.zoneID else { return }
    var listing = Listing(zone, ofType: UserRecord.recordType)
    listing = listings[listing.key] ?? listing
    guard listing.isPending else { return }
    try await downloadRecords([user], of: zone, database)
    listing.isPending = false
    let done = listing
    try await commit { writer, _ in try done.write(to: writer) }
    listings[done.key] = done
  }

  /// Downloads the changed records of a zone, or all records of a type.
  func download(_ new: Listing, _ database: Database) async throws {
    if new.recordType != nil, listings[new.key] == nil { listings[new.key] = new }
    var restarts = 0
    try await pages {
      guard let listing = listings[new.key], listing.isPending else { return false }
      let (page, position, isLast) = try await page(of: listing, database)
      try await keep(page, position, isLast, listing, database)
      return !isLast
    } recovering: { error in
      guard let listing = listings[new.key] else { return false }
      let hasExpired =
        listing.recordType == nil ? error.code == .changeTokenExpired : error.isRefusal
      if listing.position != nil, hasExpired, restarts < 3 {
        restarts += 1
        listings[new.key]?.position = nil
        return true
      }
      if let type = listing.recordType, listing.position == nil, error.isRefusal {
        report.problems.append(
          DownloadProblem(
            databaseScope: listing.scope, subject: .recordType(type, listing.zoneID), error: error))
        listings[new.key]?.isPending = false
        return true
      }
      guard listing.recordType == nil, error.isZoneGone else { return false }
      try await removeZone(listing.zone)
      return true
    }
  }

  /// Requests the next page of a zone's changes, or of a query.
  private func page(
    of listing: Listing, _ database: Database
  ) async throws -> (FetchedPage, position: Data?, isLast: Bool) {
    if let type = listing.recordType {
      let (results, cursor) = try await request {
        if let cursor = listing.position {
          return try await database.records(
            continuingMatchFrom: QueryCursor(data: cursor), desiredKeys: nil,
            resultsLimit: limit ?? 0)
        }
        return try await database.records(
          matching: RecordQuery(recordType: type), inZoneWith: listing.zoneID, desiredKeys: nil,
          resultsLimit: limit ?? 0)
      }
      return (FetchedPage(results), cursor?.data, cursor == nil)
    }
    let token = listing.position.map { ServerChangeToken(data: $0) }
    let page = try await request {
      try await database.recordZoneChanges(
        inZoneWith: listing.zoneID, since: token, desiredKeys: nil, resultsLimit: limit)
    }
    try checkEnd(page.moreComing, token, page.changeToken)
    let records = page.modificationResultsByID.map { ($0.key, $0.value.map(\.record)) }
    let deleted = page.deletions.map(\.recordID)
    return (FetchedPage(records, deleted: deleted), page.changeToken.data, !page.moreComing)
  }

  private func keep(
    _ page: FetchedPage, _ position: Data?, _ isLast: Bool, _ old: Listing, _ database: Database
  ) async throws {
    let saver = try await saver(of: page, database)
    let (listing, saved) = try await commit { writer, state in
      var listing = old
      let (zoneID, type, scope) = (listing.zoneID, listing.recordType, listing.scope)
      if listing.position == nil {
        listing.isRelisting = try writer.beginListing(of: zoneID, type, in: scope)
      }
      let saved = try saver.save(page, to: writer, &state.counts)
      if listing.isRelisting {
        for recordID in page.recordIDs { try writer.noteListed(recordID, type, in: scope) }
      }
      listing.position = position
      if isLast {
        if listing.isRelisting {
          state.counts.deletedRecords += try writer.endListing(of: zoneID, type, in: scope)
        }
        (listing.isRelisting, listing.isPending) = (false, false)
      }
      try listing.write(to: writer)
      return (listing, saved)
    }
    listings[listing.key] = listing
    try note(saved)
  }
}
