import RecordCoding
import RecordModel
import RecordPlatform

/// Checks what involves several lines or frames: order, the index, and references.
struct BundleCheck {
  var report = VerifyReport()
  private var order = LineOrderCheck()
  private var zones: Set<ZoneLocation> = []
  private var zoneLines = ZoneLineCheck()
  private var missingZones: Set<ZoneLocation> = []
  private var assets = AssetCheck()
  private var names: NameCheck
  private var file: BundleFile?
  private var builder = BundleIndexBuilder()
  private var frames: [FrameInfo] = []
  /// Whether a frame could not be read, so that references and the index cannot be checked.
  private var isDamaged = false

  init(_ reader: BundleReader) {
    names = NameCheck(reader.sections)
    report.contentHash = reader.contentHash
    report.indexDigests = reader.indexDigests
  }

  mutating func addDamage(_ error: BundleError, in file: BundleFile) {
    isDamaged = true
    report.add(error.message, in: file.name, frame: error.frame)
  }

  mutating func add(_ check: FrameCheck) throws {
    if file !== check.file {
      try endFile()
      file = check.file
      builder = BundleIndexBuilder()
    }
    let location = check.file.frames.table[check.frame]
    frames.append(
      FrameInfo(
        offset: location.offset, compressedSize: UInt32(clamping: location.compressedSize),
        size: UInt32(clamping: check.bytes),
        lineCount: UInt32(clamping: check.entries.count + check.omittedLines),
        checksum: location.checksum ?? 0, digest: check.file.index.frames[check.frame].digest,
        contentHash: check.contentHash))
    report.bytes += check.bytes
    for (line, size, entry) in check.entries {
      report.lines += 1
      add(entry, size, check.frame, line, check.file.name)
    }
    report.lines += check.omittedLines
    report.findingCount += check.omittedLines
  }

  private mutating func add(
    _ entry: FrameCheck.Entry, _ size: Int, _ frame: Int, _ line: Int, _ source: String
  ) {
    do {
      switch entry {
      case .header: break
      case .invalid(let message): report.add(message, in: source, line: line)
      case .item(let item):
        builder.add(
          item.key, name: item.name, size: size, beginsAsset: item.chunk?.offset == 0, frame: frame)
        if let problem = problem(of: item) { report.add(problem, in: source, line: line) }
        try advance(to: item, at: LineLocation(source: source, line: line))
      }
    } catch {
      report.add((error as? BundleError)?.message ?? "\(error)", in: source, line: line)
    }
  }

  /// Adds an item to the checks that involve several lines.
  ///
  /// - Returns: what is wrong with the item; nil if nothing is, or it is not yet known.
  private mutating func problem(of item: FrameCheck.Item) -> String? {
    guard let database = item.key.database else { return nil }
    if item.key.kind == .record {
      report.records += 1
      assets.addReferences(item.digests)
    }
    if let name = item.name, let zoneID = item.key.zoneID { names.add(name, zoneID, database) }
    guard let zoneID = item.requiredZone ?? item.key.zoneID else { return nil }
    let zone = ZoneLocation(database, zoneID)
    switch item.key.kind {
    case .zone:
      zones.insert(zone)
      let problem = zoneLines.add(item.digests[0])
      return isDamaged ? nil : problem
    case .record
    where item.key.recordType == Share.recordType && !Share.canBe(in: zoneID, of: database):
      return "'\(item.name ?? "")' is a share, which only other zones of private databases have"
    case .zoneTombstone:
      guard zones.contains(zone) else { return nil }
      return "zone '\(zoneID)' of the \(database) database exists, and is deleted"
    default:
      // The line of the zone may be among those that cannot be read.
      if isDamaged || zones.contains(zone) || !missingZones.insert(zone).inserted { return nil }
      return "\(item.key.kind.noun) '\(item.name ?? "")' refers to zone '\(zoneID)' of the "
        + "\(database) database, which has no line"
    }
  }

