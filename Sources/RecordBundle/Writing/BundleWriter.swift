import Foundation
import RecordCoding
import RecordModel

/// A writer of a bundle, which takes lines in the order of the format.
///
/// ```swift
/// let zoneID = ZoneID(zoneName: "Chats")
/// let chat = DraftRecord(
///   recordType: "Chat", recordID: RecordID(recordName: "hiking", zoneID: zoneID))
///
/// let writer = try BundleWriter(path: "Tact.recordpack", container: ContainerInfo())
/// try writer.write(RecordZone(zoneID: zoneID), database: .private)
/// try writer.write(chat.resultRecord(), database: .private)
/// let summary = try writer.finish()
/// ```
///
/// Zones come first, then subscriptions, records, tombstones, deleted zones and assets; within each
/// kind by database, zone, record type and name, in the order of their UTF-8 bytes. The writer
/// rejects a line that is out of order or repeated, so that the same content results in the same
/// bytes.
///
/// Use a writer from one thread; frames are compressed on others. No file has its final name before
/// ``finish()``; a writer that is released before that leaves no files.
public final class BundleWriter {
  /// The settings of a writer.
  public struct Options: Sendable, Hashable {
    /// zstd's level, -7 (fastest) to 22 (smallest). Level 1 is tuned for records: it compresses a
    /// fifth faster than 2 and four fifths faster than 3, for 3 % more bytes than either.
    public var level = 1
    /// The size in bytes of the lines in a zstd frame, which a reader decompresses at a time. The
    /// first frames of a file are smaller, so that damage costs a small file little.
    public var frameSize = 1 << 20
    /// The number of threads that compress, the caller's among them. Does not change the bytes.
    public var threads = BundleThreads.recommended
    /// The maximum size of a file in bytes before the bundle continues in another; nil for none.
    ///
    /// Every file has the header and the zones: the writer rejects a size that leaves no room for
    /// other lines. A file is larger only if it holds a single other line.
    public var splitSize: Int?

    /// Creates the default options.
    public init() {}
  }

  private let output: ShardOutput
  private let container: ContainerInfo
  private let records = RecordJSONWriter()
  // One thread uses a writer, so that checks for each line would cost time for nothing.
  @exclusivity(unchecked) private var order = LineOrderCheck()
  private var zones: [BundleItem] = []
  @exclusivity(unchecked) private var current: BundleFileWriter?
  /// Whether the line that the order advanced to last was written: one that fails is left out.
  @exclusivity(unchecked) private var isLastWritten = false
  private var finished: [BundleSummary.File] = []
  /// Whether it was checked that a file of a split bundle has room besides header and zones.
  private var hasCheckedRoom = false

  /// Creates a bundle at a path; `-` is standard output.
  ///
  /// - Parameters:
  ///   - path: the path; with `splitSize`, files are named `NAME-00001.recordpack` and so on.
  ///   - container: the metadata of the container, for the header.
  ///   - options: the compression, and the size of frames and files.
  ///   - overwrite: whether to replace an existing file; if not, one is an error.
  /// - Throws: ``BundleError`` for invalid options, and if the file cannot be created.
  public init(
    path: String, container: ContainerInfo, options: Options = Options(),
    overwrite: Bool = true
  ) throws {
    output = try ShardOutput(path: path, options: options, overwrite: overwrite)
    self.container = container
    current = try begin()
  }

  private func begin() throws -> BundleFileWriter {
    let shard =
      output.isSplit
      ? BundleHeader.Shard(
        number: finished.count + 1, previousSHA256: finished.last?.indexSHA256)
      : nil
    let file = try BundleFileWriter(
      sink: output.nextSink(), header: BundleHeader(container: container, shard: shard),
      options: output.frameOptions)
    try file.repeatZones(zones)
    return file
  }

  private var location: LineLocation { LineLocation(source: output.name) }

