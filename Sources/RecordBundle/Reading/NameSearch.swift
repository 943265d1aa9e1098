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
      let sorted = SortedNames(part)
      var found: [[(database: DatabaseScope, record: ResultRecord)]] =
        Array(repeating: [], count: sorted.names.count)
      try OrderedMap.run(
        threads: threads, window: threads + 1,
        transform: { (search: FrameSearch) in try search.run(sorted, filter) },
        consume: { for hit in $0 { found[hit.name].append((hit.database, hit.record)) } },
        produce: { add in
          for file in files { try file.forEachSearch(of: sorted, filter, add) }
        })
      for name in part { try body(name, sorted.place(of: name).map { found[$0] } ?? []) }
    }
  }

  /// Returns the records with a name, in any zone that the filter includes.
  ///
  /// Reads at most one frame per zone and record type.
  public func records(
    named recordName: String, _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, record: ResultRecord)] {
    var found: [(database: DatabaseScope, record: ResultRecord)] = []
    try forEachName([recordName], filter) { found = $1 }
    return found
  }
}

/// Names in the order of lines, each once.
private struct SortedNames: Sendable {
  private(set) var names: [String] = []

  init(_ unsorted: some Sequence<String>) {
    for name in unsorted.sorted(by: { compareUTF8($0, $1) < 0 })
    where names.last.map({ !$0.sameScalars(as: name) }) ?? true {
      names.append(name)
    }
  }

