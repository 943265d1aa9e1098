import RecordCoding
import RecordModel
import RecordPlatform

/// The last line of a bundle: what lies where, the digests of the frames, and the identity of the
/// content.
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
    /// The name its first line is ordered by: the record name of a record or tombstone, the
    /// identifier of a subscription, the SHA-256 of an asset; nil for others.
    public var first: String?
    /// SHA-256 of its bytes in the file.
    package var digest: SHA256Digest

    /// SHA-256 of its bytes in the file, 64 lower-case hexadecimal digits.
    public var sha256: String { digest.description }
  }

  /// The identity of the lines in this file, 16 lower-case hexadecimal digits.
  ///
  /// It is the same for the same lines, however they were compressed and cut. Those of the files of
  /// a split bundle add up to that of the whole: see ``BundleReader/contentHash``.
  public var contentHash: String { hash.description }
  var hash: ContentHash
  /// All frames but the index's own.
  public var frames: [Frame]
  /// What lies where, in the order of the file.
  public var sections: [BundleSection]
  /// For a bundle in several files: whether this is the last of them.
  public var isLastShard: Bool?

  /// The number of lines before the index.
  public var lines: Int { frames.reduce(0) { $0 + $1.lines } }
  /// Bytes of the lines before the index.
  public var bytes: Int { frames.reduce(0) { $0 + $1.size } }
}

extension BundleIndex {
  /// - Parameter firstNames: the names that frames begin with, by the frame's number.
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
    var members: [JSONValue.Member] = [
      .init("kind", .string(LineKind.index.rawValue)),
      .init("contentHash", .string(contentHash)),
      .init("lines", .integer(lines)),
      .init("bytes", .integer(bytes)),
      .init("sections", .array(sections.map(\.jsonValue))),
      .init("frames", .array(frames.map(\.jsonValue))),
    ]
    if let isLastShard { members.append(.init("isLastShard", .bool(isLastShard))) }
    return .object(members)
  }
}

extension BundleIndex.Frame {
  fileprivate var jsonValue: JSONValue {
    var members: [JSONValue.Member] = [
      .init("offset", .integer(offset)), .init("compressedSize", .integer(compressedSize)),
      .init("size", .integer(size)), .init("lines", .integer(lines)),
    ]
    if let first { members.append(.init("first", .string(first))) }
    members.append(.init("sha256", .string(sha256)))
    return .object(members)
  }
}
