import Foundation
import RecordBundle
import RecordModel
import RecordStore
import StoreTestSupport
import Synchronization
import Testing

@testable import RecordArchive

@Suite struct CircleTests {
  @Test("a container goes into a bundle and comes back the same, assets and all")
  func circle() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite")
      let archiver = Archiver()
      let summary = try archiver.export(container, to: "\(folder)/a.recordpack")
      #expect(summary.records == 41)
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      let report = try bundle.verify()
      #expect(report.isIntact, "\(report.findings)")
      #expect(report.assets == 4)
      let imported = try archiver.importBundle(bundle, creating: "\(folder)/b.sqlite")
      #expect(imported.added == 41 && imported.assets == 4)
      #expect(imported.subscriptions == 2 && imported.tombstones == 2)
      let copy = try ContainerStore.open(path: "\(folder)/b.sqlite")
      #expect(try SampleContainer.differences(.container(container), .container(copy)) == [])
      #expect(try SampleContainer.differences(.bundle(bundle), .container(copy)) == [])
      try archiver.export(copy, to: "\(folder)/b.recordpack")
      #expect(try bytes(of: "\(folder)/a.recordpack") == bytes(of: "\(folder)/b.recordpack"))
      let message = try copy.database(.private).record(
        for: RecordID(recordName: "message-20", zoneID: SampleContainer.chats))
      let photo = try #require(message["photo"] as? Asset)
      let data = try copy.assetData(sha256: try #require(photo.sha256))
      #expect(data == Data(repeating: 20, count: 300_020))
    }
  }

  @Test("the same goes for a container in memory, one that is there, and any number of threads")
  func otherWays() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite")
      var archiver = Archiver()
      archiver.threads = 1
      try archiver.export(container, to: "\(folder)/1.recordpack")
      archiver.threads = 3
      try archiver.export(container, to: "\(folder)/3.recordpack")
      #expect(try bytes(of: "\(folder)/1.recordpack") == bytes(of: "\(folder)/3.recordpack"))
      let bundle = try BundleReader(path: "\(folder)/1.recordpack")
      let memory = try ContainerStore.inMemory()
      try archiver.importBundle(bundle, into: memory)
      #expect(try SampleContainer.differences(.container(container), .container(memory)) == [])
      let again = try archiver.importBundle(bundle, into: memory)
      #expect(again.identical == 41 && again.added == 0)
    }
  }

  @Test("members of the header that nobody knows here come through a container")
  func unknownHeaderMembers() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 3)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      var info = try BundleReader(path: "\(folder)/a.recordpack").container
      info.otherMembers = [
        OtherMember(name: "madeBy", value: RawJSON(compact: #"{"x":1.50,"é":null}"#)),
        OtherMember(name: "z", value: RawJSON(compact: "[]")),
      ]
      let writer = try BundleWriter(path: "\(folder)/b.recordpack", container: info)
      _ = try writer.finish()
      let bundle = try BundleReader(path: "\(folder)/b.recordpack")
      try Archiver().importBundle(bundle, creating: "\(folder)/c.sqlite")
      let copy = try ContainerStore.open(path: "\(folder)/c.sqlite")
      #expect(try copy.info() == info)
      try Archiver().export(copy, to: "\(folder)/c.recordpack")
      #expect(try BundleReader(path: "\(folder)/c.recordpack").container == info)
      info.otherMembers.removeLast()
      _ = try BundleWriter(path: "\(folder)/d.recordpack", container: info).finish()
      let other = try BundleReader(path: "\(folder)/d.recordpack")
      let found = try SampleContainer.differences(.bundle(bundle), .bundle(other))
      #expect(found.count == 1 && found[0].contains("\"z\""), "\(found)")
    }
  }

  @Test("an export in a task is called off with it, and leaves nothing")
  func cancelled() async throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let container = try SampleContainer.make(at: "\(folder.path)/a.sqlite", messages: 2)
    let path = "\(folder.path)/a.recordpack"
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await Archiver().perform { try $0.export(container, to: path) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: path))
    let summary = try await Archiver().perform { try $0.export(container, to: path) }
    #expect(summary.records == 3)
  }

  @Test("progress is told, and what it throws calls an import off")
  func progress() throws {
    try withFolder { folder in
      struct Enough: Error {}
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite")
      var archiver = Archiver()
      archiver.bundleOptions.frameSize = 2000
      try archiver.export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      archiver.progress = { progress in
        #expect(progress.totalRecords == 41)
        if let fraction = progress.fraction { #expect(0...1 ~= fraction) }
        if progress.bytes > 5000 { throw Enough() }
      }
      #expect(throws: Enough.self) {
        try archiver.importBundle(bundle, creating: "\(folder)/b.sqlite")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter {
          !$0.hasPrefix("a.sqlite")
        } == ["a.recordpack"])
      let memory = try ContainerStore.inMemory()
      #expect(throws: Enough.self) { try archiver.importBundle(bundle, into: memory) }
      #expect(try ArchiveSource.container(memory).sections().isEmpty)
    }
  }

  @Test("reading tells how many records of all were read, and ends with what is thrown")
  func readingProgress() throws {
    try withFolder { folder in
      struct Enough: Error {}
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 3000)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      for source in [
        ArchiveSource.container(container),
        .bundle(try BundleReader(path: "\(folder)/a.recordpack")),
      ] {
        let total = try source.summary().records
        var told: [ArchiveProgress] = []
        var read = 0
        try source.forEachRecord(progress: { told.append($0) }) { _, _ in read += 1 }
        #expect(read == total)
        #expect(told.map(\.records) == [1024, 2048])
        #expect(told.allSatisfy { $0.totalRecords == total && $0.bytes == 0 })
        var names = 0
        #expect(throws: Enough.self) {
          try source.forEachRecordID(progress: { if $0.records == 2048 { throw Enough() } }) {
            _, _, _ in names += 1
          }
        }
        #expect(names == 2047)
      }
    }
  }

  @Test("A summary shows a container that changes as of one moment")
  func summaryOfAMoment() throws {
    try withFolder { folder in
      let container = try ContainerStore.open(path: folder + "/a.sqlite", mode: .create)
      let reading = try ContainerStore.open(path: folder + "/a.sqlite", mode: .readOnly)
      let isDone = Mutex(false)
      let writer = Thread {
        for number in 0..<300 {
          let zoneID = ZoneID(zoneName: "z\(number)")
          try? container.importTransaction { writer in
            try writer.add(RecordZone(zoneID: zoneID), to: .private)
            let fields = SystemFields(
              recordID: RecordID(recordName: "a", zoneID: zoneID), recordType: "T")
            try writer.add(ResultRecord(systemFields: fields, fields: []), to: .private)
          }
        }
        isDone.withLock { $0 = true }
      }
      writer.start()
      var moments: Set<Int> = []
      while !isDone.withLock({ $0 }) {
        let summary = try ArchiveSource.container(reading).summary()
        let zones = summary.zones.filter { $0.zoneID.zoneName.hasPrefix("z") }.count
        #expect(zones == summary.records)
        moments.insert(zones)
      }
      #expect(moments.count > 1)
    }
  }

  @Test("a part is exported with its assets and zones only")
  func part() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite")
      var archiver = Archiver()
      archiver.filter = RecordFilter(databases: [.private], recordTypes: ["Chat"])
      #expect(try archiver.export(container, to: "\(folder)/c.recordpack").records == 1)
      let chats = try BundleReader(path: "\(folder)/c.recordpack")
      #expect(try chats.verify().isIntact)
      #expect(try ArchiveSource.bundle(chats).assets().isEmpty)
      archiver.filter = RecordFilter(zoneIDs: [SampleContainer.chats])
      #expect(try archiver.export(container, to: "\(folder)/z.recordpack").records == 40)
      let zone = try BundleReader(path: "\(folder)/z.recordpack")
      #expect(try zone.verify().isIntact)
      #expect(try ArchiveSource.bundle(zone).assets().count == 4)
      #expect(try zone.zones().map(\.zone.zoneID) == [SampleContainer.chats])
      archiver.filter = RecordFilter(
        modifiedSince: Date(timeIntervalSinceReferenceDate: 700_000_001))
      #expect(try archiver.export(container, to: "\(folder)/n.recordpack").records == 0)
      archiver.filter = RecordFilter(databases: [.public])
      let memory = try ContainerStore.inMemory()
      let all = Archiver()
      try all.export(container, to: "\(folder)/a.recordpack")
      let report = try archiver.importBundle(
        BundleReader(path: "\(folder)/a.recordpack"), into: memory)
      #expect(report.records == 1)
    }
  }
}
