import RecordCoding
import RecordModel
import RecordPlatform

/// The last line of a bundle: its sections, its frames with their digests, and its content hash.
public struct BundleIndex: Sendable, Hashable {
  /// A zstd frame of the file.
  public struct Frame: Sendable, Hashable {
    /// The offset of the frame in the file, in bytes.
    public var offset: UInt64
    /// The size of the compressed frame in bytes.
    public var compressedSize: Int
    /// The size of the lines in bytes.
    public var size: Int
    /// The number of lines.
    public var lines: Int
    /// The name by which the first line is ordered: the record name of a record or tombstone, the
    /// identifier of a subscription, the SHA-256 of an asset; nil for other lines.
    public var first: String?
    /// SHA-256 of the compressed frame.
    package var digest: SHA256Digest

    /// SHA-256 of the compressed frame, 64 lowercase hexadecimal digits.
    public var sha256: String { digest.description }
  }

  /// The hash of the lines in this file, 16 lowercase hexadecimal digits.
  ///
  /// It is the same for the same lines, however they are compressed and split into frames. The
  /// hashes of the files of a split bundle add up to ``BundleReader/contentHash``.
  public var contentHash: String { hash.description }
  var hash: ContentHash
  /// All frames but that of the index.
  public var frames: [Frame]
  /// The sections of the file, in order.
  public var sections: [BundleSection]
  /// Whether this is the last file of a split bundle; nil for a bundle of one file.
  public var isLastShard: Bool?

  /// The number of lines before the index.
  public var lines: Int { frames.reduce(0) { $0 + $1.lines } }
  /// The size of the lines before the index in bytes.
  public var bytes: Int { frames.reduce(0) { $0 + $1.size } }
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
