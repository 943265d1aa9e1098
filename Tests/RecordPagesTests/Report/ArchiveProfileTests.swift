import Foundation
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordArchive

@Suite("A profile of a bundle or container")
struct ArchiveProfileTests {
  @Test("counts what was put into it")
  func numbers() throws {
    let container = try ReportSample.container()
    let folder = try TestFolder()
    for source in [.container(container), try ReportSample.bundle(of: container, in: folder)] {
      let profile = try source.profile(threads: 2)
      #expect(profile.records == 7)
      #expect(profile.types.map(\.recordType) == ["Chat", "Feedback", "Message", "cloudkit.share"])
      #expect(profile.types.map(\.records.records) == [1, 1, 4, 1])
      #expect(profile.created.days == [20_103: 4, 20_148: 3])
      #expect(profile.modified.last == Date(timeIntervalSince1970: 20_148 * 86_400 + 3600))
      #expect(profile.tombstones.count == 1)
      #expect(profile.tombstones.types == ["Message": 1])
      #expect(profile.assets.stored == 1)
      #expect(profile.assets.storedBytes == 4)
      #expect(profile.assets.references == 1)
      #expect(profile.assets.missing == 0)
      #expect(profile.assets.unused == 0)
      #expect(profile.users.count == 2)
      #expect(profile.users.most(1).map(\.name) == ["_smith"])
      #expect(profile.users.most(1).map(\.created) == [5])
      #expect(profile.subscriptions.map(\.kind) == [.query])
      #expect(profile.isWhole)
    }
  }

  @Test("has the sizes that the sections of a bundle have")
  func sizes() throws {
    let container = try ReportSample.container()
    let folder = try TestFolder()
    for source in [.container(container), try ReportSample.bundle(of: container, in: folder)] {
      let (profile, sections) = (try source.profile(), try source.sections())
      #expect(profile.sections.map(\.bytes) == sections.map(\.bytes))
      #expect(profile.sections.map(\.records) == sections.map(\.records))
      #expect(profile.sections.map(\.recordType) == sections.map(\.recordType))
      let sizes = profile.largest.map(\.bytes)
      #expect(sizes == sizes.sorted(by: >) && sizes.count == min(10, profile.records))
    }
  }

  @Test("counts types, encryption and lengths of the values of a field")
  func fields() throws {
    let profile = try ArchiveSource.container(ReportSample.container()).profile()
    let message = try #require(profile.types.first { $0.recordType == "Message" })
    #expect(message.fields.map(\.name) == ["number", "tags", "text"])
    #expect(message.fields.map(\.count.records) == [4, 1, 4])
    let (number, tags, text) = (message.fields[0], message.fields[1], message.fields[2])
    #expect(text.kind.isEncrypted)
    // Texts of 10, 24, 24 and 24 bytes.
    #expect((text.lengths.mean, text.lengths.max, text.lengths.count) == (20.5, 24, 4))
    #expect((tags.lengths.mean, tags.lengths.max, tags.lengths.count) == (3, 3, 1))
    #expect((number.lengths.mean, number.lengths.count) == (nil, 0))
  }

