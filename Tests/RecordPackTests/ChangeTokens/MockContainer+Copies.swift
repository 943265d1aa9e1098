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
      let (mine, copied) = (try lastChange(in: scope), try copy.lastChange(in: scope))
      // In another lineage all tokens of the container are expired.
      #expect(mine.lineage != copied.lineage || mine.change <= copied.change, place)
    }
    return copy
  }

  func expectIntact(_ place: Comment) {
    #expect(throws: Never.self, place) {
      _ = try store.verify { Issue.record("\(place): \($0)") }
    }
  }

  private func lastChange(in scope: DatabaseScope) throws -> (change: Int64, lineage: Int64) {
    try store.snapshot { (try $0.lastChange(in: scope), try $0.changes(of: scope).lineage) }
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
