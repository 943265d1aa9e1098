import Foundation
import RecordStore
import RecordBundle
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite struct ConflictTests {
  /// A bundle, and a container made from it in which one record has changed since.
  private func conflicting(_ folder: String) throws -> (BundleReader, ContainerStore, RecordID) {
    let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 4)
    try Archiver().export(container, to: "\(folder)/a.recordpack")
    let bundle = try BundleReader(path: "\(folder)/a.recordpack")
    let recordID = RecordID(recordName: "message-2", zoneID: SampleContainer.chats)
    var draft = DraftRecord(try container.database(.private).record(for: recordID))
    draft["text"] = "changed"
    draft.encryptedValues["secret"] = "top secret"
    _ = try container.database(.private).save([draft])
    return (bundle, container, recordID)
  }

  @Test("a conflict fails by default, names both sides, and changes nothing")
  func fails() throws {
    try withFolder { folder in
      let (bundle, container, recordID) = try conflicting(folder)
      let before = try container.database(.private).record(for: recordID)
      let error = #expect(throws: ArchiveError.self) {
        try Archiver().importBundle(bundle, into: container)
      }
      guard case .recordConflict(let conflict) = error else { throw try #require(error) }
      #expect(conflict.recordID == recordID && conflict.database == .private)
      #expect(conflict.differingFields == ["secret", "text"])
      #expect(conflict.existing != conflict.incoming)
      let text = "\(try #require(error))"
      #expect(text.contains("message-2") && !text.contains("top secret"))
      #expect(try container.database(.private).record(for: recordID) == before)
    }
  }

  @Test("sources are in the order of their paths, also where one is named twice")
  func order() throws {
    try withFolder { folder in
      let paths = ["a", "b", "c"].map { "\(folder)/\($0).recordpack" }
      for path in paths {
        try Archiver().export(try ContainerStore.inMemory(), to: path)
      }
      try SampleContainer.make(at: "\(folder)/d.sqlite", messages: 4).close()
      let named = [paths[1], paths[0], paths[1], "\(folder)/d.sqlite", paths[2], paths[0]]
      #expect(try ArchiveSource.open(each: named).map(\.name) == named)
    }
  }

  @Test("keep keeps what is there, and replace takes what comes")
  func policies() throws {
    try withFolder { folder in
      let (bundle, container, recordID) = try conflicting(folder)
      var archiver = Archiver()
      archiver.conflictPolicy = .keep
      let kept = try archiver.importBundle(bundle, into: container)
      #expect(kept.kept == 1 && kept.replaced == 0)
      #expect(
        try container.database(.private).record(for: recordID)["text"] as? String == "changed")
      archiver.conflictPolicy = .replace
      let replaced = try archiver.importBundle(bundle, into: container)
      #expect(replaced.replaced == 1 && replaced.kept == 0)
      #expect(
        try container.database(.private).record(for: recordID)["text"] as? String == "Hello 2")
      #expect(try SampleContainer.differences(.bundle(bundle), .container(container)) == [])
    }
  }

  /// A container whose default zone and whose trace of a deleted record say something.
  private func deletion(
    _ path: String, zone: RecordZone, date: TimeInterval?
  ) throws -> ContainerStore {
    try ContainerStore.build(path: path) { writer in
      try writer.add(zone, to: .private)
      let recordID = RecordID(recordName: "gone")
      let deleted = date.map(Date.init(timeIntervalSinceReferenceDate:))
      let tombstone = DeletedRecord(recordID: recordID, recordType: "Note", deletionDate: deleted)
      try writer.add(tombstone, to: .private)
    }
    return try ContainerStore.open(path: path)
  }

  @Test("what is known of the default zone and of a deletion is not overwritten by what says less")
  func defaultZoneAndDeletions() throws {
    try withFolder { folder in
      let plain = RecordZone(zoneID: .default)
      let rich = RecordZone(zoneID: .default, capabilities: [.atomic])
      let other = RecordZone(zoneID: .default, capabilities: [.sharing])
      let first = try deletion("\(folder)/a.sqlite", zone: rich, date: 5)
      func incoming(_ zone: RecordZone, _ name: String) throws -> BundleReader {
        let container = try deletion("\(folder)/\(name).sqlite", zone: zone, date: nil)
        try Archiver().export(container, to: "\(folder)/\(name).recordpack")
        return try BundleReader(path: "\(folder)/\(name).recordpack")
      }
      func known() throws -> (zone: RecordZone?, date: TimeInterval?) {
        try first.snapshot { snapshot in
          var date: TimeInterval?
          try snapshot.forEachTombstone(in: .private) {
            date = $0.deletionDate?.timeIntervalSinceReferenceDate
          }
          return (try snapshot.zone(.default, in: .private), date)
        }
      }
      let (bare, different) = (try incoming(plain, "b"), try incoming(other, "c"))
      for policy in [Archiver.ConflictPolicy.fail, .keep] {
        var archiver = Archiver()
        archiver.conflictPolicy = policy
        let report = try archiver.importBundle(bare, into: first)
        #expect(report.tombstones == 0)
        let after = try known()
        #expect(after.zone == rich && after.date == 5, "\(policy)")
      }
      #expect(throws: ArchiveError.self) {
        try Archiver().importBundle(different, into: first)
      }
      var archiver = Archiver()
      archiver.conflictPolicy = .replace
      #expect(try archiver.importBundle(different, into: first).tombstones == 1)
      let after = try known()
      #expect(after.zone == other && after.date == nil)
    }
  }

  @Test("zones and subscriptions that are there otherwise are conflicts too")
  func zones() throws {
    try withFolder { folder in
      let (bundle, _, _) = try conflicting(folder)
      let memory = try ContainerStore.inMemory()
      try memory.database(.private).save([
        RecordZone(zoneID: SampleContainer.chats, capabilities: [.atomic])
      ])
      let error = #expect(throws: ArchiveError.self) {
        try Archiver().importBundle(bundle, into: memory)
      }
      #expect("\(try #require(error))".contains("zone 'Chats'"))
      let other = try ContainerStore.inMemory()
      try other.database(.private).save([
        CloudSubscription(subscriptionID: "all", kind: .database(recordType: "Chat"))
      ])
      let second = #expect(throws: ArchiveError.self) {
        try Archiver().importBundle(bundle, into: other)
      }
      #expect("\(try #require(second))".contains("subscription 'all'"))
    }
  }

  @Test("a record whose zone no line describes is refused with its line")
  func zoneMissing() throws {
    try withFolder { folder in
      let writer = try BundleWriter(path: "\(folder)/a.recordpack", container: ContainerInfo())
      let system = SystemFields(
        recordID: RecordID(recordName: "r", zoneID: ZoneID(zoneName: "Nowhere")), recordType: "T")
      try writer.write(ResultRecord(systemFields: system, fields: []), database: .private)
      _ = try writer.finish()
      let error = #expect(throws: BundleError.self) {
        try Archiver().importBundle(
          BundleReader(path: "\(folder)/a.recordpack"), creating: "\(folder)/b.sqlite")
      }
      #expect(error?.line == 2 && error?.message.contains("Nowhere") == true)
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/b.sqlite"))
    }
  }
}
