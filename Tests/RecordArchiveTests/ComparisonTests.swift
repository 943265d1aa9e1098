import Foundation
import RecordStore
import RecordBundle
import RecordModel
import StoreTestSupport
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
      let added = changes.compactMap { change -> ArchiveChange.Item? in
        if case .item(.added, let item, []) = change { item } else { nil }
      }
      #expect(
        added == [
          .init(kind: .zone, database: .private, zoneID: ZoneID(zoneName: "New")),
          .init(kind: .tombstone, database: .private, zoneID: zone, name: "message-2"),
        ])
      #expect(difference.others == 2)
    }
  }

  @Test("A filtered comparison reports the assets of its records, after the records")
  func filteredAssets() throws {
    let (first, second) = (try ContainerStore.inMemory(), try ContainerStore.inMemory())
    for (container, extra) in [(first, "old"), (second, "new")] {
      for (type, text) in [("Chat", extra), ("Message", "message " + extra)] {
        var draft = DraftRecord(recordType: type, recordID: RecordID(recordName: type))
        draft["file"] = Asset(data: Data(text.utf8))
        try container.database(.private).save([draft])
      }
    }
    var comparison = ArchiveComparison(.container(first), .container(second))
    comparison.filter = RecordFilter(recordTypes: ["Chat"])
    var kinds: [String] = []
    let difference = try comparison.run { change in
      switch change {
      case .item(let kind, let item, _):
        kinds.append("\(kind.rawValue) \(item.kind.rawValue) \(item.size ?? 0)")
      case .recordChanged(let change, _, _): kinds.append("changed \(change.recordID.recordName)")
      case .recordAdded, .recordRemoved: Issue.record("\(change)")
      }
    }
    #expect(kinds.first == "changed Chat")
    #expect(Set(kinds.dropFirst()) == ["added asset 3", "removed asset 3"])
    #expect(difference.others == 2)
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
