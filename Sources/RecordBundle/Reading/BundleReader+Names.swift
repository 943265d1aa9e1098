import RecordCoding
import RecordModel
import RecordPlatform

extension BundleReader {
  /// The number of names to look up at a time, whose records are in memory.
  private static let nameCount = 4096

  /// Calls `body` with each name and the records with that name, in any zone that the filter
  /// includes.
  ///
  /// Reads at most one frame per name, zone and record type, as a rule one per name, and for up to
  /// 4,096 names each frame once, on several threads: sorted names are found fastest.
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

/// A frame in which records may be that are looked for.
private struct FrameSearch: Sendable {
  let file: BundleFile
  let number: Int
  /// What is looked for, in the order of the lines.
  let targets: [Target]

  /// A record that the frame has if its section has it.
  struct Target: Sendable {
    let section: RecordSection
    let recordName: String
    /// The number of the name among those that are looked for.
    let name: Int
  }

  struct Hit: Sendable {
    let name: Int
    let database: DatabaseScope
    let record: ResultRecord
  }

  func run(_ filter: RecordFilter) throws -> [Hit] {
    guard let last = targets.last else { return [] }
    var hits: [Hit] = []
    try file.withFrame(
      number, until: { !$1.isLine($0, before: last.section, last.recordName) }
    ) { frame in
      var place = 0
      for target in targets {
        let name = CompactName(target.recordName)
        place = try frame.place(from: place) {
          frame.reader.isLine($0, before: target.section, target.recordName)
        }
        guard place < frame.endPlace else { break }
        let line = try frame.lineAround(place).line
        if let key = frame.reader.readKey(line), key.recordID.packedName != name { continue }
        guard
          case .record(let record, let database)? = try frame.item(
            line, number: frame.number(ofLineAt: place)),
          RecordSection(database, record.recordID.zoneID, record.recordType) == target.section,
          record.recordID.packedName == name,
          filter.contains(record, database: database)
        else { continue }
        hits.append(Hit(name: target.name, database: database, record: record))
      }
    }
    return hits
  }
}

extension RecordJSONReader {
  /// Whether a line of a frame with records comes before the record of a name in a section.
  fileprivate func isLine(
    _ line: UnsafeRawBufferPointer, before section: RecordSection, _ recordName: String
  ) -> Bool {
    var key = readKey(line)
    if key == nil {
      // A line of another kind, or one that is not canonical.
      guard let kind = LineKind.anyKind(of: line) else { return true }
      guard kind == .record else { return kind.rank < LineKind.record.rank }
      let place = LineLocation(source: "", line: 0)
      guard
        case .record(let record, let database)? = try? BundleItem(line: line, at: place, with: self)
      else { return true }
      key = (database, record.recordID, record.recordType)
    }
    guard let (database, recordID, recordType) = key else { return true }
    return RecordSection(database, recordID.zoneID, recordType)
      .precedes(section, recordID.recordName, recordName)
  }
}

extension BundleFile {
  /// The frames in which records with names may be, in order.
  fileprivate func searches(
    for names: ArraySlice<String>, _ filter: RecordFilter
  ) -> [FrameSearch] {
    var frames: [Int: [FrameSearch.Target]] = [:]
    let sorted = names.enumerated()
      .map { (name: $0.element, number: $0.offset, hash: NameFilter.hash($0.element)) }
      .sorted { compareUTF8($0.name, $1.name) < 0 }
    // The sections are in the order of their lines.
    for section in index.sections where section.kind == .record && filter.contains(section) {
      guard let database = section.database, let zoneID = section.zoneID,
        let recordType = section.recordType
      else { continue }
      let key = RecordSection(database, zoneID, recordType)
      for (name, number, hash) in sorted {
        let frame = frame(of: name, in: section)
        if index.frames[frame].nameFilter?.mayContain(hash) == false { continue }
        frames[frame, default: []].append(
          FrameSearch.Target(section: key, recordName: name, name: number))
      }
    }
    return frames.sorted { $0.key < $1.key }.map {
      FrameSearch(file: self, number: $0.key, targets: $0.value)
    }
  }
}
