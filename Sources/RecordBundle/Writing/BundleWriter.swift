import RecordCoding
import RecordModel

/// Writes a bundle, line by line, in the order the format demands.
///
/// Zones come first, then subscriptions, records, tombstones, deleted zones and assets; within each
/// kind by database, zone, record type and name, in the order of their UTF-8 bytes. A line out of
/// order, or one that comes twice, is refused: that is what makes the same content the same bytes.
///
/// Use a writer from one thread; frames are compressed on others. Nothing stands under the final
/// name before ``finish()``; a writer that is dropped before leaves nothing behind.
public final class BundleWriter {
  /// How a bundle is written.
  public struct Options: Sendable, Hashable {
    /// zstd's level, -7 (fast) to 22 (small). Level 1 is tuned for records: it compresses a fifth
    /// faster than 2 and four fifths faster than 3, for 3 % more bytes than either.
    public var level = 1
    /// Bytes of lines in one zstd frame, which is what a reader decompresses at a time. The first
    /// frames of a file are smaller, so that damage costs a small file little.
    public var frameSize = 2 << 20
    /// Threads that compress; 1 compresses in the caller's. The bytes do not depend on it.
    public var threads = BundleThreads.recommended
    /// The largest file, in bytes, before the bundle goes on in a further one; nil for one file.
    ///
    /// The header and the zones stand in every file: a size that leaves no room for other lines is
    /// refused. A file is larger only where it holds a single line beside them.
    public var splitSize: Int?

    /// Makes the default options.
    public init() {}
  }

  private let output: ShardOutput
  private let container: ContainerInfo
  private let records = RecordJSONWriter()
  private var order = LineOrder()
  private var zones: [(RecordZone, DatabaseScope)] = []
  private var current: BundleFileWriter?
  private var finished: [BundleSummary.File] = []
  /// Whether every file has room for more than its header and the zones; for a split bundle.
  private var hasCheckedRoom = false

