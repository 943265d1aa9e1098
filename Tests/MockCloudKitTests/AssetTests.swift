#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import TestSupport
import Testing

@Suite struct AssetTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func theContentOfAnAssetIsInAFile() async throws {
    let fixture = try await Fixture.withZone()
    let content = Data("picture".utf8)
    let record = fixture.record("a")
    record["photo"] = CKAsset(fileURL: try file(content, "a"))
    record["photos"] = [CKAsset(fileURL: try file(Data([7]), "b"))]
    _ = try await fixture.database.save(record)
    let fetched = try await fixture.database.record(for: record.recordID)
    let photo: CKAsset? = fetched["photo"]
    let file = try #require(photo?.fileURL)
    #expect(try Data(contentsOf: file) == content)
    let photos: [CKAsset]? = fetched["photos"]
    let second = try #require(photos?.first?.fileURL)
    #expect(try Data(contentsOf: second) == Data([7]))
  }

  @Test func aFetchedAssetCanBeSavedInAnotherRecord() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["photo"] = CKAsset(fileURL: try file(Data("x".utf8), "a"))
    let saved = try await fixture.database.save(record)
    let other = fixture.record("b")
    other["photo"] = saved["photo"] as CKAsset?
    let copy: CKAsset? = try await fixture.database.save(other)["photo"]
    let file = try #require(copy?.fileURL)
    #expect(try Data(contentsOf: file) == Data("x".utf8))
  }

  @Test func anAssetWithoutAFileIsNotSaved() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["photo"] = CKAsset(fileURL: URL(fileURLWithPath: "/nowhere/at/all"))
    let error = await ckError { try await fixture.database.save(record) }
    #expect(error?.code == .assetFileNotFound)
  }

  /// What an app does with the file of a fetched asset.
  enum Use: CaseIterable {
    case move, write, append

    func run(_ file: URL) throws {
      switch self {
      case .move: try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("x"))
      case .write: try Data("y".utf8).write(to: file, options: [])
      case .append:
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("y".utf8))
        try handle.close()
      }
    }
  }

  @Test(arguments: Use.allCases)
  func eachFetchedAssetHasAFileOfItsOwn(use: Use) async throws {
    let fixture = try await Fixture.withZone()
    let records = ["a", "b"].map { fixture.record($0) }
    for record in records {
      let asset = CKAsset(fileURL: try file(Data("x".utf8), "a"))
      record["photo"] = asset
      record["cover"] = asset
      record["photos"] = [asset, asset]
    }
    _ = try await fixture.database.modifyRecords(saving: records, deleting: [])
    let phone = CKContainer(mock: fixture.mock.device("Phone")).privateCloudDatabase
    let first = try await phone.record(for: records[0].recordID)
    let used = try #require((first["photo"] as CKAsset?)?.fileURL)
    var others: [CKAsset] = []
    for database in [phone, fixture.database] {
      for record in records + [first] {
        let fetched = record === first ? first : try await database.record(for: record.recordID)
        others += (fetched["photos"] ?? []) + [fetched["cover"] as CKAsset?].compactMap(\.self)
        if record !== first, let photo = fetched["photo"] as CKAsset? { others.append(photo) }
      }
    }
    try use.run(used)
    #expect(Set(others.map(\.fileURL)).count == 19 && !others.map(\.fileURL).contains(used))
    for file in others.map(\.fileURL) {
      #expect(try Data(contentsOf: #require(file)) == Data("x".utf8))
    }
    let again: CKAsset? = try await phone.record(for: records[0].recordID)["photo"]
    #expect(try Data(contentsOf: #require(again?.fileURL)) == Data("x".utf8))
  }

  @Test func aRecordThatIsFetchedOftenDoesNotFillTheDisk() async throws {
    let fixture = try await Fixture.withZone()
    let record = fixture.record("a")
    record["photo"] = CKAsset(fileURL: try file(Data("x".utf8), "a"))
    _ = try await fixture.database.save(record)
    var files: Set<URL> = []
    for _ in 0..<10 {
      let fetched = try await fixture.database.record(for: record.recordID)
      let file = try #require((fetched["photo"] as CKAsset?)?.fileURL)
      #expect(try Data(contentsOf: file) == Data("x".utf8))
      files.insert(file)
      record["title"] = "\(files.count)"
      _ = try await fixture.database.save(record)
    }
    let folder = try #require(files.first).deletingLastPathComponent()
    #expect(files.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
  }

  private func file(_ content: Data, _ name: String) throws -> URL {
    URL(fileURLWithPath: try folder.write(Array(content), as: name))
  }
}
