import Foundation
import RecordPack
import Testing

extension MockContainer {
  /// Returns a copy that an archiver exported to a path, and imported.
  func copied(by path: String, _ archiver: Archiver = Archiver()) throws -> MockContainer {
    let copy = try MockContainer.inMemory()
    try archiver.export(self, to: path)
    try archiver.importBundle(BundleReader(path: path), into: copy)
    return copy
  }

  /// Returns a copy by way of a bundle, and checks both: the bundle of the copy is the same, and no
  /// change of the copy gets a number again that tokens of the container know.
  func checkedCopy(by path: String, _ place: Comment) throws -> MockContainer {
    let copy = try copied(by: path)
    #expect(try BundleReader(path: path).verify().isIntact, place)
    copy.expectIntact(place)
    try Archiver().export(copy, to: path + ".again")
    #expect(
      FileManager.default.contents(atPath: path)
        == FileManager.default.contents(atPath: path + ".again"), place)
    for scope in DatabaseScope.allCases {
      let mine = try store.snapshot { try $0.changes(of: scope) }
      let copied = try copy.store.snapshot { try $0.changes(of: scope) }
      // With another ID of their history all tokens of the container are expired.
      #expect(mine.historyID != copied.historyID || mine.last == copied.last, place)
    }
    return copy
  }

  func expectIntact(_ place: Comment) {
    #expect(throws: Never.self, place) {
      _ = try store.verify { Issue.record("\(place): \($0)") }
    }
  }

  /// Returns the greatest number in the tag of a record or a deletion of the private and the shared
  /// database, which have one counter.
  func greatestTag() throws -> Int64 {
    var greatest: Int64 = 0
    func note(_ tag: String?) {
      guard let tag, tag.utf8.count <= 11, let number = Int64(tag, radix: 36) else { return }
      greatest = max(greatest, number)
    }
    try store.snapshot { snapshot in
      for scope in [DatabaseScope.private, .shared] {
        try snapshot.forEachRecord(in: scope) { note($0.systemFields.recordChangeTag) }
        try snapshot.forEachTombstone(in: scope) { note($0.recordChangeTag) }
      }
    }
    return greatest
  }
}

extension Archiver {
  /// Imports several bundles in one transaction.
  func importBundles(_ bundles: [BundleReader], into container: MockContainer) throws {
    _ = try run(from: bundles.map(ArchiveSource.bundle), into: .container(container.store))
  }
}
