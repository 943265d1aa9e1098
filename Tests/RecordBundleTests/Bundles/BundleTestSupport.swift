import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import Testing

@testable import RecordBundle

/// The content of a small container, the same on every run.
struct SampleContent {
  var container = ContainerInfo(
    identifier: "iCloud.com.example.tact", environment: .development,
    schema: "DEFINE SCHEMA\n", schemaVersion: "1", currentUserRecordName: "_me")
  var zones: [(RecordZone, DatabaseScope)] = []
  var subscriptions: [(CloudSubscription, DatabaseScope)] = []
  var records: [(ResultRecord, DatabaseScope)] = []
  var tombstones: [(DeletedRecord, DatabaseScope)] = []
  var zoneTombstones: [(ZoneID, DatabaseScope)] = []
  var assets: [[UInt8]] = []

  static let chats = ZoneID(zoneName: "Chats")

  /// - Parameter records: the number of messages.
  init(records count: Int, assetSize: Int = 700_000) {
    let made = assetSize == 700_000 ? Self.large : Self.made(assetSize)
    var random = made.random
    zones = [
      (RecordZone(zoneID: .default), .public), (RecordZone(zoneID: Self.chats), .private),
      (RecordZone(zoneID: .default), .private),
    ]
    subscriptions = [
      (CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)), .private)
    ]
    let bytes = made.bytes
    assets = [Array("a small one".utf8), bytes, []].sorted { Self.sha256($0) < Self.sha256($1) }
    records = (0..<count).map { number in
      let held = number == 0 ? [bytes] + assets.filter { $0 != bytes } : number == 2 ? [bytes] : []
      return (Self.record(number, assets: held, &random), .private)
    }
    tombstones = [
      (
        DeletedRecord(
          recordID: RecordID(recordName: "gone", zoneID: Self.chats), recordType: "Message",
          deletionDate: Date(timeIntervalSinceReferenceDate: 7)), .private
      )
    ]
    zoneTombstones = [(ZoneID(zoneName: "Old"), .private)]
  }

  /// The bytes of the usual asset, which take a third of a second to make.
  private static let large = made(700_000)

  private static func made(_ count: Int) -> (bytes: [UInt8], random: SeededGenerator) {
    var random = SeededGenerator(7)
    return ((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }, random)
  }

  static func sha256(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { SHA256Digest(of: $0).description }
  }

  private static func record(
    _ number: Int, assets: [[UInt8]], _ random: inout SeededGenerator
  ) -> ResultRecord {
    let digits = String(number)
    let name = "m" + String(repeating: "0", count: 8 - digits.count) + digits
    var fields = [
      Field(
        name: "text",
        value: .string("Hello “é”, hello again \(number) and \(random.next() % 1000), see you")),
      Field(name: "count", value: .int64(Int64(number))),
      Field(name: "secret", value: .string("s\(random.next())"), isEncrypted: true),
    ]
    let held = assets.map { Asset(sha256: sha256($0), size: Int64($0.count)) }
    if let photo = held.first { fields.append(Field(name: "photo", value: .asset(photo))) }
    if held.count > 1 {
      fields.append(Field(name: "more", value: .assetList(Array(held.dropFirst()))))
    }
    return ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: chats), recordType: "Message",
        recordChangeTag: String(number, radix: 36)), fields: fields)
  }

  func write(
    to path: String, _ options: BundleWriter.Options = .init()
  ) throws -> BundleSummary {
    let writer = try BundleWriter(path: path, container: container, options: options)
    for (zone, database) in zones { try writer.write(zone, database: database) }
    for (subscription, database) in subscriptions {
      try writer.write(subscription, database: database)
    }
    for (record, database) in records { try writer.write(record, database: database) }
    for (tombstone, database) in tombstones { try writer.write(tombstone, database: database) }
    for (zoneID, database) in zoneTombstones {
      try writer.write(DeletedZone(zoneID: zoneID), database: database)
    }
    for asset in assets { try Self.write(asset, to: writer) }
    return try writer.finish()
  }

  /// Writes the content to a bundle `a` in a folder, and opens it.
  func bundle(in folder: String, _ options: BundleWriter.Options) throws -> BundleReader {
    _ = try write(to: "\(folder)/a", options)
    return try BundleReader(path: "\(folder)/a")
  }

  /// Writes the content as a set of files, smaller than any split size allows.
  ///
  /// - Parameters:
  ///   - lastContainer: the container in the header of the last file.
  ///   - lastZones: the zones that the last file repeats.
  ///   - lasts: the files whose index calls them the last, if not only the last one is.
  /// - Returns: the paths of the files.
  func writeSet(
    of count: Int, to folder: String, lastContainer: ContainerInfo? = nil,
    lastZones: [(RecordZone, DatabaseScope)]? = nil, lasts: Set<Int>? = nil
  ) throws -> [String] {
    var paths: [String] = []
    var digest: String?
    for number in 1...count {
      paths.append("\(folder)/set-0000\(number).recordpack")
      let sink = try AtomicFile(path: paths[number - 1])
      var options = FrameWriter.Options()
      options.frameSize = 1200
      options.threads = 1
      let header = BundleHeader(
        container: number == count ? lastContainer ?? container : container,
        shard: BundleHeader.Shard(number: number, previousSHA256: digest))
      let file = try BundleFileWriter(sink: sink, header: header, options: options)
      let own = (number == count ? lastZones ?? zones : zones).map(BundleItem.zone)
      if number == 1 {
        for zone in own { try file.write(zone) }
      } else {
        try file.repeatZones(own)
      }
      let part = records.count * (number - 1) / count..<records.count * number / count
      for (record, database) in records[part] { try file.write(.record(record, database)) }
      for asset in assets where number == count {
        try file.write(
          .asset(
            AssetChunk(
              sha256: Self.sha256(asset), assetSize: asset.count, offset: 0, data: asset)))
      }
      digest = try file.finish(isLastShard: lasts?.contains(number) ?? (number == count))
        .indexSHA256
      try sink.commit()
    }
    return paths
  }

  static func write(_ asset: [UInt8], to writer: BundleWriter) throws {
    try asset.withUnsafeBytes { bytes in
      var offset = 0
      repeat {
        let end = min(offset + AssetChunk.size, bytes.count)
        try writer.writeAssetChunk(
          sha256: sha256(asset), assetSize: bytes.count, offset: offset,
          bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
        offset = end
      } while offset < bytes.count
    }
  }
}

extension BundleWriter.Options {
  /// Returns options for tests; defaults for those that are nil.
  static func test(
    frameSize: Int? = nil, splitSize: Int? = nil, threads: Int? = nil
  ) -> Self {
    var options = Self()
    options.frameSize = frameSize ?? options.frameSize
    options.splitSize = splitSize
    options.threads = threads ?? options.threads
    return options
  }
}

func bytes(of path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: path)))
}

func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}
