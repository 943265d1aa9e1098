import RecordCoding
import RecordModel
import RecordPlatform

extension BundleReader {
  /// The number of names to look up at a time, whose records are in memory.
  private static let nameCount = 4096

  /// Calls `body` with each name and the records with that name, in any zone that the filter
  /// includes.
  ///
  /// Reads at most one frame per name, zone and record type, and for up to 4,096 names each frame
  /// once, on several threads: sorted names are found fastest.
  package func forEachName(
    _ names: [String], _ filter: RecordFilter = .all, threads: Int = BundleThreads.recommended,
    _ body: (String, [(database: DatabaseScope, record: ResultRecord)]) throws -> Void
  ) throws {
    for start in stride(from: 0, to: names.count, by: Self.nameCount) {
      let part = names[start..<min(start + Self.nameCount, names.count)]
      var found: [[(database: DatabaseScope, record: ResultRecord)]] = part.map { _ in [] }
      try OrderedMap.run(
        threads: threads, window: threads + 1,
        transform: { (search: FrameSearch) in try search.run(filter) },
        consume: { for hit in $0 { found[hit.name].append((hit.database, hit.record)) } },
        produce: { add in
          for file in files { for search in file.searches(for: part, filter) { try add(search) } }
        })
      for (name, records) in zip(part, found) { try body(name, records) }
    }
  }
}

/// A frame in which records with some names may be.
private struct FrameSearch: Sendable {
  let file: BundleFile
  let number: Int
  /// The numbers of the names that are looked for.
  let names: [PackedName: [Int]]

  struct Hit: Sendable {
    let name: Int
    let database: DatabaseScope
    let record: ResultRecord
  }

  func run(_ filter: RecordFilter) throws -> [Hit] {
    var hits: [Hit] = []
    try file.withFrame(number) { frame in
      try frame.forEachLine { line, number in
        if let key = frame.reader.readKey(line), names[key.recordID.packedName] == nil { return }
        guard case .record(let record, let database)? = try frame.item(line, number: number),
          let numbers = names[record.recordID.packedName],
          filter.contains(record, database: database)
        else { return }
        for name in numbers { hits.append(Hit(name: name, database: database, record: record)) }
      }
    }
    return hits
  }
}

extension BundleFile {
  /// The frames in which records with names may be, in order.
  fileprivate func searches(
    for names: ArraySlice<String>, _ filter: RecordFilter
  ) -> [FrameSearch] {
    let sections = index.sections.filter { $0.kind == .record && filter.contains($0) }
    var frames: [Int: [PackedName: [Int]]] = [:]
    for (number, name) in names.enumerated() {
      let packed = PackedName(name)
      // Small sections share a frame.
      for frame in Set(sections.map { self.frame(of: name, in: $0) }) {
        frames[frame, default: [:]][packed, default: []].append(number)
      }
    }
    return frames.sorted { $0.key < $1.key }.map {
      FrameSearch(file: self, number: $0.key, names: $0.value)
    }
  }
}