  @Test("tells the types of a field apart")
  func kinds() throws {
    let container = try ContainerStore.inMemory()
    let drafts = (0..<5).map { number in
      var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: "r\(number)"))
      if number < 2 { draft["a"] = "text" } else { draft["a"] = number }
      return draft
    }
    try container.database(.public).save(drafts)
    let type = try ArchiveSource.container(container).profile().types[0]
    #expect(type.fieldsByName[0].kinds.map(\.kind.typeName) == ["INT64", "STRING"])
    #expect(type.fieldsByName[0].kinds.map(\.count.records) == [3, 2])
  }

  @Test("counts the participants of shares, without their identities")
  func shares() throws {
    let shares = try ArchiveSource.container(ReportSample.container()).profile().shares
    #expect(shares.count == 1)
    #expect(shares.shares.map(\.publicPermission) == [.readOnly])
    let parts = shares.parts.sorted { $0.key < $1.key }
    #expect(parts.map(\.key.role) == [.owner, .privateUser])
    #expect(parts.map(\.key.acceptance) == [.accepted, .pending])
    #expect(parts.map(\.value) == [1, 1])
  }

  @Test("counts only what a filter selects")
  func filter() throws {
    var filter = RecordFilter()
    filter.recordTypes = NameSet(["Message"])
    let profile = try ArchiveSource.container(ReportSample.container()).profile(filter)
    #expect(profile.records == 4)
    #expect(profile.types.map(\.recordType) == ["Message"])
    #expect(profile.assets.stored == 0)
    #expect(profile.assets.unused == nil)
    #expect(!profile.isWhole)
  }

  @Test("counts an asset once, and references whose bytes are missing")
  func assets() throws {
    let container = try ContainerStore.inMemory()
    let database = container.database(.public)
    let drafts = ["a", "b"].map { name in
      var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: name))
      draft["file"] = Asset(data: Data("12345".utf8))
      return draft
    }
    try database.save(drafts)
    // As a server sends it: without the bytes.
    let response = """
      {"records":[{"recordName":"c","recordType":"U","recordChangeTag":"1","fields":\
      {"file":{"type":"ASSETID","value":{"fileChecksum":"Ab==","size":9}}}}]}
      """
    let source = ResponseSource(name: "response") { Data(response.utf8) }
    let responses = ArchiveSource.responses(ResponseSet([source], database: .public))
    _ = try Archiver().run(from: [responses], into: .container(container))
    let profile = try ArchiveSource.container(container).profile()
    #expect(profile.assets.stored == 1)
    #expect(profile.assets.references == 3)
    #expect(profile.assets.missing == 1)
    #expect(profile.sections.map(\.assetBytes) == [5, 0])
    #expect(profile.assets.sizes.first { $0.count > 0 }?.below == 1000)
  }

  @Test("gives the same numbers with any number of threads and size of frames")
  func threads() throws {
    let container = try ContainerStore.inMemory()
    let drafts = (0..<3000).map { number in
      var draft = DraftRecord(
        recordType: "T\(number % 3)", recordID: RecordID(recordName: "r\(number)"))
      draft["n"] = number
      if number % 5 == 0 { draft["file"] = Asset(data: Data("asset \(number % 7)".utf8)) }
      return draft
    }
    try container.database(.public).save(drafts)
    let folder = try TestFolder()
    let path = folder.path("b.recordpack")
    var archiver = Archiver()
    archiver.bundleOptions.frameSize = 4096
    try archiver.export(container, to: path)
    let source = try ArchiveSource.open([path])
    let profiles =
      try [1, 4].map { try source.profile(threads: $0) } + [
        try ArchiveSource.container(container).profile(threads: 2)
      ]
    for profile in profiles {
      #expect(profile.sections.map(\.records) == [1000, 1000, 1000])
      #expect(profile.sections.map(\.assetBytes) == profiles[0].sections.map(\.assetBytes))
      #expect(profile.sections.reduce(0) { $0 + $1.assetBytes } == 7 * 7)
      #expect(profile.largest == profiles[0].largest)
      #expect(profile.assets.references == 600)
    }
  }

  @Test("keeps days in bounded memory: after 4,096, months")
  func days() {
    var counts = DayCounts()
    for day in 0..<5000 { counts.add(Date(timeIntervalSince1970: Double(day) * 86_400)) }
    counts.add(nil)
    counts.add(Date(timeIntervalSince1970: 1e300))
    #expect(counts.isByMonth)
    #expect(counts.total == 5000)
    #expect(counts.undated == 2)
    // January 1970 to September 1983.
    #expect(counts.days.count == 165)
    #expect(counts.days[0] == 31)
  }
}