  private mutating func advance(to item: FrameCheck.Item, at location: LineLocation) throws {
    if let chunk = item.chunk {
      try order.advance(
        toAsset: chunk.sha256, size: chunk.assetSize, offset: chunk.offset,
        count: chunk.data.count, at: location)
      if let problem = assets.add(chunk) {
        report.add(problem, in: location.source, line: location.line)
      }
    } else if item.key.kind != .zone || zoneLines.isInFirstFile {
      try order.advance(to: item.key, name: item.name, at: location)
    }
  }

  /// Compares the index of a file with its lines.
  private mutating func endFile() throws {
    guard let file else { return }
    let zonesProblem = zoneLines.endFile()
    if isDamaged { return }
    if let zonesProblem { report.add(zonesProblem, in: file.name) }
    let made = builder.index(
      frames: frames, header: try file.headerHash(), isLastShard: file.index.isLastShard)
    for problem in file.index.differences(from: made) { report.add(problem, in: file.name) }
    frames = []
    guard try file.frames.table.isCanonical(in: file.frames.file) else {
      report.add(
        "the seal or the seek table at the end is not canonical", in: file.name)
      return
    }
    guard try file.hasCanonicalIndex() else {
      report.add("the index is not canonical", in: file.name)
      return
    }
  }

  mutating func finish(_ reader: BundleReader, threads: Int) throws -> VerifyReport {
    try endFile()
    report.assets = assets.stored.count
    if isDamaged { return report }
    let source = reader.files[0].name
    do {
      try order.checkAssetIsWhole(at: LineLocation(source: source))
    } catch {
      report.add((error as? BundleError)?.message ?? "\(error)", in: source)
    }
    for problem in assets.problems() { report.add(problem, in: source) }
    for problem in try names.problems(in: reader, threads: threads) {
      report.add(problem, in: source)
    }
    return report
  }
}

/// Checks that every file of a split bundle repeats the zone lines of the first.
struct ZoneLineCheck {
  private var lines: [SHA256Digest] = []
  /// Whether the lines are those of the first file.
  private(set) var isInFirstFile = true
  private var count = 0
  private var hasProblem = false

  /// Adds a zone line.
  ///
  /// - Returns: the difference from the first file, once per file; nil otherwise.
  mutating func add(_ line: SHA256Digest) -> String? {
    defer { count += 1 }
    if isInFirstFile {
      lines.append(line)
      return nil
    }
    guard !hasProblem, count >= lines.count || lines[count] != line else { return nil }
    hasProblem = true
    return count < lines.count
      ? "zone line \(count + 1) differs from that of the first file"
      : "the file has more zone lines than the first file"
  }

  /// Ends the current file.
  ///
  /// - Returns: the problem, if the file has too few zone lines; nil otherwise.
  mutating func endFile() -> String? {
    defer {
      isInFirstFile = false
      count = 0
      hasProblem = false
    }
    guard !hasProblem, count < lines.count else { return nil }
    return "the file has \(count) zone lines, and the first file has \(lines.count)"
  }
}

extension BundleIndex {
  /// Returns the differences of this index, which was read, from the index of its lines;
  /// at most one for each kind of entry but the frames.
  func differences(from made: BundleIndex) -> [String] {
    var found: [String] = []
    if hash != made.hash {
      found.append(
        "the lines have the content hash \(made.contentHash), but the index has \(contentHash)")
    }
    for (number, (listed, counted)) in zip(frames, made.frames).enumerated() {
      if listed.lines != counted.lines {
        found.append(
          "frame \(number) has \(counted.lines) lines, but the index has \(listed.lines)")
      } else if !(listed.first ?? "").sameScalars(as: counted.first ?? "") {
        found.append("frame \(number) begins with another line than in the index")
      }
    }
    if sections.count != made.sections.count {
      found.append(
        "the index lists \(sections.count) sections, but the lines have \(made.sections.count)")
    }
    for (number, (listed, counted)) in zip(sections, made.sections).enumerated()
    where listed.jsonValue.compactText != counted.jsonValue.compactText {
      found.append(
        "section \(number) of the index is \(listed.jsonValue.compactText), "
          + "but that of the lines is \(counted.jsonValue.compactText)")
      break
    }
    return found
  }
}
