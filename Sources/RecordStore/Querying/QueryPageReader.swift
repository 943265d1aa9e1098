import struct Foundation.Date
import RecordModel

/// Reads the records that match a query, page by page.
///
/// An index narrows the records down that are looked at, and gives their order where it has it;
/// whether a record matches is decided by the query alone. Where no index has the order of the
/// results, a page's worth of the best records is kept while all that may match are read.
struct QueryPageReader {
  /// Above so many candidates, records are read in the order of the results instead, until the page
  /// is full.
  static let maxCandidates = 2_000

  let rows: QueryRows
  private var match: QueryMatch { rows.request.match }
  private var limit: Int { rows.request.limit }
  private var after: QueryPosition? { rows.request.after }

  // MARK: Choosing an index

  /// - Throws: `MissingIndex`.
  func page() throws -> QueryPage {
    let candidates = match.filters.compactMap(QueryCandidates.init)
    let narrow = candidates.min { $0.rank < $1.rank }
    if match.sort.isEmpty {
      do {
        if let narrow, narrow.areSingleKeys { return try pageByName(narrow) }
        if let narrow, try areFew(narrow) { return try pageOfBest(narrow) }
      } catch is MissingIndex where rows.request.maxSearched != nil {
        // So few records are searched that an index of all costs more.
      }
      let all = try rows.index(.name)
      return try page(
        of: rows.zones.map { stream(all, $0, IndexRange(.missing), byName: true) }, all)
    }
    let sort = match.sort[0]
    guard match.sort.count == 1, sort.center == nil else {
      if let narrow { return try pageOfBest(narrow) }
      let all = try rows.index(.name)
      return try pageOfBest(
        all, rows.zones.map { IndexStream(rows.db, all, $0, IndexRange(.missing)) })
    }
    if let narrow, narrow.areSingleKeys, !narrow.field.sameScalars(as: sort.field),
      try areFew(narrow)
    {
      return try pageOfBest(narrow)
    }
    let index = try rows.index(.value, field: sort.field)
    let bounds = match.filters.filter { $0.field.sameScalars(as: sort.field) }
      .compactMap(QueryCandidates.init).filter { $0.kind == .value }
    let streams = rows.zones.flatMap { zone in
      var ranges = [IndexRange.all]
      for bound in bounds {
        let others = bound.ranges(zone.id)
        ranges = ranges.flatMap { range in others.map(range.intersection) }
      }
      return ranges.filter { !$0.isEmpty }.map { stream(index, zone, $0, byName: false) }
    }
    // The range of all keys has that of damaged records.
    let unreadable = try bounds.isEmpty ? [] : unreadable(in: index, byName: false)
    return try page(of: streams + unreadable, index)
  }

  /// Whether an index leaves so few records that all can be looked at.
  private func areFew(_ candidates: QueryCandidates) throws -> Bool {
    let index = try rows.index(candidates.kind, field: candidates.field)
    var left = Self.maxCandidates
    for zone in rows.zones {
      for range in candidates.ranges(zone.id) {
        let count = try rows.db.integer(
          """
          SELECT count(*) FROM (SELECT 1 FROM indexEntry
            WHERE recordIndex = ? AND zone = ? AND key >= ? AND key < ? LIMIT ?)
          """, [index.id, zone.row, range.lower, range.upper ?? IndexStream.end, left + 1])
        left -= Int(count ?? 0)
        if left < 0 { return false }
      }
    }
    return true
  }

  // MARK: Records in the order of an index

  private func pageByName(_ candidates: QueryCandidates) throws -> QueryPage {
    let index = try rows.index(candidates.kind, field: candidates.field)
    let streams = rows.zones.flatMap { zone in
      candidates.ranges(zone.id).map { stream(index, zone, $0, byName: true) }
    }
    return try page(of: streams + unreadable(in: index, byName: true), index)
  }

  /// Returns the entries of an index for damaged records, after the last page.
  private func unreadable(in index: StoredIndex, byName: Bool) throws -> [IndexStream] {
    try rows.zonesWithUnreadable(in: index).map {
      stream(index, $0, IndexRange(.unreadable), byName: byName)
    }
  }

  /// Returns the entries of a zone after the last page.
  private func stream(
    _ index: StoredIndex, _ zone: (row: Int64, id: ZoneID), _ range: IndexRange, byName: Bool
  ) -> IndexStream {
    let isAscending = byName || match.sort[0].isAscending
    var start = IndexStream.Start.beginning
    if let after {
      let key = byName ? range.lower : after.keys[0]
      let last = after.recordID
      if zone.id < last.zoneID {
        start = .afterKey(key)
      } else if zone.id == last.zoneID {
        start = .afterName(key, last.recordName)
      } else {
        start = .with(key)
      }
    }
    return IndexStream(rows.db, index, zone, range, isAscending: isAscending, from: start)
  }

