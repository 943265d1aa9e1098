import Foundation
import RecordMigration
import RecordModel
import RecordPlatform
import Testing

@testable import RecordArchive
@testable import RecordBundle

@Suite("An asset that becomes bytes")
struct AssetSizeTests {
  private func migrated(_ data: Data, statedSize: Int, in folder: String) throws -> Int {
    let path = folder + "/a.recordpack"
    let digest = data.withUnsafeBytes { SHA256Digest(of: $0).description }
    let asset = Asset(sha256: digest, size: Int64(data.count))
    let sink = try AtomicFile(path: path)
    let writer = try BundleFileWriter(
      sink: sink, header: BundleHeader(container: ContainerInfo(schemaVersion: "1")),
      options: FrameWriter.Options())
    try writer.write(.zone(RecordZone(zoneID: .default), .private))
    let system = SystemFields(recordID: RecordID(recordName: "r"), recordType: "T")
    let record = ResultRecord(
      systemFields: system, fields: [Field(name: "f", value: .asset(asset))])
    try writer.write(.record(record, .private))
    let line = """
      {"kind":"asset","sha256":"\(digest)","size":\(statedSize),"offset":0,\
      "data":"\(data.base64EncodedString())"}
      """
    try writer.writeLine(in: LineKey(kind: .asset), name: digest) {
      $0.append(text: line)
    }
    _ = try writer.finish(isLastShard: nil)
    try sink.commit()
    let step = MigrationStep("T", .convert("f", Conversion(to: .bytes)))
    let migrator = try Migrator([Migration(from: "1", to: "2", steps: [step])])
    return try Archiver().migrate(
      .bundle(try BundleReader(path: path)), with: migrator, to: folder + "/b.recordpack"
    ).report.results
  }

  @Test("has as many bytes as its lines state, or is refused")
  func size() throws {
    let data = Data("eight by".utf8)
    try withFolder { folder in
      let results = try migrated(data, statedSize: 8, in: folder)
      #expect(results == 1)
    }
    try withFolder { folder in
      let error = try #require(throws: (any Error).self) {
        try migrated(data, statedSize: 9, in: folder)
      }
      #expect("\(error)".contains("ends after 8 of its 9 bytes"), "\(error)")
    }
  }
}
