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
    guard case .file(let url) = asset.content else {
      Issue.record("no file")
      return
    }
    #expect(try Data(contentsOf: url) == Data("photo".utf8))
    #expect(asset.size == 5)
    #expect(url.deletingLastPathComponent().path == files.folder.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: files.folder.path)
    #expect(attributes[.posixPermissions] as? NSNumber == 0o700)
  }

  @Test("is CloudKit's own file if none is to be kept")
  func notKept() throws {
    let folder = try TestFolder()
    let file = URL(filePath: folder.path("photo"))
    try Data("photo".utf8).write(to: file)
    let asset = try Asset(CKAsset(fileURL: file), keepingFileIn: nil)
    #expect(asset.content == .file(file))
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
  }

  @Test("that does not exist is an error")
  func missing() throws {
    let folder = try TestFolder()
    #expect(throws: (any Error).self) {
      try Asset(CKAsset(fileURL: URL(filePath: folder.path("none"))), keepingFileIn: nil)
    }
  }
}