  /// Merges streams, each of which is in the order of the results.
  private func page(of streams: [IndexStream], _ index: StoredIndex) throws -> QueryPage {
    if streams.count == 1, let page = try page(of: streams[0], index) { return page }
    var streams = streams
    var lastID: RecordID?
    return try collect {
      while let next = try first(of: &streams) {
        // A record with two of the keys is in two streams.
        if next.recordID == lastID { continue }
        lastID = next.recordID
        return try rows.candidate(next, of: index)
      }
      return nil
    }
  }

  /// Reads one stream, and its records in the same statement.
  ///
  /// - Returns: nil if it cannot be read so.
  private func page(of stream: IndexStream, _ index: StoredIndex) throws -> QueryPage? {
    guard let entries = try stream.records() else { return nil }
    defer { entries.reset() }
    return try collect {
      try entries.step() ? rows.candidate(entries, of: index, in: stream.zone) : nil
    }
  }

  /// Collects the results that the request includes, up to its limit.
  ///
  /// - Parameter next: returns the next candidate in the order of the results; nil at the end.
  private func collect(_ next: () throws -> QueryCandidate?) throws -> QueryPage {
    var page = QueryPage()
    // The last of the results, and the last record that was searched.
    var last: QueryCandidate?
    var lastSearched: QueryCandidate?
    var searched = 0
    while let candidate = try next() {
      if searched == rows.request.maxSearched {
        page.last = lastSearched.map(rows.position)
        page.isCut = true
        break
      }
      searched += 1
      lastSearched = candidate
      guard let result = try rows.result(of: candidate) else { continue }
      guard page.results.count < limit else {
        page.last = last.map(rows.position)
        break
      }
      page.results.append((candidate.recordID, result))
      last = candidate
    }
    return page
  }

  /// Removes the first entry of all streams.
  private func first(of streams: inout [IndexStream]) throws -> IndexEntry? {
    var best: (place: Int, entry: IndexEntry)?
    for place in streams.indices {
      guard let entry = try streams[place].peek() else { continue }
      if let best, !precedes(entry, best.entry) { continue }
      best = (place, entry)
    }
    guard let best else { return nil }
    streams[best.place].removeFirst()
    return best.entry
  }

  private func precedes(_ a: IndexEntry, _ b: IndexEntry) -> Bool {
    if let sort = match.sort.first, a.key != b.key { return (a.key < b.key) == sort.isAscending }
    return a.recordID < b.recordID
  }

  // MARK: Records in any order

  private func pageOfBest(_ candidates: QueryCandidates) throws -> QueryPage {
    let index = try rows.index(candidates.kind, field: candidates.field)
    let streams = rows.zones.flatMap { zone in
      candidates.ranges(zone.id).map { IndexStream(rows.db, index, zone, $0) }
    }
    let unreadable = try rows.zonesWithUnreadable(in: index).map {
      IndexStream(rows.db, index, $0, IndexRange(.unreadable))
    }
    return try pageOfBest(index, streams + unreadable)
  }

  private func pageOfBest(
    _ index: StoredIndex, _ streams: [IndexStream]
  ) throws -> QueryPage {
    var heap = PageHeap(match, limit: limit + 1)
    for var stream in streams {
      while let entry = try stream.peek() {
        stream.removeFirst()
        var candidate = try rows.candidate(entry, of: index)
        // The key is of another order than that of the results.
        if case .damaged(let recordID, _, let error) = candidate {
          candidate = .damaged(recordID, key: nil, error)
        }
        try add(candidate, entry.record, to: &heap)
      }
    }
    return try page(of: heap)
  }

  private func add(_ candidate: QueryCandidate, _ row: Int64, to heap: inout PageHeap) throws {
    switch try rows.result(of: candidate) {
    case .success?: heap.add(rows.position(of: candidate), row)
    case .failure(let error)?: heap.add(rows.position(of: candidate), row, error)
    case nil: break
    }
  }

  /// Reads all records of the type, for a container that cannot have the index.
  func pageWithoutIndex() throws -> QueryPage {
    var heap = PageHeap(match, limit: limit + 1)
    try rows.forEachCandidate { try add($0, $1, to: &heap) }
    return try page(of: heap)
  }

  private func page(of heap: PageHeap) throws -> QueryPage {
    let found = heap.rows
    let results = try found.prefix(limit).compactMap { item -> QueryPage.Item? in
      let recordID = item.position.recordID
      if let error = item.error { return (recordID, .failure(error)) }
      return try rows.record(inRow: item.row).map { (recordID, .success($0)) }
    }
    return QueryPage(
      results: results, last: found.count > limit ? found[limit - 1].position : nil)
  }
}

