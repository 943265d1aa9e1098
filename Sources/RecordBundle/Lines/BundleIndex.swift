import RecordCoding
import RecordModel
import RecordPlatform

/// The last line of a bundle: what lies where, and the digests.
public struct BundleIndex: Sendable, Hashable {
  /// A zstd frame of the file.
  public struct Frame: Sendable, Hashable {
    /// Where it begins in the file, in bytes.
    public var offset: UInt64
    /// Its size in the file, in bytes.
    public var compressedSize: Int
    /// The size of its lines, in bytes.
    public var size: Int
    /// The number of its lines.
    public var lines: Int
    /// SHA-256 of its lines, 64 lower-case hexadecimal digits.
    public var sha256: String
  }

  /// SHA-256 over the frames' SHA-256 digests: the same for the same lines and frame size, on
  /// every machine, at every compression level and number of threads.
  public var contentDigest: String
  /// All frames but the index's own.
  public var frames: [Frame]
  /// What lies where.
  public var sections: [BundleSection]
  /// For a bundle in several files: whether this is the last of them.
  public var isLastShard: Bool?

  /// The number of lines before the index.
  public var lines: Int { frames.reduce(0) { $0 + $1.lines } }
  /// Bytes of the lines before the index.
  public var bytes: Int { frames.reduce(0) { $0 + $1.size } }
}

extension BundleIndex {
  init(frames: [FrameInfo], sections: [BundleSection], isLastShard: Bool?) {
    contentDigest = SHA256Digest(over: frames.map(\.digest)).description
    self.frames = frames.map {
      Frame(
        offset: $0.offset, compressedSize: Int($0.compressedSize), size: Int($0.size),
        lines: Int($0.lineCount), sha256: $0.digest.description)
    }
    self.sections = sections
    self.isLastShard = isLastShard
  }

  var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("kind", .string(LineKind.index.rawValue)),
      .init("contentDigest", .string(contentDigest)),
      .init("lines", .integer(lines)),
      .init("bytes", .integer(bytes)),
      .init("sections", .array(sections.map(\.jsonValue))),
      .init(
        "frames",
        .array(
          frames.map { frame in
            .object([
              .init("offset", .integer(frame.offset)),
              .init("compressedSize", .integer(frame.compressedSize)),
              .init("size", .integer(frame.size)), .init("lines", .integer(frame.lines)),
              .init("sha256", .string(frame.sha256)),
            ])
          })),
    ]
    if let isLastShard { members.append(.init("isLastShard", .bool(isLastShard))) }
    return .object(members)
  }

  /// Reads an index line.
  ///
  /// - Parameter version: the format version of the file.
  /// - Throws: `BundleError` for what is no index; `RecordCodingError` for what is no JSON.
  init(
    line: UnsafeRawBufferPointer, of source: String,
    from version: Int = BundleHeader.currentFormatVersion, upgrade: FormatUpgrade = .standard
  ) throws {
    let json = try upgrade.upgraded(try JSONParser.parse(line), from: version)
    func malformed(_ what: String) -> BundleError {
      BundleError(.malformed, in: source, "the index, which is the last line, \(what)")
    }
    guard json["kind"]?.string == LineKind.index.rawValue else {
      throw malformed("is not one: it should begin with {\"kind\":\"index\"")
    }
    guard let digest = json["contentDigest"]?.string, digest.utf8.count == 64 else {
      throw malformed("has no content digest of 64 hexadecimal digits")
    }
    contentDigest = digest
    frames = try (json["frames"]?.elements ?? []).enumerated().map { number, frame in
      guard let frame = Frame(json: frame) else {
        throw malformed("describes frame \(number) wrongly")
      }
      return frame
    }
    let frameCount = frames.count
    sections = try (json["sections"]?.elements ?? []).enumerated().map { number, section in
      guard let section = BundleSection(json: section, frameCount: frameCount) else {
        throw malformed("describes section \(number) wrongly")
      }
      return section
    }
    isLastShard = json["isLastShard"]?.bool
    guard json["lines"]?.integer == lines, json["bytes"]?.integer == bytes else {
      throw malformed("says other numbers of lines and bytes than its frames have")
    }
  }
}

extension BundleIndex.Frame {
  fileprivate init?(json: JSONValue) {
    guard let offset = json["offset"]?.integer, let compressed = json["compressedSize"]?.integer,
      let size = json["size"]?.integer, let lines = json["lines"]?.integer,
      let sha256 = json["sha256"]?.string, offset >= 0, compressed > 0, size > 0, lines > 0,
      lines <= size
    else { return nil }
    self.init(
      offset: UInt64(offset), compressedSize: compressed, size: size, lines: lines, sha256: sha256)
  }
}