  private func openFile() throws -> BundleFileWriter {
    guard let current else {
      throw BundleError(.order, in: output.name, "the bundle is already finished")
    }
    return current
  }

  /// Returns the file for the next line but a zone; a new one if the next frame might not fit.
  private func file() throws -> BundleFileWriter {
    let file = try openFile()
    guard let limit = output.splitSize else { return file }
    if !hasCheckedRoom { try checkRoom(of: file, limit) }
    return try file.hasRoom(for: limit) ? file : next(after: file)
  }

  /// Checks, before the first other line, that header and zones leave room in a file.
  private func checkRoom(of file: BundleFileWriter, _ limit: Int) throws {
    if let size = try file.minimumSplitSize(for: limit) {
      throw BundleError(
        .limitExceeded, in: output.name,
        "the header and the zones, which every file has, leave no room for records in files of "
          + "\(limit) bytes: choose a split size of \(size) bytes or more")
    }
    hasCheckedRoom = true
  }

  private func next(after file: BundleFileWriter) throws -> BundleFileWriter {
    try end(file, isLast: false)
    let next = try begin()
    current = next
    return next
  }

  /// Writes the line that `body` appends to a buffer.
  @inline(__always)
  private func writeLine(
    in key: @autoclosure () -> LineKey, name: @autoclosure () -> String?,
    beginsAsset: Bool = false, isSameKey: Bool = false,
    _ body: (ByteBuffer) throws -> Void
  ) throws {
    let last = isLastWritten ? current : nil
    isLastWritten = false
    let file = try file()
    // In another file, the zones are the last lines.
    if try !file.writeLine(
      in: key(), name: name(), beginsAsset: beginsAsset, isSameKey: isSameKey && file === last,
      limit: output.splitSize, body)
    {
      try next(after: file).writeLine(
        in: key(), name: name(), beginsAsset: beginsAsset, body)
    }
    isLastWritten = true
  }

  private func end(_ file: BundleFileWriter, isLast: Bool) throws {
    finished.append(try file.finish(isLastShard: output.isSplit ? isLast : nil))
    current = nil
  }

  /// Writes a zone.
  public func write(_ zone: RecordZone, database: DatabaseScope) throws {
    try write(.zone(zone, database))
  }

  /// Writes a subscription.
  public func write(_ subscription: CloudSubscription, database: DatabaseScope) throws {
    try write(.subscription(subscription, database))
  }

  /// Writes a record.
  public func write(_ record: ResultRecord, database: DatabaseScope) throws {
    guard order.advance(within: record, database) else {
      return try write(.record(record, database))
    }
    try writeLine(
      in: BundleItem.record(record, database).key, name: record.recordID.recordName,
      isSameKey: true
    ) { try records.writeLine(record, database: database, to: $0) }
  }

  /// Writes a tombstone of a deleted record.
  public func write(_ tombstone: DeletedRecord, database: DatabaseScope) throws {
    try write(.tombstone(tombstone, database))
  }

  /// Writes a tombstone of a deleted zone.
  public func write(_ tombstone: DeletedZone, database: DatabaseScope) throws {
    try write(.zoneTombstone(tombstone, database))
  }

  /// Writes any line.
  package func write(_ item: BundleItem) throws {
    if case .asset(let chunk) = item {
      return try chunk.data.withUnsafeBytes {
        try writeAssetChunk(
          sha256: chunk.sha256, assetSize: chunk.assetSize, offset: chunk.offset, bytes: $0)
      }
    }
    try order.advance(to: item, at: location)
    if case .zone = item {
      // All zones are in the first file, which only another line can end.
      let file = try openFile()
      if output.isSplit { zones.append(item) }
      return try file.write(item)
    }
    try writeLine(in: item.key, name: item.name) {
      try item.writeLine(to: $0, with: records)
    }
  }