  /// Begins a bundle at a path; `-` is standard output.
  ///
  /// - Parameters:
  ///   - path: with `splitSize` the files are named `NAME-00001.recordpack` and so on.
  ///   - mustNotExist: refuse to replace an existing file.
  /// - Throws: ``FrameError`` for impossible options, and where the file cannot be made.
  public init(
    path: String, container: ContainerInfo, options: Options = Options(),
    mustNotExist: Bool = false
  ) throws {
    output = try ShardOutput(path: path, options: options, mustNotExist: mustNotExist)
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

  private func openFile() throws -> BundleFileWriter {
    guard let current else {
      throw BundleError(.order, in: output.name, "the bundle is finished already")
    }
    return current
  }

  /// The file that takes the next line but a zone's: a further one, where the next frame might not
  /// fit.
  private func file() throws -> BundleFileWriter {
    let file = try openFile()
    guard let limit = output.splitSize else { return file }
    if !hasCheckedRoom { try checkRoom(of: file, limit) }
    return try file.hasRoom(for: limit) ? file : next(after: file)
  }

  /// - Throws: where the header and the zones fill a file, before its first other line.
  private func checkRoom(of file: BundleFileWriter, _ limit: Int) throws {
    if let size = try file.sizeWithRoom(insteadOf: limit) {
      throw FrameError(
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

  /// Writes a line that `body` appends to the buffer it is given.
  @inline(__always)
  private func writeLine(
    in key: BundleSection.Key, name: @autoclosure () -> String?, beginsAsset: Bool = false,
    _ body: (ByteBuffer) throws -> Void
  ) throws {
    let file = try file()
    if try file.writeLine(
      in: key, name: name(), beginsAsset: beginsAsset, limit: output.splitSize, body)
    {
      return
    }
    try next(after: file).writeLine(in: key, name: name(), beginsAsset: beginsAsset, body)
  }

  /// Writes a line out of the members that follow `kind` and `database`.
  private func write(_ content: JSONValue, in key: BundleSection.Key, name: String?) throws {
    try writeLine(in: key, name: name) {
      BundleItem.line(of: key.kind, key.database, content).write(to: $0)
    }
  }

  private func end(_ file: BundleFileWriter, isLast: Bool) throws {
    finished.append(try file.finish(isLastShard: output.isSplit ? isLast : nil))
    current = nil
  }

  /// Writes a zone.
  public func write(_ zone: RecordZone, database: DatabaseScope) throws {
    try order.advance(to: .zone(database, zone.zoneID), in: output.name)
    // All zones stand in one file, which the first other line may end.
    let file = try openFile()
    if output.isSplit { zones.append((zone, database)) }
    try file.write(zone, database)
  }

  /// Writes a subscription.
  public func write(_ subscription: Subscription, database: DatabaseScope) throws {
    try order.advance(
      to: .subscription(database, subscription.subscriptionID), in: output.name)
    let section = BundleSection.Key(kind: .subscription, database: database)
    try write(
      try subscription.jsonValue(), in: section, name: subscription.subscriptionID)
  }

  /// Writes a record.
  public func write(_ record: ResultRecord, database: DatabaseScope) throws {
    let recordID = record.recordID
    let type = record.recordType
    try order.advance(toRecord: recordID, type: type, database, in: output.name)
    let section = BundleSection.Key(
      kind: .record, database: database, zoneID: recordID.zoneID, recordType: type)
    try writeLine(in: section, name: recordID.recordName) {
      try records.writeLine(record, database: database, to: $0)
    }
  }

  /// Writes a record that is at hand as its canonical dictionary.
  ///
  /// - Parameter name: the record's name, in UTF-8.
  package func writeRecord(
    dictionary: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, zoneID: ZoneID,
    recordType: String, database: DatabaseScope
  ) throws {
    try order.advance(to: .record(database, zoneID, recordType), utf8Name: name, in: output.name)
    let section = BundleSection.Key(
      kind: .record, database: database, zoneID: zoneID, recordType: recordType)
    try writeLine(in: section, name: String(decoding: name, as: UTF8.self)) { buffer in
      buffer.append(RecordLine.opening(for: database))
      buffer.append(UnsafeRawBufferPointer(rebasing: dictionary.dropFirst()))
    }
  }

  /// Writes what is left of a deleted record.
  public func write(_ tombstone: Tombstone, database: DatabaseScope) throws {
    let recordID = tombstone.recordID
    try order.advance(
      to: .tombstone(database, recordID.zoneID), name: recordID.recordName, in: output.name)
    let section = BundleSection.Key(
      kind: .tombstone, database: database, zoneID: recordID.zoneID)
    try write(try tombstone.jsonValue(), in: section, name: recordID.recordName)
  }

  /// Writes what is left of a deleted zone.
  public func write(zoneTombstone zoneID: ZoneID, database: DatabaseScope) throws {
    try order.advance(to: .zoneTombstone(database, zoneID), in: output.name)
    let section = BundleSection.Key(kind: .zoneTombstone, database: database)
    try write(.object([.init("zoneID", zoneID.jsonValue())]), in: section, name: nil)
  }

  /// Writes a piece of an asset: ``AssetChunk/size`` bytes, or the rest at its end.
  ///
  /// - Parameters:
  ///   - sha256: SHA-256 of the whole asset, 64 lower-case hexadecimal digits.
  ///   - assetSize: the size of the whole asset in bytes.
  ///   - offset: where the piece begins.
  public func writeAssetChunk(
    sha256: String, assetSize: Int, offset: Int, bytes: UnsafeRawBufferPointer
  ) throws {
    try order.advance(
      toAsset: sha256, size: assetSize, offset: offset, count: bytes.count,
      in: output.name)
    let section = BundleSection.Key(kind: .asset)
    try writeLine(in: section, name: sha256, beginsAsset: offset == 0) {
      AssetChunk.writeLine(
        sha256: sha256, assetSize: assetSize, offset: offset, bytes: bytes, to: $0)
    }
  }

  /// Ends the bundle and puts it in place.
  public func finish() throws -> BundleSummary {
    let file = try openFile()
    try order.checkAssetIsWhole(in: output.name)
    if let limit = output.splitSize, !hasCheckedRoom { try checkRoom(of: file, limit) }
    try end(file, isLast: true)
    try output.commit()
    return BundleSummary(files: finished)
  }

  /// Gives the bundle up and leaves nothing behind.
  public func cancel() {
    current?.cancel()
    current = nil
    output.discard()
  }

  deinit {
    if current != nil { cancel() }
  }
}
