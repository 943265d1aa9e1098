import CloudKit
import Foundation
import RecordModel
import RecordPackCloudKit
import TestSupport
import Testing

@Suite("An asset, as one of CloudKit and back")
struct AssetConversionTests {
  @Test("lasts longer than the file of CloudKit")
  func kept() throws {
    let folder = try TestFolder()
    let file = URL(filePath: folder.path("photo"))
    try Data("photo".utf8).write(to: file)
    let files = AssetFiles(folder: URL(filePath: folder.path("kept")))
    let asset = try Asset(CKAsset(fileURL: file), keepingFileIn: files)
    try FileManager.default.removeItem(at: file)
    #expect(asset.content == nil && asset.size == 5)
    let url = try #require(files.fileURL(for: asset))
    #expect(url.lastPathComponent == asset.sha256)
    #expect(try Data(contentsOf: url) == Data("photo".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: files.folder.path)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
  }

  @Test("is kept once, however often it comes")
  func once() throws {
    let folder = try TestFolder()
    let files = AssetFiles(folder: URL(filePath: folder.path("kept")))
    for name in ["a", "b", "a"] {
      let file = URL(filePath: folder.path(name))
      try Data("photo".utf8).write(to: file)
      _ = try Asset(CKAsset(fileURL: file), keepingFileIn: files)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
    #expect(names.count == 1)
  }

  @Test("has a file of bytes in memory, readable by its owner alone")
  func written() throws {
    let folder = try TestFolder()
    var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
    draft["photo"] = Asset(data: Data("photo".utf8))
    let files = AssetFiles(folder: URL(filePath: folder.path("written")))
    let record = try draft.ckRecord(files: files)
    let asset = try #require(record.object(forKey: "photo") as? CKAsset)
    let url = try #require(asset.fileURL)
    #expect(try Data(contentsOf: url) == Data("photo".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
    // A fetched asset is saved again from the file that was kept.
    let fetched = DraftRecord(try ResultRecord(record, keepingFilesIn: files))
    let again = try fetched.ckRecord(includingAllFields: true, files: files)
    #expect((again.object(forKey: "photo") as? CKAsset)?.fileURL == url)
  }

  @Test("that does not exist is an error")
  func missing() throws {
    let folder = try TestFolder()
    let files = AssetFiles(folder: URL(filePath: folder.path("kept")))
    #expect(throws: (any Error).self) {
      try Asset(CKAsset(fileURL: URL(filePath: folder.path("none"))), keepingFileIn: files)
    }
    #expect(files.fileURL(for: Asset(sha256: String(repeating: "0", count: 64))) == nil)
    #expect(files.fileURL(for: Asset(sha256: "../none")) == nil)
  }
}