  /// Writes a record of which the canonical dictionary is available.
  ///
  /// - Parameter name: the record name in UTF-8.
  package func writeRecord(
    dictionary: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, zoneID: ZoneID,
    recordType: String, database: DatabaseScope
  ) throws {
    func key() -> LineKey {
      LineKey(kind: .record, database: database, zoneID: zoneID, recordType: recordType)
    }
    let isSameKey = order.advance(toRecord: name, database, zoneID, recordType)
    if !isSameKey { try order.advance(to: key(), utf8Name: name, at: location) }
    try writeLine(
      in: key(), name: String(decoding: name, as: UTF8.self), isSameKey: isSameKey
    ) { buffer in
      buffer.append(RecordLine.opening(for: database))
      buffer.append(UnsafeRawBufferPointer(rebasing: dictionary.dropFirst()))
    }
  }

  /// Writes a chunk of an asset: ``AssetChunk/size`` bytes, or the rest at its end.
  ///
  /// - Parameters:
  ///   - sha256: SHA-256 of the whole asset, 64 lowercase hexadecimal digits.
  ///   - assetSize: the size of the whole asset in bytes.
  ///   - offset: the offset of the chunk in the asset, in bytes.
  ///   - bytes: the content of the chunk.
  public func writeAssetChunk(
    sha256: String, assetSize: Int, offset: Int, bytes: UnsafeRawBufferPointer
  ) throws {
    try order.advance(
      toAsset: sha256, size: assetSize, offset: offset, count: bytes.count, at: location)
    try writeLine(in: LineKey(kind: .asset), name: sha256, beginsAsset: offset == 0) {
      AssetChunk.writeLine(
        sha256: sha256, assetSize: assetSize, offset: offset, bytes: bytes, to: $0)
    }
  }

  /// Writes an asset whose bytes come in pieces of any size.
  ///
  /// - Parameters:
  ///   - sha256: SHA-256 of the asset, 64 lowercase hexadecimal digits.
  ///   - size: the size of the asset in bytes.
  ///   - forEachPiece: calls its argument with the bytes.
  package func writeAsset(
    sha256: String, size: Int,
    forEachPiece: (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    var offset = 0
    func write(_ bytes: UnsafeRawBufferPointer) throws {
      try writeAssetChunk(sha256: sha256, assetSize: size, offset: offset, bytes: bytes)
      offset += bytes.count
    }
    var chunk: [UInt8] = []
    try forEachPiece { piece in
      var rest = piece
      while !rest.isEmpty {
        let count = min(AssetChunk.size - chunk.count, rest.count)
        let part = UnsafeRawBufferPointer(rebasing: rest[..<count])
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        if part.count == AssetChunk.size {
          try write(part)
          continue
        }
        chunk.append(contentsOf: part)
        guard chunk.count == AssetChunk.size else { continue }
        try chunk.withUnsafeBytes(write)
        chunk.removeAll(keepingCapacity: true)
      }
    }
    if !chunk.isEmpty || size == 0 { try chunk.withUnsafeBytes(write) }
  }

  /// Completes the bundle and gives its files their names.
  public func finish() throws -> BundleSummary {
    let file = try openFile()
    try order.checkAssetIsWhole(at: location)
    if let limit = output.splitSize, !hasCheckedRoom { try checkRoom(of: file, limit) }
    try end(file, isLast: true)
    try output.commit()
    return BundleSummary(files: finished)
  }

  /// Stops writing and removes the unfinished files.
  public func cancel() {
    current?.cancel()
    current = nil
    output.discard()
  }

  deinit {
    if current != nil { cancel() }
  }
}

extension BundleWriter {
  /// Creates a bundle in a file; see ``init(path:container:options:overwrite:)``.
  ///
  /// - Throws: ``BundleError`` for invalid options, and if the file cannot be created.
  public convenience init(
    url: URL, container: ContainerInfo, options: Options = Options(), overwrite: Bool = true
  ) throws {
    try self.init(
      path: url.filePath(), container: container, options: options, overwrite: overwrite)
  }
}
