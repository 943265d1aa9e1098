#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Files of assets, kept from CloudKit")
  struct AssetFilesTests {
    private let folder: TestFolder
    private let file: URL
    private let files: AssetFiles

    init() throws {
      folder = try TestFolder()
      file = URL(filePath: folder.path("photo"))
      files = AssetFiles(folder: URL(filePath: folder.path("kept")))
      try Data("photo".utf8).write(to: file)
    }

    @Test("stay as they are when the file that was fetched is written to")
    func overwritten() throws {
      let asset = try Asset(CKAsset(fileURL: file), keepingFileIn: files)
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data("PHOTO".utf8))
      try handle.close()
      let url = try #require(files.fileURL(for: asset))
      #expect(try Data(contentsOf: url) == Data("photo".utf8))
    }

    @Test("are those that symbolic links lead to")
    func symbolicLink() throws {
      let link = URL(filePath: folder.path("link"))
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let asset = try Asset(CKAsset(fileURL: link), keepingFileIn: files)
      #expect(asset.size == 5)
      try FileManager.default.removeItem(at: file)
      let url = try #require(files.fileURL(for: asset))
      #expect(try Data(contentsOf: url) == Data("photo".utf8))
    }

    @Test("of a record that cannot be read are removed")
    func unreadable() throws {
      let record = CKRecord(recordType: "Note")
      record.setObject(CKAsset(fileURL: file), forKey: "a")
      record.setObject(NSArray(array: [NSArray()]), forKey: "b")
      #expect(throws: CloudError.self) {
        try ResultRecord(record, keepingFilesIn: files)
      }
      let kept = try? FileManager.default.contentsOfDirectory(atPath: files.folder.path)
      #expect(kept ?? [] == [])
    }

    @Test("of the records in a conflict are in the container's folder")
    func conflict() async throws {
      let containers = try TwinContainers()
      let database = containers.bridged.privateCloudDatabase
      var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
      draft["photo"] = Asset(data: Data("photo".utf8))
      let first = try await database.save(draft)
      var mine = DraftRecord(first)
      mine["title"] = "mine"
      _ = try await database.save(mine)
      do {
        try await database.save(mine)
        Issue.record("no conflict")
      } catch let error as CloudError {
        let asset: Asset = try #require(error.conflict?.serverRecord?["photo"])
        #expect(containers.bridged.assetFiles.fileURL(for: asset) != nil)
      }
    }
  }
#endif