  /// Returns the number of names that come before `name`: the place of the first that does not.
  func lowerBound(of name: String) -> Int {
    var (low, high) = (0, names.count)
    while low < high {
      let middle = low + (high - low) / 2
      if compareUTF8(names[middle], name) < 0 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the place of `name`; nil if it is not among the names.
  func place(of name: String) -> Int? {
    let place = lowerBound(of: name)
    return place < names.count && names[place].sameScalars(as: name) ? place : nil
  }
}

/// A frame in which records may be that are looked for.
private struct FrameSearch: Sendable {
  let file: BundleFile
  let number: Int
  /// The last section and name that the frame may have.
  var last: (section: RecordSection, name: String)

  struct Hit: Sendable {
    /// The place of the name among those that are looked for.
    let name: Int
    let database: DatabaseScope
    let record: ResultRecord
  }

  /// Steps through lines and names at once, as both are in order: from a line to the next name that
  /// it does not follow, and from a name to the next line that it does not follow.
  func run(_ names: SortedNames, _ filter: RecordFilter) throws -> [Hit] {
    var hits: [Hit] = []
    try file.withFrame(
      number, until: { !$1.isLine($0, before: last.section, last.name) }
    ) { frame in
      let reader = frame.reader
      var place = 0
      while place < frame.endPlace {
        let (line, places) = frame.lineAround(place)
        place = places.upperBound
        guard let (database, recordID, recordType) = reader.recordKey(of: line) else {
          if let kind = LineKind.anyKind(of: line), kind.rank > LineKind.record.rank { break }
          continue
        }
        let section = RecordSection(database, recordID.zoneID, recordType)
        let name = recordID.recordName
        let next = filter.contains(section) ? names.lowerBound(of: name) : names.names.count
        guard next < names.names.count else {
          place = frame.place(from: place) { reader.isLine($0, upTo: section) }
          continue
        }
        let wanted = names.names[next]
        guard wanted.sameScalars(as: name) else {
          place = frame.place(from: place) { reader.isLine($0, before: section, wanted) }
          continue
        }
        guard
          case .record(let record, let database)? = try frame.item(
            line, number: frame.number(ofLineAt: places.lowerBound)),
          filter.contains(record, database: database)
        else { continue }
        hits.append(Hit(name: next, database: database, record: record))
      }
    }
    return hits
  }
}

extension RecordJSONReader {
  /// Reads the database, identity and type of a record's line, canonical or not; nil for other lines.
  fileprivate func recordKey(
    of line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, recordID: RecordID, recordType: String)? {
    if let key = readKey(line) { return key }
    guard LineKind.anyKind(of: line) == .record,
      case .record(let record, let database)? = try? BundleItem(
        line: line, at: LineLocation(source: ""), with: self)
    else { return nil }
    return (database, record.recordID, record.recordType)
  }

  /// Whether a line of a frame with records comes before the record of a name in a section.
  fileprivate func isLine(
    _ line: UnsafeRawBufferPointer, before section: RecordSection, _ recordName: String
  ) -> Bool {
    guard let (database, recordID, recordType) = recordKey(of: line) else {
      return isBeforeRecords(line)
    }
    return RecordSection(database, recordID.zoneID, recordType)
      .precedes(section, recordID.recordName, recordName)
  }

  /// Whether a line of a frame with records is of a section or comes before it.
  fileprivate func isLine(_ line: UnsafeRawBufferPointer, upTo section: RecordSection) -> Bool {
    guard let (database, recordID, recordType) = recordKey(of: line) else {
      return isBeforeRecords(line)
    }
    return !section.precedes(RecordSection(database, recordID.zoneID, recordType))
  }

  /// Whether a line without the key of a record comes before all records, or is not valid.
  private func isBeforeRecords(_ line: UnsafeRawBufferPointer) -> Bool {
    LineKind.anyKind(of: line).map { $0.rank <= LineKind.record.rank } ?? true
  }
}

extension BundleFile {
  /// Calls `body` with each frame in which records of the names may be, in order.
  fileprivate func forEachSearch(
    of sorted: SortedNames, _ filter: RecordFilter, _ body: (FrameSearch) throws -> Void
  ) throws {
    var search: FrameSearch?
    // The sections are in the order of their lines.
    for section in index.sections where section.kind == .record && filter.contains(section) {
      guard let database = section.database, let zoneID = section.zoneID,
        let recordType = section.recordType, let lastName = sorted.names.last
      else { continue }
      let key = RecordSection(database, zoneID, recordType)
      // The only frame of a section may have any name.
      for name in section.frames.count == 1 ? [lastName] : sorted.names {
        let number = frame(of: name, in: section)
        if let search, search.number != number { try body(search) }
        search = FrameSearch(file: self, number: number, last: (key, name))
      }
    }
    if let search { try body(search) }
  }

  /// Returns the only frame of a section that can contain the line with that name; for an asset in
  /// several frames, the first of them.
  func frame(of name: String, in section: BundleSection) -> Int {
    // The section begins anywhere in its first frame; the first names of the others are in order.
    var low = section.frames.lowerBound
    var high = section.frames.upperBound
    while low < high {
      let middle = low + (high - low + 1) / 2
      let order = compareUTF8(index.frames[middle].first ?? "", name)
      // Several frames may begin with chunks of one asset; its first chunk is before them.
      if order < 0 || order == 0 && section.kind != .asset {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }
}

extension BundleFrame {
  /// The place after the last line: see ``lineAround(_:)``.
  fileprivate var endPlace: Int { content.bytes.count }

  /// Returns the line at a place, and its places, which are offsets in the content.
  fileprivate func lineAround(
    _ place: Int
  ) -> (line: UnsafeRawBufferPointer, places: Range<Int>) {
    let bytes = content.bytes
    let start = bytes.lastNewline(in: 0..<place).map { $0 + 1 } ?? 0
    let end = bytes.firstNewline(from: place) ?? bytes.count
    return (UnsafeRawBufferPointer(rebasing: bytes[start..<end]), start..<end + 1)
  }

  /// Returns the place of the first line, from a line's place on, that does not precede what is
  /// looked for; ``endPlace`` if all do. The time grows with the logarithm of the distance.
  ///
  /// - Parameter precedes: whether a line precedes it, as all lines before that one then do.
  fileprivate func place(from start: Int, precedes: (UnsafeRawBufferPointer) -> Bool) -> Int {
    var low = start
    var high = endPlace
    var step = 1 << 10
    while low + step < high {
      let (line, places) = lineAround(low + step)
      if precedes(line) { low = places.upperBound } else { high = places.lowerBound }
      step *= 2
    }
    while low < high {
      let (line, places) = lineAround(low + (high - low) / 2)
      if precedes(line) { low = places.upperBound } else { high = places.lowerBound }
    }
    return low
  }

  /// Returns the number in the file of the line that begins at a place.
  fileprivate func number(ofLineAt place: Int) -> Int {
    firstLine
      + FrameLines(UnsafeRawBufferPointer(rebasing: content.bytes[..<place])).reduce(0) {
        number, _ in number + 1
      }
  }
}
