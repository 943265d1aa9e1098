import Foundation
import RecordBundle
import Testing

/// The writer in Python was written from Format.md alone, too.
@Suite(
  .enabled("needs python3 and the zstd command") {
    Command.exists("python3") && Command.exists("zstd")
  })
struct FormatWriterTests {
  @Test(
    "a bundle written by Python, from shuffled lines, is the one that the library writes",
    arguments: TestAmount.of([900, 1_600], oneIn: 2))
  func roundTrip(records: Int) async throws {
    let folder = try TestFolder()
    let (path, copy) = (folder.path("rich.recordpack"), folder.path("copy.recordpack"))
    let summary = try RichBundle.write(to: path, records: records)
    // The lines in another order, `kind` at the end of each, and white space.
    try #require(summary.files[0].index.frames.count > 2)
    let write = try await Command(
      "bash", "-o", "pipefail", "-c",
      """
      zstd -dc < '\(path)' | sort -r | sed 's/^{"kind":\\("[a-zA-Z]*"\\),\\(.*\\)}$/{\\2, "kind": \\1}/' |
        python3 -B '\(Place.inPackage("Examples/FormatReader/write_bundle.py"))' '\(copy)'
      """)
    #expect(write.code == 0, "\(write.output)")
    let reader = try BundleReader(path: copy)
    #expect(reader.contentHash == summary.contentHash)
    #expect(reader.sections == (try BundleReader(path: path)).sections)
    #expect(reader.indexes[0].frames.map(\.first) == summary.files[0].index.frames.map(\.first))
    let report = try reader.verify()
    #expect(report.isIntact, "\(report.findings)")
    #expect(report.records == summary.records && report.assets == 3)
  }
}
