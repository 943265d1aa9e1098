import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

@Suite struct BundleDamageTests {
  /// Returns everything that can be read of a bundle, with records as text.
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
    let options = BundleWriter.Options.test(frameSize: 600, threads: 1)
    _ = try content.write(to: "\(folder)/a.recordpack", options)
    return ("\(folder)/a.recordpack", try bytes(of: "\(folder)/a.recordpack"))
  }

  @Test("a bundle cut at any byte is refused, and its intact frames are saved")
  func truncated() throws {
    try withFolder { folder in
      let (path, whole) = try small(in: folder)
      let all = Set(try contents(of: path))
      let table = try BundleReader(path: path).files[0].frames.table
      // Whatever the length, FrameDamageTests finds the whole frames; here, each boundary matters.
      let ends =
        (0..<table.count).map { Int(table[$0].offset) } + [Int(table.framesEnd), whole.count]
      let lengths = Set(
        ends.flatMap { [$0 - 1, $0, $0 + 1] }
          + stride(from: 0, to: whole.count, by: TestAmount.of(23, some: 97)))
      for length in lengths.filter({ whole.indices.contains($0) }).sorted() {
        try write(whole[..<length], to: path)
        #expect(throws: (any Error).self) { try contents(of: path) }
        guard
          let report = try? BundleRecovery.recover(
            [path], to: "\(folder)/r.recordpack", options: fast)
        else { continue }
        #expect(!report.isComplete || length >= table.framesEnd)
        for item in try contents(of: "\(folder)/r.recordpack") where !item.hasPrefix("zone") {
          #expect(all.contains(item), "\(item)")
        }
        #expect(
          try BundleReader(path: "\(folder)/r.recordpack").verify(threads: 1).findings
            .allSatisfy { $0.message.contains("asset") })
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
          ["\(folder)/d.recordpack"], to: "\(folder)/r.recordpack", options: fast)
        #expect(report.losses.isEmpty && report.damageCount == 1 && !report.isComplete)
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
    .test(threads: 1)
  }

  @Test("a bundle of a future version says which version it has")
  func future() throws {
    try withFolder { folder in
      try Self.writeLines(
        [#"{"kind":"header","format":"recordpack","formatVersion":99}"#], to: "\(folder)/a")
      for read in [
        { _ = try BundleReader(path: "\(folder)/a") },
        { _ = try BundleRecovery.recover(["\(folder)/a"], to: "\(folder)/saved") },
      ] {
        let error = #expect(throws: BundleError.self) { try read() }
        #expect(error?.code == .tooNew)
        #expect(error?.description.contains("99") == true)
      }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/saved"))
    }
  }

  @Test("a bundle of a version before the first is refused")
  func beforeTheFirst() throws {
    try withFolder { folder in
      try Self.writeLines(
        [#"{"kind":"header","format":"recordpack","formatVersion":0}"#], to: "\(folder)/a")
      let error = #expect(throws: BundleError.self) { try BundleReader(path: "\(folder)/a") }
      #expect(error?.message.contains("format version 0, which does not exist") == true)
    }
  }

  /// An invalid line, and a part of its error message.
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
        #"{"kind":"zone", "database":"private","zoneID":{"zoneName":"Z"}}"#, "not canonical"),
      BadLine("not json", "byte 1"), BadLine(String(repeating: "[", count: 100_000), "128"),
      BadLine(#"{"kind":"asset","sha256":"x"}"#, "sha256"),
      BadLine(
        #"{"kind":"asset","sha256":"\#(String(repeating: "A", count: 64))","size":0,"offset":0,"data":""}"#,
        "sha256"),
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

  static let header = #"{"kind":"header","format":"recordpack","formatVersion":1}"#

  /// Writes a file of these lines, with an index that declares all but the first as zones.
  ///
  /// - Parameter change: changes the index.
  static func writeLines(
    _ lines: [String], to path: String, changing change: (inout BundleIndex) -> Void = { _ in }
  ) throws {
    let sink = try AtomicFile(path: path)
    let writer = try FrameWriter(sink: sink, options: FrameWriter.Options())
    var outline = BundleIndexBuilder()
    for (number, line) in lines.enumerated() {
      try writer.append(line)
      if number == 0 { try writer.endFrame() }
      guard number > 0 else { continue }
      outline.add(
        LineKey(kind: .zone, database: .private), name: nil, size: line.utf8.count + 1,
        beginsAsset: false, frame: writer.frameCount)
    }
    _ = try writer.finish { frames in
      let header = try Array(lines[0].utf8).withUnsafeBytes(BundleHeader.contentHash)
      var index = outline.index(frames: frames, header: header, isLastShard: nil)
      change(&index)
      return Array(index.jsonValue.compactData)
    }
    try sink.commit()
  }

  @Test("lines that are not canonical are all counted, and some are described")
  func invalidLines() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let header = String(
        decoding: try BundleHeader(container: ContainerInfo()).jsonValue().compactData,
        as: UTF8.self)
      let invalid = 3 * VerifyReport.maxFindings
      try Self.writeLines([header] + repeatElement("1", count: invalid), to: path)
      let report = try BundleReader(path: path).verify()
      #expect(report.findings.count == VerifyReport.maxFindings)
      #expect(report.findingCount >= invalid && report.lines == invalid + 1)
    }
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
      #expect(messages.contains { $0.contains("which has no line") })
      #expect(messages.contains { $0.contains("which is not in the bundle") })
      #expect(messages.contains { $0.contains("have the SHA-256") })
      #expect(messages.count == 5)
    }
  }
}
