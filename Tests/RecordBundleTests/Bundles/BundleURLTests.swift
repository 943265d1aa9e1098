import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Bundles by URL and in memory")
struct BundleURLTests {
  private func write(to url: URL) throws {
    let writer = try BundleWriter(url: url, container: ContainerInfo(identifier: "iCloud.test"))
    try writer.write(RecordZone(zoneID: .default), database: .private)
    _ = try writer.finish()
  }

  @Test("A name with a blank and a percent sign is the file's name", arguments: ["a b%20c", "é"])
  func url(name: String) throws {
    try withFolder { folder in
      let url = URL(fileURLWithPath: folder).appendingPathComponent("\(name).recordpack")
      try write(to: url)
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(name).recordpack"))
      #expect(try BundleReader(url: url).container.identifier == "iCloud.test")
      let data = try Data(contentsOf: url)
      #expect(try BundleReader(data: data).container.identifier == "iCloud.test")
      // The indices of a slice do not start at 0.
      let slice = (Data([1, 2, 3]) + data).dropFirst(3)
      #expect(try BundleReader(data: slice).verify().isIntact)
    }
  }

  @Test("Data that is no bundle is told as a file would be")
  func badData() throws {
    #expect(frameError { _ = try BundleReader(data: Data()) }?.code == .emptyFile)
    let error = frameError { _ = try BundleReader(data: Data("{\"a\":1}".utf8), name: "reply") }
    #expect(error?.code == .notABundle)
    #expect(error?.source == "reply")
  }

  @Test("A URL of the network is refused")
  func network() throws {
    let url = try #require(URL(string: "https://x.test/a.recordpack"))
    let error = #expect(throws: CocoaError.self) { try BundleReader(url: url) }
    #expect(error?.localizedDescription.contains("https://x.test/a.recordpack") == true)
    #expect(throws: CocoaError.self) { try write(to: url) }
  }
}
