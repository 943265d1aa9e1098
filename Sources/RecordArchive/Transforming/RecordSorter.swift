import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Sorts records by their places in a bundle, in bounded memory: what exceeds it is sorted in runs,
/// which lie compressed in a temporary file and are merged.
///
/// While a run is sorted and written on a thread of its own, the next one is collected.
package final class RecordSorter {
  private let limit: Int
  private let background: BackgroundWork?
  private let makePath: (() throws -> String)?
  private let json = RecordJSONWriter()
  private var run = SortRun()
  private var otherRun = SortRun()
  private var file: SpoolFile?
  private var folder: TemporaryFolder?
  /// The sections of the records, in the order in which they came.
  private(set) var sections: [RecordSection] = []
  private var numbers: [RecordSection: Int] = [:]

  /// - Parameters:
  ///   - threads: 1 to write runs on the caller's thread.
  ///   - limit: The size of a run in bytes; there are two of them in memory.
  ///   - makePath: Returns the path of the temporary file; by default, in a folder that is removed
  ///     with the sorter.
  package init(
    threads: Int, limit: Int = 32 << 20, makePath: (() throws -> String)? = nil
  ) {
    self.limit = limit
    self.makePath = makePath
    background = threads > 1 ? BackgroundWork(name: "recordpack.sort") : nil
  }

  deinit { try? background?.wait() }

  /// Adds a record.
  package func add(_ record: ResultRecord, _ database: DatabaseScope) throws {
    let recordID = record.recordID
    let section = number(of: RecordSection(database, recordID.zoneID, record.recordType))
    let start = run.buffer.count
    try json.write(record, to: run.buffer)
    let end = run.buffer.count
    recordID.withUTF8RecordName(run.buffer.append)
    run.append(section, name: end..<run.buffer.count, content: start..<end)
    if run.buffer.count >= limit { try spill() }
  }

  /// Adds copies of the records of a batch.
  func add(_ lines: RecordLines) throws {
    let bytes = lines.buffer.bytes
    if !run.isEmpty, run.buffer.count + bytes.count > limit { try spill() }
    let shift = run.buffer.count
    run.buffer.append(bytes)
    lines.forEachRecord { record, section in
      run.append(
        number(of: section), name: record.name.shifted(by: shift),
        content: record.dictionary.shifted(by: shift))
    }
  }

  private func number(of section: RecordSection) -> Int {
    if let last = sections.last, last == section { return sections.count - 1 }
    if let known = numbers[section] { return known }
    numbers[section] = sections.count
    sections.append(section)
    return sections.count - 1
  }

  /// The rank of each section in a bundle. A section that comes later does not change the order of
  /// the others, so that the runs stay sorted.
  private func ranks() -> [Int] {
    var ranks = [Int](repeating: 0, count: sections.count)
    let sorted = sections.indices.sorted { sections[$0].precedes(sections[$1]) }
    for (rank, number) in sorted.enumerated() { ranks[number] = rank }
    return ranks
  }

  /// Writes the records in memory to the file, as one run.
  private func spill() throws {
    try background?.wait()
    let file = try self.file ?? SpoolFile(path: makePath?() ?? temporaryPath())
    self.file = file
    let write = { @Sendable [run, ranks = ranks()] in
      run.sort(ranks)
      try file.write(run)
      run.removeAll()
    }
    if let background { try background.start(write) } else { try write() }
    swap(&run, &otherRun)
  }

  private func temporaryPath() throws -> String {
    let folder = try TemporaryFolder()
    self.folder = folder
    return folder.file("sorted")
  }

  /// Returns the records in order. No more can be added.
  func sorted() throws -> SortedRecords {
    let ranks = ranks()
    run.sort(ranks)
    try background?.wait()
    let runs = try (file?.runs ?? []).map { try SortedRun(.blocks($0.file, $0.range)) }
    return try SortedRecords(runs + [SortedRun(.lines(run, from: 0))], sections, ranks)
  }

  /// Writes all records. No more can be added.
  ///
  /// - Parameter written: Called with the size of each record.
  package func write(
    to writer: BundleWriter, written: (_ bytes: Int) throws -> Void = { _ in }
  ) throws {
    var records = try sorted()
    while let record = records.current {
      try writer.write(record.section, name: record.name, record.dictionary)
      try written(record.dictionary.count)
      try records.advance()
    }
  }
}

extension Range<Int> {
  fileprivate func shifted(by distance: Int) -> Self {
    (lowerBound + distance)..<(upperBound + distance)
  }
}

/// Records in memory that are sorted together.
final class SortRun: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  struct Line {
    var section: Int
    var prefix: UInt64
    /// The places of the name and of the record's JSON in the buffer.
    var name: Range<Int>
    var content: Range<Int>
  }

  let buffer = ByteBuffer()
  private(set) var lines: [Line] = []

  var isEmpty: Bool { lines.isEmpty }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer.bytes[range])
  }

  /// Adds a record, whose bytes are in the buffer.
  func append(_ section: Int, name: Range<Int>, content: Range<Int>) {
    lines.append(
      Line(section: section, prefix: Self.prefix(of: bytes(name)), name: name, content: content))
  }

  func sort(_ ranks: [Int]) {
    lines.sort { a, b in
      if a.section != b.section { return ranks[a.section] < ranks[b.section] }
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return compareBytes(bytes(a.name), bytes(b.name)) < 0
    }
  }

  func removeAll() {
    buffer.reset()
    lines.removeAll(keepingCapacity: true)
  }

  /// The first eight bytes of a name as a big-endian number, and zeros behind a shorter one: of two
  /// names with different prefixes, the one with the smaller prefix comes first.
  static func prefix(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return UInt64(bigEndian: name.loadUnaligned(as: UInt64.self)) }
    return (0..<8).reduce(0) { $0 << 8 | ($1 < name.count ? UInt64(name[$1]) : 0) }
  }
}

/// Records in the order of a bundle, merged from sorted runs.
struct SortedRecords {
  /// The runs that have more records, as a heap: the one with the next record first.
  private var runs: [SortedRun]
  private let sections: [RecordSection]
  private let ranks: [Int]

  fileprivate init(_ runs: [SortedRun], _ sections: [RecordSection], _ ranks: [Int]) {
    self.runs = runs.filter { !$0.isAtEnd }
    self.sections = sections
    self.ranks = ranks
    for index in stride(from: self.runs.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// The next record; nil at the end. Its bytes are valid until ``advance()``.
  var current:
    (section: RecordSection, name: UnsafeRawBufferPointer, dictionary: UnsafeRawBufferPointer)?
  {
    runs.first.map { (sections[$0.section], $0.name, $0.line) }
  }

  mutating func advance() throws {
    guard let run = runs.first else { return }
    try run.advance()
    if run.isAtEnd {
      runs.swapAt(0, runs.count - 1)
      runs.removeLast()
    }
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      let child = 2 * parent + 1
      guard child < runs.count else { return }
      let hasOther = child + 1 < runs.count
      let least = hasOther && runs[child + 1].precedes(runs[child], ranks) ? child + 1 : child
      guard runs[least].precedes(runs[parent], ranks) else { return }
      runs.swapAt(parent, least)
      parent = least
    }
  }
}
