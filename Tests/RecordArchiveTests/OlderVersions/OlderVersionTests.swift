import Foundation
import RecordStore
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema
import Testing

@testable import RecordArchive
@testable import RecordBundle

/// A reader must never see the bytes of an older format version but as the current one has them,
/// whichever way it goes.
@Suite("Bundles of an older format version")
struct OlderVersionTests {
  /// The sample container's bundle, and the same in version 0.
  private func withBundles(
    _ version: OlderVersion, split: Bool = false, breaking: Int? = nil,
    _ body: (_ today: BundleReader, _ older: BundleReader, _ folder: String) throws -> Void
  ) throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: folder + "/a.sqlite", messages: split ? 160 : 40)
      var archiver = Archiver()
      archiver.bundleOptions.frameSize = 4096
      if split { archiver.bundleOptions.splitSize = 1 << 16 }
      try archiver.export(container, to: folder + "/today.recordpack")
      try container.close()
      let paths = try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter { $0.hasSuffix(".recordpack") }.sorted().map { folder + "/" + $0 }
      #expect((paths.count > 2) == split)
      let outputs = paths.map { $0.replacingOccurrences(of: "/today", with: "/older") }
      try version.write(paths, to: outputs, breaking: breaking)
      try body(
        try BundleReader(paths: paths),
        try BundleReader(paths: outputs, upgrade: version.upgrade), folder)
    }
  }

  @Test("are read record by record, name by name, item by item", arguments: OlderVersion.allCases)
  func reading(_ version: OlderVersion) throws {
    try withBundles(version) { today, older, _ in
      #expect(older.header.formatVersion == 0)
      #expect(older.container == today.container)
      #expect(older.recordCount == today.recordCount)
      #expect(older.sections.map(\.recordType) == today.sections.map(\.recordType))
      func records(_ bundle: BundleReader) throws -> [ResultRecord] {
        var found: [ResultRecord] = []
        try bundle.forEachRecord { record, _ in found.append(record) }
        return found
      }
      #expect(try records(older) == records(today))
      func names(_ bundle: BundleReader) throws -> [RecordID] {
        var found: [RecordID] = []
        try bundle.forEachRecordID { id, _, _ in found.append(id) }
        return found
      }
      #expect(try names(older) == names(today))
      func items(_ bundle: BundleReader) throws -> [String] {
        var found: [String] = []
        try bundle.forEachItem(of: Set(LineKind.allCases)) { item in
          let buffer = ByteBuffer()
          try item.writeLine(to: buffer)
          found.append(String(decoding: buffer.bytes, as: UTF8.self))
        }
        return found
      }
      #expect(try items(older) == items(today))
      #expect(
        try older.records(named: "message-7").map { $0.record }
          == today.records(named: "message-7").map { $0.record })
      let photo: Asset = try #require(try older.records(named: "message-0").first?.record["photo"])
      var size = 0
      try older.forEachChunk(ofAsset: try #require(photo.sha256)) { size += $0.count }
      #expect(size == 300_000)
      let census = try ArchiveSource.bundle(older).census(named: "x")
      #expect(try census.recordCount == ArchiveSource.bundle(today).census(named: "x").recordCount)
    }
  }

  @Test("are compared with those of today", arguments: OlderVersion.allCases)
  func comparing(_ version: OlderVersion) throws {
    try withBundles(version) { today, older, _ in
      let forth = try SampleContainer.differences(.bundle(today), .bundle(older))
      let back = try SampleContainer.differences(.bundle(older), .bundle(today))
      #expect(forth == [] && back == [])
    }
  }

  @Test("are imported, and exported as those of today", arguments: OlderVersion.allCases)
  func importing(_ version: OlderVersion) throws {
    try withBundles(version) { today, older, folder in
      var archiver = Archiver()
      try archiver.importBundle(older, creating: folder + "/b.sqlite")
      let container = try ContainerStore.open(path: folder + "/b.sqlite")
      #expect(try SampleContainer.differences(.bundle(today), .container(container)) == [])
      archiver.bundleOptions.frameSize = 4096
      try archiver.export(container, to: folder + "/again.recordpack")
      #expect(
        try bytes(of: folder + "/again.recordpack") == bytes(of: folder + "/today.recordpack"))
    }
  }

  @Test("are migrated as those of today", arguments: OlderVersion.allCases)
  func migrating(_ version: OlderVersion) throws {
    let migrator = try Migrator([
      Migration(
        from: "1", to: "2",
        steps: [
          MigrationStep("Message", .renameRecords(try RecordExpression("'m' + text(number)"))),
          MigrationStep("Message", .convert("number", Conversion(to: .string))),
          MigrationStep("Chat", .renameRecords(try RecordExpression("'x' + recordName"))),
          MigrationStep("Feedback", .renameType(to: "Comment")),
        ])
    ])
    try withBundles(version) { today, older, folder in
      var files: [Data] = []
      for (name, bundle) in [("a", today), ("b", older)] {
        let path = "\(folder)/\(name)-migrated.recordpack"
        _ = try Archiver().migrate(.bundle(bundle), with: migrator, to: path)
        files.append(try bytes(of: path))
        _ = try Archiver().importBundles(
          [.init(bundle, with: migrator)], creating: "\(folder)/\(name)-migrated.sqlite")
        let container = try ContainerStore.open(path: "\(folder)/\(name)-migrated.sqlite")
        #expect(
          try SampleContainer.differences(
            .bundle(try BundleReader(path: path)), .container(container)
          ).filter { !$0.contains("zoneTombstone") } == [])
      }
      #expect(files[0] == files[1])
    }
  }

  @Test("are verified as they lie in the file", arguments: OlderVersion.allCases)
  func verifying(_ version: OlderVersion) throws {
    try withBundles(version) { today, older, _ in
      let (report, other) = (try older.verify(), try today.verify())
      #expect(report.findings.isEmpty, "\(report.findings)")
      #expect(report.records == other.records && report.assets == other.assets)
      #expect(report.contentHash != other.contentHash)
    }
  }

  @Test("with a line that cannot be upgraded are told so, by its number")
  func broken() throws {
    try withBundles(.renamed, breaking: 20) { _, older, folder in
      let report = try older.verify()
      #expect(report.findings.contains { $0.line == 20 }, "\(report.findings)")
      #expect(report.lines == older.indexes[0].lines)
      let error = #expect(throws: BundleError.self) { try older.forEachRecord { _, _ in } }
      #expect(error?.line == 20)
      #expect(error?.kind == .malformed)
      let imported = #expect(throws: BundleError.self) {
        try Archiver().importBundle(older, creating: folder + "/b.sqlite")
      }
      #expect(imported?.line == 20)
      #expect(!FileManager.default.fileExists(atPath: folder + "/b.sqlite"))
    }
  }

  @Test("are saved from damage as bundles of today", arguments: OlderVersion.allCases)
  func recovering(_ version: OlderVersion) throws {
    try withBundles(version) { today, older, folder in
      let path = older.fileNames[0]
      let report = try BundleRecovery.recover(
        [path], to: folder + "/saved.recordpack", upgrade: version.upgrade)
      #expect(report.isComplete, "\(report)")
      let saved = try BundleReader(path: folder + "/saved.recordpack")
      #expect(saved.header.formatVersion == BundleHeader.currentFormatVersion)
      #expect(try SampleContainer.differences(.bundle(today), .bundle(saved)) == [])
      let whole = try bytes(of: path)
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
      let part = try BundleRecovery.recover(
        [path], to: folder + "/part.recordpack", upgrade: version.upgrade)
      #expect(!part.isComplete && part.leftOutCount == 0)
      let found = try SampleContainer.differences(
        .bundle(try BundleReader(path: folder + "/part.recordpack")), .bundle(today))
      #expect(!found.contains { $0.contains("recordChanged") || $0.contains("recordRemoved") })
    }
  }

  @Test("may lie in several files", arguments: OlderVersion.allCases)
  func shards(_ version: OlderVersion) throws {
    try withBundles(version, split: true) { today, older, folder in
      #expect(try older.verify().findings.isEmpty)
      #expect(try SampleContainer.differences(.bundle(today), .bundle(older)) == [])
      let alone = try BundleReader(paths: [older.fileNames[1]], upgrade: version.upgrade)
      #expect(alone.fileNames == older.fileNames)
    }
  }

  @Test("that no step leads on from are refused, and newer ones too")
  func unknownVersions() throws {
    try withBundles(.silent) { _, older, folder in
      let path = older.fileNames[0]
      let never = #expect(throws: BundleError.self) { try BundleReader(path: path) }
      #expect(never?.message.contains("format version 0, which does not exist") == true)
      let sink = try AtomicFile(path: folder + "/newer.recordpack")
      let writer = try FrameWriter(sink: sink, options: FrameWriter.Options())
      for line in [
        #"{"kind":"header","format":"recordpack","formatVersion":2}"#, #"{"kind":"index"}"#,
      ] {
        try writer.withLineBuffer { $0.append(text: line) }
        try writer.finishLine()
        try writer.endFrame()
      }
      _ = try writer.finish()
      try sink.commit()
      for read in [
        { _ = try BundleReader(path: folder + "/newer.recordpack") },
        {
          _ = try BundleRecovery.recover(
            [folder + "/newer.recordpack"], to: folder + "/saved.recordpack")
        },
      ] {
        let newer = #expect(throws: BundleError.self) { try read() }
        #expect(newer?.kind == .tooNew)
        #expect(newer?.message.contains("use a newer recordpack") == true)
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/saved.recordpack"))
    }
  }
}
