import RecordCoding
import RecordModel
import RecordPlatform

/// The last line of a bundle: its sections, its frames with their digests, and its content hash.
package struct BundleIndex: Sendable, Hashable {
  /// A zstd frame of the file.
  package struct Frame: Sendable, Hashable {
    /// The offset of the frame in the file, in bytes.
    package var offset: UInt64
    /// The size of the compressed frame in bytes.
    package var compressedSize: Int
    /// The size of the lines in bytes.
    package var size: Int
    /// The number of lines.
    package var lines: Int
    /// The name by which the first line is ordered: the record name of a record or tombstone, the
    /// identifier of a subscription, the SHA-256 of an asset; nil for other lines.
    package var first: String?
    /// SHA-256 of the compressed frame.
    package var digest: SHA256Digest

    /// SHA-256 of the compressed frame, 64 lowercase hexadecimal digits.
    package var sha256: String { digest.description }
  }

  /// The hash of the lines in this file, 16 lowercase hexadecimal digits.
  ///
  /// It is the same for the same lines, however they are compressed and split into frames. The
  /// hashes of the files of a split bundle add up to ``BundleReader/contentHash``.
  package var contentHash: String { hash.description }
  var hash: ContentHash
  /// All frames but that of the index.
  package var frames: [Frame]
  /// The sections of the file, in order.
  package var sections: [BundleSection]
  /// Whether this is the last file of a split bundle; nil for a bundle of one file.
  package var isLastShard: Bool?

  /// The number of lines before the index.
  package var lines: Int { frames.reduce(0) { $0 + $1.lines } }
  /// The size of the lines before the index in bytes.
  package var bytes: Int { frames.reduce(0) { $0 + $1.size } }
}

extension ContentHash {
  /// Creates the hash of the lines of all files of a bundle.
  init(of indexes: [BundleIndex]) { self = indexes.reduce(ContentHash()) { $0 + $1.hash } }
}

extension BundleIndex {
  /// Creates the index of a file.
  /// - Parameters:
  ///   - firstNames: the names of the first lines of frames, by frame number.
  init(
    frames infos: [FrameInfo], firstNames: [Int: String], header: ContentHash,
    sections: [BundleSection], isLastShard: Bool?
  ) {
    hash = infos.dropFirst().reduce(header) { $0 + $1.contentHash }
    frames = infos.enumerated().map { number, info in
      Frame(
        offset: info.offset, compressedSize: Int(info.compressedSize), size: Int(info.size),
        lines: Int(info.lineCount), first: firstNames[number], digest: info.digest)
    }
    self.sections = sections
    self.isLastShard = isLastShard
  }

  var jsonValue: JSONValue {
    .object([
      "kind": .string(LineKind.index.rawValue), "contentHash": .string(contentHash),
      "lines": .integer(lines), "bytes": .integer(bytes),
      "sections": .array(sections.map(\.jsonValue)), "frames": .array(frames.map(\.jsonValue)),
      "isLastShard": isLastShard.map(JSONValue.bool),
    ])
  }
}

extension BundleIndex.Frame {
  fileprivate var jsonValue: JSONValue {
    .object([
      "offset": .integer(offset), "compressedSize": .integer(compressedSize),
      "size": .integer(size), "lines": .integer(lines), "first": first.map(JSONValue.string),
      "sha256": .string(sha256),
    ])
  }
}

extension BundleIndex {
  /// Parses an index line, and checks that its numbers are consistent.
  ///
  /// - Throws: `BundleError` for a line that is not an index; `RecordCodingError` for invalid JSON.
  init(line: UnsafeRawBufferPointer, of source: String) throws {
    let json = try JSONParser.parse(line)
    func malformed(_ what: String) -> BundleError {
      BundleError(.malformed, in: source, "the index, which is the last line, \(what)")
    }
    guard json["kind"]?.string == LineKind.index.rawValue else {
      throw malformed("should begin with {\"kind\":\"index\"")
    }
    guard let hash = json["contentHash"]?.string.flatMap(ContentHash.init(hexadecimal:)) else {
      throw malformed("has no content hash of 16 lowercase hexadecimal digits")
    }
    self.hash = hash
    frames = try (json["frames"]?.elements ?? []).enumerated().map { number, frame in
      guard let frame = Frame(json: frame) else {
        throw malformed("has an invalid frame \(number)")
      }
      return frame
    }
    sections = []
    isLastShard = json["isLastShard"]?.bool
    // All sizes are bounded by now, and so are their sums.
    guard json["lines"]?.integer == lines, json["bytes"]?.integer == bytes else {
      throw malformed("has numbers of lines and bytes that differ from those of its frames")
    }
    let frameCount = frames.count
    sections = try (json["sections"]?.elements ?? []).enumerated().map { number, section in
      guard let section = BundleSection(json: section, frameCount: frameCount),
        section.lines <= lines, section.bytes <= bytes
      else { throw malformed("has an invalid section \(number)") }
      return section
    }
    if let problem = sectionProblem() { throw malformed(problem) }
  }

