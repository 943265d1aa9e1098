import Foundation
import RecordStore
import RecordBundle
import RecordMigration
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive

/// The small bundles in `Schemas/Tact`, one for each version: `v1.recordpack` is generated, each
/// other is the one before, migrated. From version 2 on they hold reactions too, which no older
/// version has.
///
/// `RECORDPACK_WRITE_GOLDEN=1 swift test --filter TactGoldenTests` writes them anew.
@Suite("The bundles of Tact's versions", .serialized)
struct TactGoldenTests {
  private let folder = TactGenerator.folder
  private static let versions = ["v1", "v2", "v3", "v4", "v5"]

  private func bundle(_ version: String) throws -> BundleReader {
    try BundleReader(path: "\(folder)/\(version).recordpack")
  }

  private func migrator(_ from: String, _ to: String, reverse: Bool = false) throws -> Migrator {
    try Migrator(MigrationDirectory(path: folder).chain(from: from, to: to, reverse: reverse))
  }

  private func digest(_ path: String) throws -> String {
    try BundleReader(path: path).contentHash
  }

  /// Adds what version 2 brought: two reactions.
  private func addReactions(to path: String) throws {
    try withFolder { scratch in
      let file = scratch + "/v2.sqlite"
      try Archiver().importBundle(BundleReader(path: path), creating: file)
      let container = try ContainerStore.open(
        path: file, now: { Date(timeIntervalSinceReferenceDate: 720_000_000) })
      for number in 0..<2 {
        let message = RecordID(
          recordName: "message-000000-00000\(number)", zoneID: TactGenerator.chats)
        let chat = RecordID(recordName: "chat-000000", zoneID: TactGenerator.chats)
        var reaction = DraftRecord(
          recordType: "Reaction",
          recordID: RecordID(recordName: "reaction-\(number)", zoneID: TactGenerator.chats))
        reaction["emoji"] = ["👍", "❤️"][number]
        reaction["message"] = Reference(recordID: message, action: .deleteSelf)
        reaction["relatedRecords"] = [Reference(recordID: chat), Reference(recordID: message)]
        reaction.parent = Reference(recordID: message)
        try container.database(.private).save([reaction])
      }
      try Archiver().export(container, to: path)
    }
  }

  @Test(
    "are written where that is asked for",
    .enabled(if: ProcessInfo.processInfo.environment["RECORDPACK_WRITE_GOLDEN"] == "1"))
  func write() throws {
    try TactGenerator.writeVersion1(
      to: "\(folder)/v1.recordpack", chats: 6, messagesPerChat: 12, seed: 2024)
    for (old, new) in zip(Self.versions, Self.versions.dropFirst()) {
      let path = "\(folder)/\(new).recordpack"
      _ = try Archiver().migrate(.bundle(try bundle(old)), with: migrator(old, new), to: path)
      if new == "v2" { try addReactions(to: path) }
    }
  }

  @Test("are intact, and say which version they are", arguments: versions)
  func intact(version: String) throws {
    let bundle = try bundle(version)
    #expect(try bundle.verify().findings.isEmpty)
    #expect(bundle.container.schemaVersion == version)
    #expect(bundle.size < 20_000)
  }

  @Test("v1 is what the generator makes")
  func generated() throws {
    try withFolder { scratch in
      let path = scratch + "/v1.recordpack"
      try TactGenerator.writeVersion1(to: path, chats: 6, messagesPerChat: 12, seed: 2024)
      #expect(try digest(path) == digest("\(folder)/v1.recordpack"))
    }
  }

  @Test("each is the one before, migrated", arguments: zip(versions, versions.dropFirst()))
  func step(old: String, new: String) throws {
    try withFolder { scratch in
      let path = scratch + "/new.recordpack"
      let (_, report) = try Archiver().migrate(
        .bundle(try bundle(old)), with: migrator(old, new), to: path)
      if new == "v2" { try addReactions(to: path) }
      #expect(try digest(path) == digest("\(folder)/\(new).recordpack"))
      #expect(report.isLossless, "\(report)")
    }
  }

  @Test("v2 becomes v5 in one go as in three, and goes back to the same records")
  func wholeWay() throws {
    try withFolder { scratch in
      let (there, back) = (scratch + "/there.recordpack", scratch + "/back.recordpack")
      _ = try Archiver().migrate(
        .bundle(try bundle("v2")), with: migrator("v2", "v5"), to: there)
      #expect(try digest(there) == digest("\(folder)/v5.recordpack"))
      _ = try Archiver().migrate(
        .bundle(try BundleReader(path: there)), with: migrator("v5", "v2", reverse: true),
        to: back)
      var comparison = ArchiveComparison(
        .bundle(try bundle("v2")), .bundle(try BundleReader(path: back)))
      comparison.recordsOnly = true
      #expect(try comparison.run { _ in }.isEmpty)
    }
  }

  @Test(
    "a large bundle is generated where that is asked for",
    .enabled(if: ProcessInfo.processInfo.environment["RECORDPACK_TACT_BUNDLE"] != nil))
  func large() throws {
    let path = try #require(ProcessInfo.processInfo.environment["RECORDPACK_TACT_BUNDLE"])
    try TactGenerator.writeVersion1(to: path, chats: 1000, messagesPerChat: 998)
  }
}
