import Foundation
import RecordStore
import RecordBundle
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

/// Responses are a history: what a later one says of a record is what holds.
@Suite struct WebServicesImportTests {
  private static func record(_ name: String, zone: String = "_defaultZone") -> String {
    """
    {"recordName":"\(name)","recordType":"Note","fields":{},\
    "zoneID":{"zoneName":"\(zone)"}}
    """
  }

  private static func deletion(_ name: String, zone: String = "_defaultZone") -> String {
    #"{"recordName":"\#(name)","deleted":true,"zoneID":{"zoneName":"\#(zone)"}}"#
  }

  private static func page(_ records: String...) -> String {
    #"{"records":[\#(records.joined(separator: ","))]}"#
  }

  private static func responses(_ pages: [String]) -> ResponseSet {
    ResponseSet(
      pages.enumerated().map { number, text in
        ResponseSource(name: "page \(number)") { Data(text.utf8) }
      })
  }

  @discardableResult
  private func load(
    _ pages: [String], into container: ContainerStore, _ policy: Archiver.ConflictPolicy = .fail
  ) throws -> ImportReport {
    var archiver = Archiver()
    archiver.conflictPolicy = policy
    return try archiver.run(from: [.responses(Self.responses(pages))], into: .container(container))
      .imported
  }

  private func names(_ container: ContainerStore) throws -> [String] {
    var names: [String] = []
    let source = ArchiveSource.container(container)
    try source.forEachRecordID { id, _, _ in names.append(id.recordName) }
    try source.forEachTombstone { tombstone, _ in names.append("-" + tombstone.recordID.recordName)
    }
    return names.sorted()
  }

  @Test(
    "a record that a later response calls deleted is deleted, under every policy",
    arguments: Archiver.ConflictPolicy.allCases)
  func laterDeletion(_ policy: Archiver.ConflictPolicy) throws {
    let container = try ContainerStore.inMemory()
    let report = try load(
      [Self.page(Self.record("x"), Self.record("y")), Self.page(Self.deletion("x"))],
      into: container, policy)
    #expect(try names(container) == ["-x", "y"])
    #expect(report.deleted == 1 && report.tombstones == 1 && report.supersededTombstones == 0)
  }

  @Test("within one response, too, the order decides")
  func orderWithin() throws {
    let container = try ContainerStore.inMemory()
    try load(
      [
        Self.page(
          Self.deletion("new"), Self.record("new"), Self.record("old"), Self.deletion("old"))
      ], into: container)
    #expect(try names(container) == ["-old", "new"])
  }