  /// Returns what is wrong with the sections; nil if they match each other and the frames.
  private func sectionProblem() -> String? {
    let counted = sections.reduce(into: (lines: 0, bytes: 0)) { sum, section in
      sum.lines += section.lines
      sum.bytes += section.bytes
    }
    guard counted.lines == lines - (frames.first?.lines ?? 0),
      counted.bytes == bytes - (frames.first?.size ?? 0)
    else {
      return "lists sections whose numbers of lines and bytes differ from those of its frames"
    }
    // The sections are contiguous, from the frame after the header's to the last.
    var last = 0
    for (number, section) in sections.enumerated() {
      let mayShare = number > 0 && section.frames.lowerBound == last
      guard mayShare || section.frames.lowerBound == last + 1 else {
        return "lists section \(number) in frames that are not contiguous with the previous ones"
      }
      last = section.frames.upperBound
      if number > 0, !sections[number - 1].key.precedes(section.key) {
        return "lists section \(number) out of order"
      }
    }
    return last == max(0, frames.count - 1) ? nil : "lists frames without a section"
  }
}

extension BundleIndex.Frame {
  fileprivate init?(json: JSONValue) {
    let limits = FrameLimits.standard
    guard let offset = json["offset"]?.integer, let compressed = json["compressedSize"]?.integer,
      let size = json["size"]?.integer, let lines = json["lines"]?.integer,
      let digest = json["sha256"]?.string.flatMap({ SHA256Digest(hexadecimal: $0) }),
      offset >= 0, 1...limits.maxCompressedFrame ~= compressed, 1...limits.maxFrameContent ~= size,
      1...size ~= lines
    else { return nil }
    self.init(
      offset: UInt64(offset), compressedSize: compressed, size: size, lines: lines,
      first: json["first"]?.string, digest: digest)
  }
}

/// A run of lines of one kind, database, zone and record type, as listed in the index.
public struct BundleSection: Sendable, Hashable {
  /// The kind of the lines.
  public var kind: LineKind
  /// The database; nil for assets.
  public var database: DatabaseScope?
  /// The zone; nil for all but records and tombstones.
  public var zoneID: ZoneID?
  /// The record type; nil for all but records.
  public var recordType: String?
  /// The number of lines.
  public var lines = 0
  /// The size of the lines in bytes, including line feeds.
  public var bytes = 0
  /// The number of assets that begin in the section; 0 for other kinds.
  public var assets = 0
  /// The frames of the lines, from 0; the first and the last may also contain others.
  package var frames: ClosedRange<Int>

  init(_ key: LineKey, frames: ClosedRange<Int>) {
    kind = key.kind
    database = key.database
    zoneID = key.zoneID
    recordType = key.recordType
    self.frames = frames
  }
}

extension BundleSection {
  var jsonValue: JSONValue {
    .object([
      "kind": .string(kind.rawValue), "database": (database?.rawValue).map(JSONValue.string),
      "zoneID": zoneID?.jsonValue(), "recordType": recordType.map(JSONValue.string),
      "lines": .integer(lines), "bytes": .integer(bytes),
      "assets": kind == .asset ? .integer(assets) : nil,
      "firstFrame": .integer(frames.lowerBound), "lastFrame": .integer(frames.upperBound),
    ])
  }

  /// Parses a section; nil if the JSON is not one.
  init?(json: JSONValue, frameCount: Int) {
    guard let kind = json["kind"]?.string.flatMap(LineKind.init),
      let lines = json["lines"]?.integer, let bytes = json["bytes"]?.integer,
      let first = json["firstFrame"]?.integer,
      let last = json["lastFrame"]?.integer, lines >= 0, bytes >= 0, 0 <= first, first <= last,
      last < frameCount, first > 0, lines > 0, bytes >= lines,
      let assets = json["assets"] == nil ? 0 : json["assets"]?.integer, 0...lines ~= assets
    else { return nil }
    let database = json["database"]?.string.map(DatabaseScope.init(rawValue:))
    if case .some(.none) = database { return nil }
    var zoneID: ZoneID?
    if let zone = json["zoneID"] {
      guard let read = try? ZoneID(json: zone) else { return nil }
      zoneID = read
    }
    self.init(
      LineKey(
        kind: kind, database: database ?? nil, zoneID: zoneID,
        recordType: json["recordType"]?.string), frames: first...last)
    self.lines = lines
    self.bytes = bytes
    self.assets = assets
    guard isComplete else { return nil }
  }
}

extension BundleSection {
  /// Whether the database, zone and record type are present exactly where sections of this kind have
  /// them.
  fileprivate var isComplete: Bool {
    let needsZone = kind == .record || kind == .tombstone
    return kind != .header && kind != .index && (database != nil) == (kind != .asset)
      && (zoneID != nil) == needsZone && (recordType != nil) == (kind == .record)
      && recordType?.isEmpty != true
  }
}

extension RecordFilter {
  /// Whether the filter may include lines of a section.
  package func contains(_ section: BundleSection) -> Bool {
    if let database = section.database, !contains(database: database, zoneID: section.zoneID) {
      return false
    }
    guard let recordTypes else { return true }
    if section.kind == .zoneTombstone { return false }
    return section.recordType.map { recordTypes.contains($0) } ?? true
  }

  /// Whether the filter includes an item. Chunks of assets are always included: which assets are
  /// needed depends on the records.
  package func contains(_ item: BundleItem) -> Bool {
    switch item {
    case .record(let record, let database): contains(record, database: database)
    case .zone(let zone, let database): contains(database: database, zoneID: zone.zoneID)
    case .subscription(let subscription, let database):
      contains(subscription, database: database)
    case .tombstone(let tombstone, let database): contains(tombstone, database: database)
    case .zoneTombstone(let tombstone, let database):
      contains(deletedZone: tombstone.zoneID, database: database)
    case .asset: true
    }
  }
}