extension ContainerSnapshot {
  /// Returns the next records of a query, without making an index.
  ///
  /// - Throws: `MissingIndex` if the container does not have an index that the query needs, and
  ///   `needsIndex` is true; without it, all records of the type are read.
  func page(_ request: QueryPageRequest, needsIndex: Bool) throws -> QueryPage {
    guard let rows = try QueryRows(self, request) else { return QueryPage() }
    let reader = QueryPageReader(rows: rows)
    do {
      return try reader.page()
    } catch is MissingIndex where !needsIndex {
      return try reader.pageWithoutIndex()
    } catch is DamagedIndex where !needsIndex {
      return try reader.pageWithoutIndex()
    }
  }
}

extension ContainerStore {
  /// Returns the next records of a query; see ``query(makesIndexes:_:)``.
  package func page(
    _ request: QueryPageRequest, makesIndexes: Bool = true
  ) throws -> QueryPage {
    try query(makesIndexes: makesIndexes) { _, page in try page(request) }
  }

  /// Calls `body` with the state of the container and a function that returns the next records of a
  /// query.
  ///
  /// Makes the indexes that the query needs, once, and calls `body` again. A container that is opened
  /// for reading only cannot have new indexes: the function then reads all records of the type, with
  /// the same result.
  ///
  /// - Throws: ``MissingIndex`` in place of making one, unless `makesIndexes`.
  package func query<T>(
    makesIndexes: Bool = true,
    _ body: (ContainerSnapshot, (QueryPageRequest) throws -> QueryPage) throws -> T
  ) throws -> T {
    func read(needsIndex: Bool) throws -> T {
      try snapshot { snapshot in
        try body(snapshot) { try snapshot.page($0, needsIndex: needsIndex) }
      }
    }
    // A query needs at most three indexes; another process may remove them in between, and damaged ones
    // are made again.
    for _ in 0..<8 where !isReadOnly {
      do {
        return try read(needsIndex: true)
      } catch let missing as MissingIndex where makesIndexes {
        try make(missing)
      } catch is DamagedIndex {
        try transaction { try $0.dropIndexes() }
      }
    }
    return try read(needsIndex: false)
  }
}

extension ContainerStore {
  /// Makes the index that narrows a query down most, if the container does not have it and can be
  /// changed.
  package func makeIndex(for request: QueryPageRequest) throws {
    let narrow = request.match.filters.compactMap(QueryCandidates.init).min { $0.rank < $1.rank }
    guard !isReadOnly, let narrow else { return }
    do {
      try snapshot { snapshot in
        _ = try QueryRows(snapshot, request)?.index(narrow.kind, field: narrow.field)
      }
    } catch let missing as MissingIndex {
      try make(missing)
    }
  }
}

/// A request for the next records of a query.
package struct QueryPageRequest {
  /// The predicate that the records match, and their order.
  package var match: QueryMatch
  package var scope: DatabaseScope
  /// Whether to search a zone.
  package var searches: (ZoneID) -> Bool
  /// Whether the user may see a record that matches.
  package var includes: (ResultRecord) throws -> Bool = { _ in true }
  /// The last record of the page before; nil for the first page.
  package var after: QueryPosition?
  /// The maximum number of records, at least 1.
  package var limit: Int
  /// The number of records that are searched one after the other; nil for all. The page may then end
  /// before it is full: see ``QueryPage/isCut``. No index is made for a filter.
  package var maxSearched: Int?
  /// Only records that were modified up to then, or at an unknown time; nil for all.
  package var modifiedUntil: Date?

  package init(
    _ match: QueryMatch, in scope: DatabaseScope,
    searching: @escaping (ZoneID) -> Bool = { _ in true },
    after: QueryPosition? = nil, limit: Int, modifiedUntil: Date? = nil
  ) {
    self.match = match
    self.scope = scope
    searches = searching
    self.after = after
    self.limit = limit
    self.modifiedUntil = modifiedUntil
  }
}

/// Results of a query, in order.
package struct QueryPage: Sendable {
  package typealias Result = Swift.Result<ResultRecord, ContainerStoreError>
  package typealias Item = (recordID: RecordID, result: Result)

  /// The records that match, and the errors of damaged records, which may match.
  package var results: [Item] = []
  /// The place of the last of the results if there are more after it; of a page that is cut, the
  /// place of the last record that was searched.
  package var last: QueryPosition?
  /// Whether the page ends because ``QueryPageRequest/maxSearched`` records were searched.
  package var isCut = false

  /// The records that match and can be read.
  package var records: [ResultRecord] { results.compactMap { try? $0.result.get() } }
}

/// An index has an entry that is not that of its record. Indexes are made again.
struct DamagedIndex: Error {}
