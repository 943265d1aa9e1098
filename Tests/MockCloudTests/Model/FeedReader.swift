import CloudInterface
import MockCloud
import RecordModel

/// A client that keeps what it has fetched, and its tokens.
struct FeedReader {
  private(set) var records: [RecordID: ResultRecord] = [:]
  private var token: ServerChangeToken?
  private var zoneTokens: [ZoneID: ServerChangeToken] = [:]
  private var changed: Set<ZoneID> = []

  /// Fetches until there is nothing more.
  mutating func readAll(_ database: MockDatabase, _ random: inout SeededGenerator) async throws {
    repeat {
      try await read(database, pages: .max, &random)
    } while !changed.isEmpty
  }

  /// Fetches the changed zones, and up to so many pages of their records.
  mutating func read(
    _ database: MockDatabase, pages: Int, _ random: inout SeededGenerator
  ) async throws {
    var moreComing = true
    while moreComing {
      let page = try await database.databaseChanges(
        since: token, resultsLimit: random.chance(2) ? nil : 1 + random.below(2))
      for deletion in page.deletions { forget(deletion.zoneID) }
      changed.formUnion(page.modifications.map(\.zoneID))
      (token, moreComing) = (page.changeToken, page.moreComing)
    }
    var left = pages
    while left > 0, let zoneID = changed.sorted().first {
      left -= 1
      do {
        let page = try await database.recordZoneChanges(
          inZoneWith: zoneID, since: zoneTokens[zoneID], desiredKeys: nil,
          resultsLimit: random.chance(2) ? nil : 1 + random.below(4))
        for (recordID, result) in page.modificationResultsByID {
          records[recordID] = try result.get().record
        }
        for deletion in page.deletions { records[deletion.recordID] = nil }
        zoneTokens[zoneID] = page.changeToken
        if !page.moreComing { changed.remove(zoneID) }
      } catch CloudError.changeTokenExpired {
        forget(zoneID)
        changed.insert(zoneID)
      }
    }
  }

  private mutating func forget(_ zoneID: ZoneID) {
    zoneTokens[zoneID] = nil
    changed.remove(zoneID)
    records = records.filter { $0.key.zoneID != zoneID }
  }
}
