import Foundation
import RecordStore
import RecordBundle
import RecordModel
import Testing

@testable import RecordArchive

@Suite struct ComparisonTests {
  @Test("records that were added, removed and changed are told, field by field")
  func differences() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 6)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      let before = ArchiveSource.bundle(try BundleReader(path: "\(folder)/a.recordpack"))
      let database = container.database(.private)
      let zone = SampleContainer.chats
      _ = try database.deleteRecords([RecordID(recordName: "message-2", zoneID: zone)])
      var draft = DraftRecord(
        try database.record(for: RecordID(recordName: "message-3", zoneID: zone)))
      draft["text"] = "changed"
      draft["number"] = nil
      draft["new"] = 1.5
      _ = try database.save([
        draft,
        DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "another", zoneID: zone)),
      ])
      try database.save([RecordZone(zoneName: "New")])
      var changes: [ArchiveChange] = []
      let difference = try ArchiveComparison(before, .container(container)).run {
        changes.append($0)
      }
      #expect(difference.added == 1 && difference.removed == 1 && difference.changed == 1)
      #expect(difference.unchanged == 5)
      let change = try #require(
        changes.compactMap { change -> RecordDifference? in
          guard case .recordChanged(let change, "Message", .private) = change else { return nil }
          return change
        }.first)
      #expect(change.recordID.recordName == "message-3")
      #expect(change.fields.map(\.name) == ["new", "number", "text"])
      #expect(change.fields[0].before == nil && change.fields[1].after == nil)
      #expect(change.fields[2].before?.value == .string("Hello 3"))
      #expect(change.fields[2].after?.value == .string("changed"))
      #expect(change.system.map(\.field) == [.recordChangeTag])
      #expect(changes.contains(.zone(.added, ZoneID(zoneName: "New"), .private, [])))
      #expect(
        changes.contains(
          .tombstone(.added, RecordID(recordName: "message-2", zoneID: zone), .private, [])))
      #expect(difference.others == 2)
    }
  }

  @Test("an error in one of the sources ends the comparison with that error")
  func failing() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 300)
      var archiver = Archiver()
      archiver.bundleOptions.frameSize = 3000
      let summary = try archiver.export(container, to: "\(folder)/a.recordpack")
      let section = try #require(
        summary.files[0].index.sections.first { $0.recordType == "Message" })
      let frame = summary.files[0].index.frames[section.frames.upperBound - 1]
      var damaged = try bytes(of: "\(folder)/a.recordpack")
      damaged[Int(frame.offset) + frame.compressedSize / 2] ^= 0x55
      try damaged.write(to: URL(fileURLWithPath: "\(folder)/d.recordpack"))
      let source = ArchiveSource.bundle(try BundleReader(path: "\(folder)/d.recordpack"))
      var comparison = ArchiveComparison(.container(container), source)
      comparison.recordsOnly = true
      #expect(throws: BundleError.self) { try comparison.run { _ in } }
    }
  }
}