  private static func version(
    _ value: Int?, tag: String? = nil, modified: Int? = nil, other: Bool = false
  ) -> String {
    var members = [#""recordName":"x","recordType":"Note""#]
    if let tag { members.append(#""recordChangeTag":"\#(tag)""#) }
    if let modified { members.append(#""modified":{"timestamp":\#(modified)}"#) }
    var fields: [String] = []
    if let value { fields.append(#""n":{"type":"INT64","value":\#(value)}"#) }
    if other { fields.append(#""o":{"type":"INT64","value":7}"#) }
    return "{\(members.joined(separator: ",")),\"fields\":{\(fields.joined(separator: ","))}}"
  }

  @Test(
    "of two versions of a record in one import, the newer one stays, under every policy",
    arguments: Archiver.ConflictPolicy.allCases)
  func versions(_ policy: Archiver.ConflictPolicy) throws {
    let (old, new) = (
      Self.version(1, tag: "a", modified: 1000), Self.version(2, tag: "b", modified: 2000)
    )
    for (first, second, expected) in [
      (old, new, 2), (new, old, 2),
      // Of equal dates, or without any, the later response is newer.
      (Self.version(1, tag: "a", modified: 5), Self.version(2, tag: "b", modified: 5), 2),
      (Self.version(2, tag: "b"), Self.version(1, tag: "a"), 1),
      (Self.version(1, tag: "a", modified: 5), Self.version(2, tag: "a", modified: 5), 2),
    ] {
      for pages in [[Self.page(first), Self.page(second)], [Self.page(first, second)]] {
        let container = try ContainerStore.inMemory()
        let report = try load(pages, into: container, policy)
        let record = try container.database(.private).record(for: Self.x)
        #expect(record["n"] == expected, "\(first) \(second)")
        #expect(report.added == 1 && report.replaced + report.kept == 1)
      }
    }
  }

  private static let x = RecordID(recordName: "x")

  @Test("a later response keeps the fields that it was not asked for")
  func desiredKeys() throws {
    let container = try ContainerStore.inMemory()
    try load(
      [
        Self.page(Self.version(1, tag: "a", other: true)), Self.page(Self.version(2, tag: "a")),
      ], into: container)
    let record = try container.database(.private).record(for: Self.x)
    #expect(record["n"] == 2 && record["o"] == 7)
    // Another version without the field has lost it.
    try load(
      [
        Self.page(Self.version(1, tag: "a", other: true)), Self.page(Self.version(2, tag: "b")),
      ], into: container, .replace)
    let changed = try container.database(.private).record(for: Self.x)
    #expect(changed["n"] == 2 && changed.field(named: "o") == nil)
  }

  @Test("versions with nothing to compare, and records that were there before, are a conflict")
  func trueConflicts() throws {
    for pages in [
      [Self.version(1), Self.version(2)],
      [Self.version(1, tag: "a"), Self.version(2)],
      [Self.version(1, modified: 5), Self.version(2, modified: 5)],
    ] {
      #expect(throws: ArchiveError.self) {
        try load([Self.page(pages[0], pages[1])], into: ContainerStore.inMemory())
      }
    }
    let container = try ContainerStore.inMemory()
    let (old, new) = (
      Self.version(1, tag: "a", modified: 1000), Self.version(2, tag: "b", modified: 2000)
    )
    try load([Self.page(old)], into: container)
    for pages in [[new], [old, new], [new, old]] {
      #expect(throws: ArchiveError.self) { try load(pages.map { Self.page($0) }, into: container) }
    }
    try load([Self.page(new, old)], into: container, .replace)
    #expect(try container.database(.private).record(for: Self.x)["n"] == 2)
  }

  @Test("a record that was there before goes under replace, and stays otherwise")
  func earlierRecord() throws {
    for policy in Archiver.ConflictPolicy.allCases {
      let container = try ContainerStore.inMemory()
      try load([Self.page(Self.record("x"))], into: container)
      let report = try load([Self.page(Self.deletion("x"))], into: container, policy)
      let isGone = policy == .replace
      #expect(try names(container) == (isGone ? ["-x"] : ["x"]))
      #expect(report.deleted == (isGone ? 1 : 0))
      #expect(report.supersededTombstones == (isGone ? 0 : 1))
    }
  }

  @Test("a bundle's deletions win under replace, and are left out otherwise")
  func deletionsOfBundles() throws {
    try withFolder { folder in
      let container = try ContainerStore.inMemory()
      try load([Self.page(Self.deletion("x"))], into: container)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      for policy in Archiver.ConflictPolicy.allCases {
        let target = try ContainerStore.inMemory()
        try load([Self.page(Self.record("x"))], into: target)
        var archiver = Archiver()
        archiver.conflictPolicy = policy
        let report = try archiver.importBundle(bundle, into: target)
        #expect(try names(target) == (policy == .replace ? ["-x"] : ["x"]))
        #expect(report.deleted + report.supersededTombstones == 1)
      }
    }
  }

  @Test("a zone that a later response calls deleted goes with its records")
  func deletedZone() throws {
    let container = try ContainerStore.inMemory()
    let report = try load(
      [
        Self.page(Self.record("x", zone: "Z"), Self.record("y")),
        #"{"zones":[{"zoneID":{"zoneName":"Z"},"deleted":true}]}"#,
      ], into: container)
    #expect(try names(container) == ["y"])
    #expect(try container.database(.private).zoneTombstones().map(\.zoneID.zoneName) == ["Z"])
    #expect(report.deleted == 1)
    // And a record in a still later response brings it back.
    try load([Self.page(Self.record("z", zone: "Z"))], into: container)
    #expect(try names(container) == ["y", "z"])
    #expect(try container.database(.private).zoneTombstones().isEmpty)
  }

  @Test("a zone that was there before goes under replace only")
  func earlierZone() throws {
    for policy in Archiver.ConflictPolicy.allCases {
      let container = try ContainerStore.inMemory()
      try load([Self.page(Self.record("x", zone: "Z"))], into: container)
      let report = try load(
        [#"{"zones":[{"zoneID":{"zoneName":"Z"},"deleted":true}]}"#], into: container, policy)
      #expect(try names(container) == (policy == .replace ? [] : ["x"]))
      #expect(report.supersededTombstones == (policy == .replace ? 0 : 1))
    }
  }

  @Test("responses that hold errors and nothing else are an error, and change nothing")
  func onlyErrors() throws {
    try withFolder { folder in
      let refusal = #"{"serverErrorCode":"AUTHENTICATION_FAILED","reason":"no auth method found"}"#
      let container = try ContainerStore.inMemory()
      #expect {
        try load([refusal, refusal], into: container)
      } throws: {
        "\($0)".contains("page 0") && "\($0)".contains("no auth method found")
      }
      let responses = Self.responses([Self.page(Self.record("x")), refusal])
      let result = try Archiver().run(from: [.responses(responses)], into: .container(container))
      #expect(result.imported.added == 1 && result.responseErrors.count == 1)
      let path = "\(folder)/a.recordpack"
      let again = try Archiver().run(from: [.responses(responses)], into: .bundle(path: path))
      #expect(again.bundle.records == 1 && again.responseErrors == result.responseErrors)
      #expect(try load([#"{"records":[]}"#], into: container).records == 0)
    }
  }

  @Test("records of several databases do not go into one response")
  func severalDatabases() throws {
    let container = try ContainerStore.inMemory()
    for database in [DatabaseScope.private, .public] {
      let draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "x"))
      _ = try container.database(database).save([draft])
    }
    #expect {
      try Archiver().exportResponse(.container(container)) { _ in Issue.record("was written") }
    } throws: {
      if case ArchiveError.severalDatabases([.public, .private]) = $0 {
        "\($0)".contains("--database public or private")
      } else {
        false
      }
    }
    var archiver = Archiver()
    archiver.filter.databases = [.public]
    #expect(try archiver.exportResponse(.container(container)) { _ in }.records == 1)
  }

  @Test("deletions that are there already, or come twice, are counted once")
  func deletionsTwice() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 2)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      let copy = try ContainerStore.inMemory()
      #expect(try Archiver().importBundles([bundle, bundle], into: copy).tombstones == 2)
      let change = try copy.snapshot { try $0.lastChange(in: .private) }
      #expect(try Archiver().importBundle(bundle, into: copy).tombstones == 0)
      let after = try copy.snapshot { try $0.lastChange(in: .private) }
      #expect(after == change)
    }
  }

  @Test("a response larger than an import takes is refused, and no file is left")
  func largeResponse() throws {
    let container = try ContainerStore.inMemory()
    try load([Self.page(Self.record("x"), Self.record("y"))], into: container)
    var size = 0
    let source = ArchiveSource.container(container)
    #expect(try Archiver().exportResponse(source) { size += $0.count }.records == 2)
    try source.read { reader in
      let archiver = Archiver()
      let exported = try archiver.writeResponse(of: reader, .webServices, limit: size) { _ in }
      #expect(exported.records == 2)
      #expect {
        try archiver.writeResponse(of: reader, .webServices, limit: size - 1) { _ in
          Issue.record("was written")
        }
      } throws: {
        if case ArchiveError.responseTooLarge(size - 1) = $0 { true } else { false }
      }
    }
  }

  @Test("assets count where their bytes are new and a record holds them")
  func assets() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 12)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      let copy = try ContainerStore.inMemory()
      var archiver = Archiver()
      #expect(try archiver.importBundles([bundle, bundle], into: copy).assets == 2)
      #expect(try archiver.importBundle(bundle, into: copy).assets == 0)
      archiver.filter = RecordFilter(recordTypes: ["Chat"])
      #expect(try archiver.importBundle(bundle, into: ContainerStore.inMemory()).assets == 0)
    }
  }

  @Test("of several files, one that is no response is an error beside the others")
  func otherFile() throws {
    let container = try ContainerStore.inMemory()
    let other = [#"{"userRecordName":"_a"}"#, "7", #"{"users":[]}"#]
    for text in other {
      let responses = Self.responses([Self.page(Self.record("x")), text])
      _ = try Archiver().run(from: [.responses(responses)], into: .container(container))
      #expect(responses.errors.count == 1)
      #expect(responses.errors.allSatisfy { $0.contains("page 1") }, "\(responses.errors)")
      #expect(throws: BundleError.self) { try load([text], into: container) }
      #expect(throws: ArchiveError.self) { try load([text, text], into: container) }
    }
    #expect(try names(container) == ["x"])
  }

  @Test("the shares and root records of links are read")
  func links() throws {
    let container = try ContainerStore.inMemory()
    let result = """
      {"results":[{"shortGUID":{"value":"0aBc"},"zoneID":{"zoneName":"Events","ownerRecordName":"_olga"},
        "share":{"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share","fields":{},
          "shortGUID":"0aBc","publicPermission":"NONE","participants":[]},
        "rootRecord":{"recordName":"root","recordType":"Event","fields":{}}},
        {"shortGUID":{"value":"0"},"serverErrorCode":"NOT_FOUND","reason":"no share"}]}
      """
    let responses = Self.responses([result])
    _ = try Archiver().run(from: [.responses(responses)], into: .container(container))
    #expect(try names(container) == ["cloudkit.zoneshare", "root"])
    #expect(responses.errors.count == 1)
  }
}

/// What runs in a task.
@Suite struct AsyncArchiverTests {
  @Test("a task waits for the work on another thread")
  func perform() async throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path
    let container = try SampleContainer.make(at: "\(path)/a.sqlite", messages: 2)
    let archiver = Archiver()
    let summary = try await archiver.perform {
      #expect(!Thread.isMainThread)
      return try $0.export(container, to: "\(path)/a.recordpack")
    }
    #expect(summary.records == 3)
    let bundle = try BundleReader(path: "\(path)/a.recordpack")
    let memory = try ContainerStore.inMemory()
    #expect(try await archiver.perform { try $0.importBundle(bundle, into: memory) }.added == 3)
    await #expect(throws: ArchiveError.self) {
      try await archiver.perform { _ in throw ArchiveError.onlyErrors("x") }
    }
  }

  @Test("the number of threads is one, whichever way it is set")
  func threads() {
    var archiver = Archiver()
    #expect(archiver.threads == archiver.bundleOptions.threads)
    archiver.bundleOptions.threads = 3
    #expect(archiver.threads == 3)
    archiver.threads = 2
    #expect(archiver.bundleOptions.threads == 2)
  }
}
