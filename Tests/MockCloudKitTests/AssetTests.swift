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

  private func file(_ content: Data, _ name: String) throws -> URL {
    URL(fileURLWithPath: try folder.write(Array(content), as: name))
  }
}
