import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite struct BundleDamageTests {
  /// Everything a bundle holds, as far as it can be read; records in words.
  private func contents(of path: String) throws -> [String] {
    let reader = try BundleReader(path: path)
    var found: [String] = []
    try reader.forEachItem(of: Set(LineKind.allCases), threads: 1) { item in
      switch item {
      case .record(let record, let database):
        found.append("\(database) \(try record.jsonValue().compactText)")
      case .zone(let zone, let database):
        found.append("zone \(database) \(try zone.jsonValue().compactText)")
      default: found.append("\(item)")
      }
    }
    return found
  }

  private func small(in folder: String) throws -> (path: String, bytes: [UInt8]) {
    let content = SampleContent(records: 12, assetSize: 300)
    var options = BundleWriter.Options()
    options.frameSize = 600
    options.threads = 1
    _ = try content.write(to: "\(folder)/a.recordpack", options)
    return ("\(folder)/a.recordpack", try bytes(of: "\(folder)/a.recordpack"))
  }

  @Test("a bundle cut at any byte is refused, and its intact frames are saved")
  func truncated() throws {
    try withFolder { folder in
      let (path, whole) = try small(in: folder)
      let all = Set(try contents(of: path))
      let table = try BundleReader(path: path).files[0].frames.table
      for length in stride(from: 0, to: whole.count, by: 3) {
        try write(whole[..<length], to: path)
        #expect(throws: (any Error).self) { try contents(of: path) }
        guard
          let report = try? BundleRecovery.recover(
            path, to: "\(folder)/r.recordpack", options: fast)
        else { continue }
        #expect(!report.isComplete || length >= table.offset)
        for item in try contents(of: "\(folder)/r.recordpack") where !item.hasPrefix("zone") {
          #expect(all.contains(item), "\(item)")
        }
        #expect(
          try BundleReader(path: "\(folder)/r.recordpack").verify(threads: 1).findings
            .allSatisfy { $0.message.contains("asset") })
      }
    }
  }

  @Test("a flipped byte never gives another record")
  func flipped() throws {
    try withFolder { folder in
      let (path, whole) = try small(in: folder)
      let all = try contents(of: path)
      for position in whole.indices {
        var damaged = whole
        damaged[position] ^= UInt8(1 << (position % 8))
        try write(damaged, to: path)
        if let read = try? contents(of: path) { #expect(read == all, "byte \(position)") }
        if let reader = try? BundleReader(path: path), position % 5 == 0 {
          _ = try? reader.verify(threads: 1)
        }
      }
    }
  }

  @Test("recovery saves every record of every frame that is intact")
  func recovered() throws {
    try withFolder { folder in
      let (path, whole) = try small(in: folder)
      let reader = try BundleReader(path: path)
      let frames = reader.indexes[0].frames
      for (number, frame) in frames.enumerated() where number > 0 {
        var lost: Set<String> = []
        try reader.files[0].frames.withFrame(number) { content in
          for line in content.lines {
            if let (_, record) = RecordJSONReader().readCanonicalLine(line) {
              lost.insert(record.recordID.recordName)
            }
          }
        }
        var damaged = whole
        let middle = Int(frame.offset) + frame.compressedSize / 2
        damaged[middle] ^= 0x10
        damaged[middle + 1] ^= 0xFF
        try write(damaged, to: "\(folder)/d.recordpack")
        let report = try BundleRecovery.recover(
          "\(folder)/d.recordpack", to: "\(folder)/r.recordpack", options: fast)
        #expect(report.hasHeader && report.damageCount == 1 && !report.isComplete)
        var names: Set<String> = []
        try BundleReader(path: "\(folder)/r.recordpack").forEachRecordID { id, _, _ in
          names.insert(id.recordName)
        }
        let expected = Set(
          SampleContent(records: 12, assetSize: 300).records.map(\.0.recordID.recordName))
        #expect(names == expected.subtracting(lost))
      }
    }
  }

  private var fast: BundleWriter.Options {
    var options = BundleWriter.Options()
    options.threads = 1
    return options
  }

  @Test("a bundle of a future version says which version it has")
  func future() throws {
    try withFolder { folder in
      try Self.writeLines(
        [#"{"kind":"header","format":"recordpack","formatVersion":99}"#], to: "\(folder)/a")
      let error = #expect(throws: BundleError.self) { try BundleReader(path: "\(folder)/a") }
      #expect(error?.kind == .tooNew)
      #expect(error?.description.contains("99") == true)
    }
  }

  /// A line that is none, and a word of what is said about it.
  struct BadLine: Sendable, CustomTestStringConvertible {
    let line: String
    let part: String

    init(_ line: String, _ part: String) {
      self.line = line
      self.part = part
    }

    /// The log must not grow with the line.
    var testDescription: String { "\(line.prefix(60)): \(part)" }
  }

  @Test(
    "lines that are none are named by their number",
    arguments: [
      BadLine(#"{"kind":"record","database":"private"}"#, "recordName"),
      BadLine(#"{"kind":"hello"}"#, "kind"),
      BadLine(#"{"kind":"record","database":"secret"}"#, "database"),
      BadLine(
        #"{"kind":"zone", "database":"private","zoneID":{"zoneName":"Z"}}"#, "as the format says"),
      BadLine("not json", "byte 1"), BadLine(String(repeating: "[", count: 100_000), "128"),
      BadLine(#"{"kind":"asset","sha256":"x"}"#, "sha256"),
    ])
  func badLine(_ bad: BadLine) throws {
    let (line, part) = (bad.line, bad.part)
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      try Self.writeLines([Self.header, line], to: path)
      let report = try BundleReader(path: path).verify(threads: 1)
      let finding = try #require(report.findings.first { $0.line == 2 })
      #expect(finding.message.contains(part), "\(finding)")
    }
  }

  private static let header = #"{"kind":"header","format":"recordpack","formatVersion":1}"#

  /// A file with these lines, and an index that fits them but lists no sections.
  private static func writeLines(_ lines: [String], to path: String) throws {
    let sink = try AtomicFile(path: path)
    let writer = try FrameWriter(sink: sink, options: FrameWriter.Options())
    for line in lines { try Array(line.utf8).withUnsafeBytes { try writer.appendLine($0) } }
    _ = try writer.finish { frames in
      Array(BundleIndex(frames: frames, sections: [], isLastShard: nil).jsonValue.compactData)
    }
    try sink.commit()
  }

  @Test("what a bundle lacks is found: zones, assets, right digests")
  func lacking() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let content = SampleContent(records: 2)
      let writer = try BundleWriter(path: path, container: content.container)
      for (record, database) in content.records { try writer.write(record, database: database) }
      let other = Array("something else".utf8)
      try other.withUnsafeBytes {
        try writer.writeAssetChunk(
          sha256: String(repeating: "0", count: 64), assetSize: other.count, offset: 0, bytes: $0)
      }
      _ = try writer.finish()
      let messages = try BundleReader(path: path).verify().findings.map(\.message)
      #expect(messages.contains { $0.contains("which no line describes") })
      #expect(messages.contains { $0.contains("which is not in the bundle") })
      #expect(messages.contains { $0.contains("have the SHA-256") })
      #expect(messages.count == 3)
    }
  }
}
