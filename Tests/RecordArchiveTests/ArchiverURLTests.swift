import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import Testing

@testable import RecordArchive

@Suite("Containers and bundles by URL")
struct ArchiverURLTests {
  @Test("A circle through names with blanks and percent signs")
  func circle() throws {
    try withFolder { folder in
      let folder = URL(fileURLWithPath: folder)
      func url(_ name: String) -> URL { folder.appendingPathComponent(name) }
      _ = try ContainerStore.open(url: url("a b.sqlite"), mode: .create)
      let container = try ContainerStore.open(url: url("a b.sqlite"))
      let archiver = Archiver()
      try archiver.export(container, to: url("c %d.recordpack"))
      let bundle = try BundleReader(url: url("c %d.recordpack"))
      try archiver.importBundle(bundle, creating: url("e f.sqlite"))
      try archiver.run(from: [.bundle(bundle)], into: .newContainer(at: url("g.sqlite")))
      let source = ArchiveSource.bundle(bundle)
      let migrator = try Migrator([])
      try archiver.migrate(source, with: migrator, to: url("h %20.recordpack"))
      try archiver.migrate(source, with: migrator, creating: url("i.sqlite"))
      try archiver.run(from: [source], into: .response(.webServices, at: url("j k.json")))
      #expect(try ResponseSource.sources(at: url("j k.json")).count == 1)
      let names = [
        "a b.sqlite", "c %d.recordpack", "e f.sqlite", "g.sqlite", "h %20.recordpack", "i.sqlite",
        "j k.json",
      ]
      for name in names {
        #expect(FileManager.default.fileExists(atPath: url(name).path))
      }
      guard case .container = try ArchiveSource.open([url("e f.sqlite")]) else {
        Issue.record("no container")
        return
      }
    }
  }
}
