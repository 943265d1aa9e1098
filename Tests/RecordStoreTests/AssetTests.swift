import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import Testing

@testable import RecordStore

@Suite("Assets")
struct AssetTests {
  private func draft(_ name: String, _ assets: Asset...) -> DraftRecord {
    var draft = note(name)
    if assets.count == 1 { draft["file"] = assets[0] } else { draft["files"] = assets }
    return draft
  }

  private func digest(_ data: Data) -> String {
    data.withUnsafeBytes { SHA256Digest(of: $0).description }
  }

  private func randomData(_ count: Int, seed: UInt64 = 5) -> Data {
    var generator = SeededGenerator(seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  private func storedAssets(_ container: ContainerStore) throws -> [StoredAsset] {
    var assets: [StoredAsset] = []
    try container.snapshot { try $0.forEachAsset { assets.append($0) } }
    return assets
  }

  private func chunkCount(_ container: ContainerStore) throws -> Int {
    try container.snapshot {
      Int(try $0.db.integer("SELECT count(*) FROM assetChunk") ?? 0)
    }
  }

  @Test("without content are found before anything is saved")
  func unknownContent() throws {
    let container = try ContainerStore.test()
    let known = Data([1, 2])
    try container.database(.private).save([draft("one", Asset(data: known))])
    try container.transaction { transaction in
      let stored = try draft("two", Asset(sha256: digest(known))).resultRecord()
      try transaction.checkAssets(of: stored, over: nil)
      let missing = try draft("two", Asset(sha256: digest(Data([3])))).resultRecord()
      let error = #expect(throws: CloudError.self) {
        try transaction.checkAssets(of: missing, over: nil)
      }
      #expect(error?.code == .assetFileNotFound)
    }
  }

  @Test(
    "come back byte for byte, whatever their size",
    arguments: [
      0, 1, 262_143, 262_144, 262_145, 700_000,
    ])
  func roundTrip(size: Int) throws {
    let container = try ContainerStore.test()
    let data = randomData(size)
    let saved = try container.database(.private).save([draft("one", Asset(data: data))])
    let asset: Asset = try #require(saved[0]["file"])
    #expect(asset.sha256 == digest(data))
    #expect(asset.size == Int64(size))
    #expect(asset.content == nil)
    #expect(try container.assetData(sha256: digest(data)) == data)
    #expect(try container.database(.private).record(for: saved[0].recordID) == saved[0])
  }

  @Test("are read from files and written to files")
  func files() throws {
    let directory = try TestFolder()
    let data = randomData(600_000)
    let source = URL(fileURLWithPath: directory.path("in"))
    try data.write(to: source)
    let container = try ContainerStore.test()
    try container.database(.private).save([draft("one", Asset(fileURL: source))])
    let target = URL(fileURLWithPath: directory.path("out"))
    try container.copyAsset(sha256: digest(data), to: target)
    #expect(try Data(contentsOf: target) == data)
    #expect(throws: ContainerStoreError.alreadyExists(path: target.path)) {
      try container.copyAsset(sha256: digest(data), to: target)
    }
    let missing = URL(fileURLWithPath: directory.path("missing"))
    let error = #expect(throws: CloudError.self) {
      try container.database(.private).save([draft("two", Asset(fileURL: missing))])
    }
    #expect(error?.code == .assetFileNotFound)
    #expect(throws: ContainerStoreError.assetNotFound(sha256: digest(Data([1])))) {
      try container.copyAsset(sha256: digest(Data([1])), to: missing)
    }
    #expect(!FileManager.default.fileExists(atPath: missing.path))
  }

  @Test("are stored once however many records hold them, and freed with the last of them")
  func sharing() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let (a, b) = (Asset(data: randomData(300_000)), Asset(data: randomData(10, seed: 6)))
    try database.save([draft("one", a), draft("two", a, b, a), draft("three", b)])
    #expect(try storedAssets(container).count == 2)
    #expect(try chunkCount(container) == 3)
    try database.deleteRecords([draft("one").recordID])
    #expect(try chunkCount(container) == 3)
    try database.save([note("two")])
    #expect(try storedAssets(container).map(\.size) == [10])
    #expect(try chunkCount(container) == 1)
    try database.deleteZone(notes)
    #expect(try storedAssets(container).isEmpty)
    #expect(try chunkCount(container) == 0)
  }

  @Test("of a save that fails leave nothing")
  func failedSave() throws {
    let container = try ContainerStore.test()
    #expect(throws: CloudError.self) {
      try container.database(.private).save([
        draft("one", Asset(data: randomData(1000))),
        note("two", in: ZoneID(zoneName: "Nowhere")),
      ])
    }
    #expect(try chunkCount(container) == 0)
  }

  @Test("larger than the limit are refused while they are read, unless there is none")
  func sizeLimit() throws {
    let directory = try TestFolder()
    let source = URL(fileURLWithPath: directory.path("in"))
    try randomData(300_000).write(to: source)
    var limits = RecordLimits()
    limits.assetSize = 270_000
    let container = try ContainerStore.inMemory(limits: limits)
    let database = container.database(.private)
    var record = note("one", in: .default)
    record["file"] = Asset(fileURL: source)
    let error = #expect(throws: CloudError.self) { try database.save([record]) }
    #expect(error?.violation?.limit == .assetSize)
    #expect(error?.code == .limitExceeded)
    #expect(try chunkCount(container) == 0)
  }

  @Test(
    "are taken in pieces of any size on import, and checked against their digest",
    arguments: [1000, 262_144, 300_000])
  func imported(pieceSize: Int) throws {
    let data = randomData(650_000)
    let sha256 = digest(data)
    let container = try ContainerStore.test()
    try container.importTransaction { writer in
      try writer.add(assetRecord("one", sha256), to: .private)
      try add(data, sha256, to: writer, pieceSize: pieceSize)
      // A second shard may contain the same asset.
      try add(data, sha256, to: writer, pieceSize: 100_000)
    }
    #expect(try container.assetData(sha256: sha256) == data)
    #expect(try chunkCount(container) == 3)
    let record = note("one").recordID
    #expect(
      try container.snapshot { try $0.assets(of: record, in: .private) }
        == [StoredAsset(sha256: sha256, size: 650_000)])
  }

  @Test("without content are known by name, and are given it later")
  func missingContent() throws {
    let data = randomData(1000)
    let sha256 = digest(data)
    let container = try ContainerStore.test()
    try container.importTransaction { try $0.add(assetRecord("one", sha256), to: .private) }
    #expect(try storedAssets(container) == [StoredAsset(sha256: sha256, size: nil)])
    #expect(throws: ContainerStoreError.assetNotFound(sha256: sha256)) {
      try container.assetData(sha256: sha256)
    }
    try container.database(.private).save([draft("two", Asset(data: data))])
    #expect(try container.assetData(sha256: sha256) == data)
  }

  @Test("named in upper case, or by a value of an unknown type, are kept")
  func unusualNames() throws {
    let data = [randomData(1000), randomData(1000, seed: 6), randomData(1000, seed: 7)]
    let container = try ContainerStore.test()
    let counts = try container.importTransaction { writer in
      // A known field with a digest in another spelling is refused.
      #expect(throws: RecordCodingError.self) {
        try writer.add(assetRecord("zero", digest(data[0]).uppercased()), to: .private)
      }
      try writer.add(assetRecord("one", digest(data[0])), to: .private)
      let unknown = ResultRecord(
        systemFields: SystemFields(recordID: note("two").recordID, recordType: "Note"),
        fields: [
          Field(
            name: "file",
            value: .unknown(
              type: "HOLOGRAM", json: RawJSON(compact: #"{"sha256":"\#(digest(data[1]))"}"#)))
        ])
      try writer.add(unknown, to: .private)
      for data in data { try add(data, digest(data), to: writer, pieceSize: 1000) }
      return writer
    }.counts
    #expect(counts.assets == 2, "the third is named by nobody")
    #expect(try container.assetData(sha256: digest(data[0])) == data[0])
    #expect(try container.assetData(sha256: digest(data[0]).uppercased()) == data[0])
    #expect(try container.assetData(sha256: digest(data[1])) == data[1])
    #expect(try container.verify { Issue.record("\($0)") }.assets == 2)
    // Existing content is not counted again; content that was missing is.
    let again = try container.importTransaction { writer in
      try writer.add(assetRecord("three", digest(data[2])), to: .private)
      for data in data { try add(data, digest(data), to: writer, pieceSize: 1000) }
      return writer
    }.counts
    #expect(again.assets == 1)
  }

  @Test("without content are refused, unless the container knows the content")
  func withoutContent() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let zeros = String(repeating: "0", count: 64)
    for asset in [Asset(), Asset(sha256: "zz", size: -3), Asset(sha256: zeros), Asset(size: 4)] {
      let error = #expect(throws: CloudError.self) { try database.save([draft("one", asset)]) }
      // An invalid digest has another error than missing content.
      let isPossible = asset.sha256 == zeros
      #expect(error?.code == (isPossible ? .assetFileNotFound : .invalidArguments))
      #expect(throws: CloudError.self) { try database.save([draft("one", asset, asset)]) }
    }
    let saved = try database.save([draft("one", Asset(data: Data([1, 2])))])
    let stored: Asset = try #require(saved[0]["file"])
    try database.save([draft("two", stored)])
    var wrong = stored
    wrong.size = -3
    #expect(throws: CloudError.self) { try database.save([draft("three", wrong)]) }
    // A record keeps an asset that came from a server, even without content.
    let theirs = Asset(size: 4, fileChecksum: "Ab==", downloadURL: "https://example.com/x")
    try container.importTransaction { writer in
      let record = ResultRecord(
        systemFields: SystemFields(recordID: note("four").recordID, recordType: "Note"),
        fields: [Field(name: "file", value: .asset(theirs))])
      try writer.add(record, to: .private)
    }
    try database.save([draft("four", theirs)])
    #expect(throws: CloudError.self) { try database.save([draft("five", theirs)]) }
  }

  @Test("out of what is no plain file are refused at once")
  func noPlainFiles() throws {
    let directory = try TestFolder()
    let database = try ContainerStore.test().database(.private)
    #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
    let addresses = [
      URL(fileURLWithPath: directory.path("pipe")), URL(fileURLWithPath: "/dev/zero"),
      URL(filePath: directory.path), try #require(URL(string: "https://example.com/etc/hosts")),
      try #require(URL(string: "https://example.com/")),
    ]
    for address in addresses {
      let error = #expect(throws: CloudError.self) {
        try database.save([draft("one", Asset(fileURL: address))])
      }
      #expect(error?.code == (address.isFileURL ? .assetFileNotFound : .invalidArguments))
    }
  }

  @Test("are not written to what is no address of a file")
  func noFileAddress() throws {
    let container = try ContainerStore.test()
    try container.database(.private).save([draft("one", Asset(data: Data([1])))])
    let directory = try TestFolder()
    let address = try #require(URL(string: "https://example.com" + directory.path("stray")))
    #expect(throws: ContainerStoreError.notFileURL(address.absoluteString)) {
      try container.copyAsset(sha256: digest(Data([1])), to: address)
    }
    #expect(!FileManager.default.fileExists(atPath: address.path))
  }

  @Test("that no record names are dropped at the end of an import")
  func unused() throws {
    let data = randomData(1000)
    let container = try ContainerStore.test()
    try container.importTransaction { try add(data, digest(data), to: $0, pieceSize: 1000) }
    #expect(try storedAssets(container).isEmpty)
    #expect(try chunkCount(container) == 0)
  }

  @Test("that are damaged, cut short or out of order fail the import")
  func damaged() throws {
    let data = randomData(1000)
    let sha256 = digest(data)
    let wrong = digest(Data([1]))
    let container = try ContainerStore.test()
    func attempt(_ body: (ImportTransaction) throws -> Void) throws {
      try container.importTransaction { writer in
        try writer.add(assetRecord("one", sha256), to: .private)
        try body(writer)
      }
    }
    #expect(throws: ContainerStoreError.assetDigest(expected: wrong, found: sha256)) {
      try attempt { try add(data, wrong, to: $0, pieceSize: 400) }
    }
    #expect(throws: ContainerStoreError.assetIncomplete(sha256: sha256, stored: 600, size: 1000)) {
      try attempt { try add(data.prefix(600), sha256, to: $0, pieceSize: 300, size: 1000) }
    }
    #expect(throws: ContainerStoreError.assetIncomplete(sha256: sha256, stored: 1000, size: 900)) {
      try attempt { try add(data, sha256, to: $0, pieceSize: 500, size: 900) }
    }
    #expect(throws: ContainerStoreError.assetOffset(sha256: sha256, expected: 0, found: 8)) {
      try attempt { writer in
        try data.withUnsafeBytes {
          try writer.addAssetChunk($0, at: 8, ofAsset: sha256, size: 1008)
        }
      }
    }
    #expect(throws: ContainerStoreError.invalidDigest("xyz")) {
      try attempt { try add(data, "xyz", to: $0, pieceSize: 400) }
    }
    #expect(try storedAssets(container).isEmpty)
  }

  @Test("are handed out whole up to a limit only")
  func readLimit() throws {
    let container = try ContainerStore.test()
    let data = randomData(1000)
    try container.database(.private).save([draft("one", Asset(data: data))])
    #expect(
      throws: ContainerStoreError.assetTooLarge(sha256: digest(data), size: 1000, limit: 999)
    ) {
      try container.assetData(sha256: digest(data), limit: 999)
    }
  }

  @Test("are found in a payload by the whole name of the member, and by lower-case digits")
  func scanning() throws {
    let hex = String(repeating: "0a", count: 32)
    let payloads = [
      #"{"v":{"sha256":"\#(hex)","size":1}}"#: 1,
      #"[{"sha256":"\#(hex)"},{"sha256":"\#(hex)"}]"#: 2,
      #"{"text":"\"sha256\":\"\#(hex)\""}"#: 0,
      #"{"sha256":"\#(hex.dropLast())"}"#: 0,
      #"{"sha256":"\#(hex.uppercased())"}"#: 0,
      #"{"x\"sha256":"\#(hex)"}"#: 0,
      #"{"x\\\"sha256":"\#(hex)"}"#: 0,
      #"{"a":"sha256","sha256":"\#(hex)"}"#: 1,
      #"{"sha256":"\#(hex)"#: 0,
      #"{"sha256":""#: 0,
      "": 0,
    ]
    for (payload, count) in payloads {
      var found = 0
      Array(payload.utf8).withUnsafeBytes { AssetReferences.forEach(in: $0) { _ in found += 1 } }
      #expect(found == count, "\(payload)")
    }
  }

  private func assetRecord(_ name: String, _ sha256: String) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(recordID: note(name).recordID, recordType: "Note"),
      fields: [Field(name: "file", value: .asset(Asset(sha256: sha256, size: 1)))])
  }

  private func add(
    _ data: Data, _ sha256: String, to writer: ImportTransaction, pieceSize: Int, size: Int? = nil
  ) throws {
    for offset in stride(from: 0, to: data.count, by: pieceSize) {
      let piece = data.dropFirst(offset).prefix(pieceSize)
      try piece.withUnsafeBytes {
        try writer.addAssetChunk(
          $0, at: Int64(offset), ofAsset: sha256, size: Int64(size ?? data.count))
      }
    }
  }
}
