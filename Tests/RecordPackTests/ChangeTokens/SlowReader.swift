import RecordPack
import TestSupport

/// A client that fetches a page of changes now and then, and keeps what it has fetched.
struct SlowReader {
  /// The texts and tags of the records.
  private(set) var records: [RecordID: String] = [:]
  private(set) var zones: Set<ZoneID> = []
  /// How many tokens were expired.
  private(set) var expired = 0
  /// Whether it fetches the changes of a database in pages; otherwise all at once.
  private let readsPages: Bool
  private var token: ServerChangeToken?
  private var isDone = false
  private var zoneTokens: [ZoneID: ServerChangeToken] = [:]
  private var changed: Set<ZoneID> = []

  init(readsPages: Bool = true) { self.readsPages = readsPages }

  /// The text and the tag of a record.
  static func text(of record: ResultRecord) -> String {
    "\(record["text"] ?? "") \(record.systemFields.recordChangeTag ?? "-")"
  }

  /// Fetches a page of the database or of a changed zone, and now and then all that there is.
  mutating func read(_ database: MockDatabase, _ random: inout SeededGenerator) async throws {
    switch random.below(5) {
    case 0: try await readAll(database, &random)
    case 1, 2: try await readDatabase(database, &random)
    default: try await readZone(of: database, &random)
    }
  }

  /// Fetches until there is nothing more.
  mutating func readAll(_ database: MockDatabase, _ random: inout SeededGenerator) async throws {
    isDone = false
    while !isDone || !changed.isEmpty {
      if isDone {
        try await readZone(of: database, &random)
      } else {
        try await readDatabase(database, &random)
      }
    }
  }

  private mutating func readDatabase(
    _ database: MockDatabase, _ random: inout SeededGenerator
  ) async throws {
    repeat {
      do {
        let page = try await database.databaseChanges(
          since: token, resultsLimit: readsPages ? 1 + random.below(2) : nil)
        for zoneID in page.deletions.map(\.zoneID) {
          forget(zoneID)
          zones.remove(zoneID)
        }
        changed.formUnion(page.modifications.map(\.zoneID))
        zones.formUnion(page.modifications.map(\.zoneID))
        (token, isDone) = (page.changeToken, !page.moreComing)
      } catch CloudError.changeTokenExpired {
        let count = expired + 1
        self = SlowReader(readsPages: readsPages)
        expired = count
      }
    } while !readsPages && !isDone
  }

  private mutating func readZone(
    of database: MockDatabase, _ random: inout SeededGenerator
  ) async throws {
    guard !changed.isEmpty else { return }
    let zoneID = random.pick(changed.sorted())
    do {
      let page = try await database.recordZoneChanges(
        inZoneWith: zoneID, since: zoneTokens[zoneID], desiredKeys: nil,
        resultsLimit: random.chance(4) ? nil : 1 + random.below(3))
      for (recordID, result) in page.modificationResultsByID {
        records[recordID] = try Self.text(of: result.get().record)
      }
      for deletion in page.deletions { records[deletion.recordID] = nil }
      zoneTokens[zoneID] = page.changeToken
      if !page.moreComing { changed.remove(zoneID) }
    } catch CloudError.changeTokenExpired {
      expired += 1
      forget(zoneID)
      changed.insert(zoneID)
    } catch CloudError.zoneNotFound {
      // The feed of the database tells of its deletion.
      changed.remove(zoneID)
    } catch CloudError.userDeletedZone {
      changed.remove(zoneID)
    }
  }

  private mutating func forget(_ zoneID: ZoneID) {
    zoneTokens[zoneID] = nil
    changed.remove(zoneID)
    records = records.filter { $0.key.zoneID != zoneID }
  }
}
