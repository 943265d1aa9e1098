import RecordModel

/// A search for records of all types by the beginnings of their names, and of words in their texts,
/// whatever their case and accents. Encrypted values are not searched.
package struct WordSearch {
  /// The text that names begin with.
  private let text: String
  /// The words that words of a record begin with.
  private let words: [String]
  /// The zone to search; nil for all.
  private let place: ZoneLocation?
  private let limit: Int

  /// A record that was found.
  package typealias Hit = (database: DatabaseScope, record: ResultRecord)

  package init(_ text: String, in place: ZoneLocation? = nil, limit: Int) {
    self.text = text
    words = TextTokens.words(of: text)
    self.place = place
    self.limit = limit
  }

  /// The range of the keys in an index of words: that of the longest word.
  private var range: IndexRange? {
    guard let longest = words.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
    return TextTokens.key(ofWord: longest).map { IndexRange(prefix: $0) }
      ?? IndexRange(TextTokens.otherKey)
  }

  /// Whether words of the record's texts begin with all words.
  private func matches(_ record: ResultRecord) -> Bool {
    let found = record.searchedTexts(in: nil, nil).flatMap(TextTokens.words)
    return words.allSatisfy { word in found.contains { $0.hasPrefix(word) } }
  }

  // MARK: Reading

  private typealias Zone = (row: Int64, place: ZoneLocation)

  private func zones(_ db: SQLiteConnection) throws -> [Zone] {
    try db.all("SELECT id, scope, name, owner FROM zone ORDER BY scope, owner, name") { row in
      let scope = row.scope(1)
      let zoneID = row.zoneID(2)
      return scope.map { (row.int64(0), ZoneLocation($0, zoneID)) }
    }.compactMap(\.self).filter { place == nil || $0.place == place }
  }

  private func types(_ db: SQLiteConnection) throws -> [(row: Int64, name: String)] {
    try db.all(
      """
      SELECT id, name FROM recordType
      WHERE id IN (SELECT type FROM section WHERE records > 0) ORDER BY name
      """
    ) { ($0.int64(0), $0.string(1)) }
  }

  /// Returns the indexes of words that the search needs and the container does not have.
  fileprivate func missing(in snapshot: ContainerSnapshot) throws -> MissingIndex? {
    guard !words.isEmpty else { return nil }
    let known = Set(try StoredIndex.intact(in: snapshot.db).map(\.index))
    let missing = try types(snapshot.db).map { (RecordIndex(.word, of: $0.name), $0.row) }
      .filter { !known.contains($0.0) }
    return missing.isEmpty ? nil : .records(missing)
  }

  /// Returns the records that are found, at most one more than the limit: those with the names first.
  fileprivate func hits(in snapshot: ContainerSnapshot) throws -> [Hit] {
    let db = try snapshot.db
    let zones = try zones(db)
    var hits: [Hit] = []
    var known: Set<RecordLocation> = []
    func add(_ record: ResultRecord?, _ database: DatabaseScope) -> Bool {
      if let record, known.insert(RecordLocation(database, record.recordID)).inserted {
        hits.append((database, record))
      }
      return hits.count <= limit
    }
    for (row, place) in zones {
      for name in try names(db, row) {
        let recordID = RecordID(recordName: name, zoneID: place.zoneID)
        let found = try snapshot.readableRecord(recordID, in: place.database)
        guard add(try? found.get()?.record, place.database) else { return hits }
      }
    }
    guard let range else { return hits }
    let indexes = try StoredIndex.intact(in: db)
    for type in try types(db) {
      guard let index = indexes.first(where: { $0.index == RecordIndex(.word, of: type.name) })
      else { continue }
      for (row, place) in zones {
        var stream = IndexStream(db, index, (row, place.zoneID), range)
        var last: RecordID?
        while let entry = try stream.peek() {
          stream.removeFirst()
          guard entry.recordID != last else { continue }
          last = entry.recordID
          let found = try? snapshot.readableRecord(entry.recordID, in: place.database).get()?.record
          guard let record = found, matches(record) else { continue }
          guard add(record, place.database) else { return hits }
        }
      }
    }
    return hits
  }

  /// Returns the names of records in a zone that begin with the text, in its own case or one case.
  private func names(_ db: SQLiteConnection, _ zone: Int64) throws -> [String] {
    var names: [String] = []
    for text in Set([text, text.lowercased(), text.uppercased()]).sorted() {
      names += try db.all(
        "SELECT name FROM record WHERE zone = ? AND name >= ? AND name < ? ORDER BY name LIMIT ?",
        [zone, text, text + "\u{10FFFF}", Int64(limit + 1)]
      ) { $0.string(0) }
    }
    return names
  }

  /// Searches a container that cannot have indexes.
  fileprivate func scan(_ snapshot: ContainerSnapshot, _ hits: inout [Hit]) throws {
    var known = Set(hits.map { RecordLocation($0.database, $0.record.recordID) })
    for scope in DatabaseScope.allCases where place.map({ $0.database == scope }) ?? true {
      let filter = place.map { RecordFilter(zoneIDs: [$0.zoneID]) } ?? .all
      try snapshot.forEachRecord(in: scope, filter: filter) { record in
        guard hits.count <= limit, matches(record),
          known.insert(RecordLocation(scope, record.recordID)).inserted
        else { return }
        hits.append((scope, record))
      }
    }
  }
}

extension ContainerStore {
  /// Returns the records that a search finds, at most one more than its limit.
  ///
  /// - Returns: also the indexes of words without which the search may not have found all; nil for none.
  ///   A container that is open for reading only, and does not have them, is read as a whole instead.
  package func records(
    _ search: WordSearch
  ) throws -> (hits: [WordSearch.Hit], missing: MissingIndex?) {
    try snapshot { snapshot in
      let missing = try search.missing(in: snapshot)
      var hits = try search.hits(in: snapshot)
      guard isReadOnly, missing != nil else { return (hits, missing) }
      try search.scan(snapshot, &hits)
      return (hits, nil)
    }
  }
}
