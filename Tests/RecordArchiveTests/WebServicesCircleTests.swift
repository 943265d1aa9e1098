import Foundation
import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import Testing

@testable import RecordArchive

/// Real responses of CloudKit's server go through the whole circle.
@Suite struct WebServicesCircleTests {
  private static let corpus = Place.corpus("web-services")

  @Test(
    "real responses are imported, exported, verified, imported elsewhere and found equal",
    .enabled(if: corpus != nil, "the corpus of real responses is not on this machine"))
  func circle() throws {
    let folder = try #require(Self.corpus)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let sources = try files.flatMap {
      try ResponseSource.sources(at: folder.appendingPathComponent($0).path)
    }
    try withFolder { folder in
      let archiver = Archiver()
      let report = try archiver.importResponses(
        sources, database: .private, creating: "\(folder)/a.sqlite")
      #expect(report.records == 607)
      let container = try ContainerStore.open(path: "\(folder)/a.sqlite")
      try archiver.export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      #expect(try bundle.verify().isIntact)
      #expect(bundle.recordCount == report.added)
      try archiver.importBundle(bundle, creating: "\(folder)/b.sqlite")
      let copy = try ContainerStore.open(path: "\(folder)/b.sqlite")
      #expect(try SampleContainer.differences(.container(container), .container(copy)) == [])
      try archiver.export(copy, to: "\(folder)/b.recordpack")
      #expect(try bytes(of: "\(folder)/a.recordpack") == bytes(of: "\(folder)/b.recordpack"))

      // And back to the dialect of the server, and in again.
      let json = DataBox()
      try archiver.exportResponse(.bundle(bundle)) { json.data += $0 }
      let text = json.data
      try archiver.importResponses(
        [.init(name: "again") { text }], database: .private, creating: "\(folder)/c.sqlite")
      let again = try ContainerStore.open(path: "\(folder)/c.sqlite")
      var comparison = ArchiveComparison(.container(container), .container(again))
      comparison.recordsOnly = true
      let difference = try comparison.run { Issue.record("\($0)") }
      #expect(difference.unchanged == report.added)
    }
  }

  private final class DataBox { var data = Data() }

  @Test("what is no response is named by its file, and nothing is imported")
  func noResponse() throws {
    let memory = try ContainerStore.inMemory()
    let good = Data(#"{"records":[{"recordName":"a","recordType":"T","fields":{}}]}"#.utf8)
    let error = #expect(throws: BundleError.self) {
      try Archiver().importResponses(
        [
          .init(name: "good.json") { good },
          .init(name: "bad.json") { Data("{\"records\":7".utf8) },
        ],
        database: .private, into: memory)
    }
    #expect(error?.source == "bad.json")
    #expect(try ArchiveSource.container(memory).sections().isEmpty)
  }
}
