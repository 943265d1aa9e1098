#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordCoding
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Shares of CloudKit, behind the bridge")
  struct TwinSharingTests {
    @Test("change as those of the mock do", arguments: SeededGenerator.seeds(15))
    func sharing(seed: UInt64) async throws {
      let folder = try TestFolder()
      let files = AssetFiles(folder: URL(filePath: folder.path))
      var plain = try SharingRun(seed: seed) {
        $0
      } _: {
        $0
      }
      var bridged = try SharingRun(seed: seed) {
        CloudKitContainer(CKContainer(mock: $0), assetFiles: files)
      } _: {
        CloudKitContainer(CKContainer(mock: $0), assetFiles: files)
      }
      for step in 0..<25 {
        let (expected, found) = (await plain.step(), await bridged.step())
        #expect(found == expected, "seed \(seed), step \(step)")
        guard found == expected else { return }
      }
    }
  }

  /// Random requests of three users about one zone.
  private struct SharingRun {
    private static let zoneID = ZoneID(zoneName: "Notes")
    private static let people = ["_kenji", "_lena"]
    private let mock: MockContainer
    private let mira: any CloudContainer
    private let others: [any CloudContainer]
    private var random: SeededGenerator
    private var hasZone = false

    init(
      seed: UInt64, _ owner: (MockContainer) -> any CloudContainer,
      _ other: (MockAccount) -> any CloudContainer
    ) throws {
      let mock = try MockContainer.inMemory(
        info: ContainerInfo(identifier: "iCloud.test", currentUserRecordName: "_mira"),
        now: { TwinContainers.date })
      self.mock = mock
      mira = owner(mock)
      others = try Self.people.map {
        other(try mock.account($0, emailAddress: "\($0.dropFirst())@example.com"))
      }
      random = SeededGenerator(seed)
    }

    private func id(_ name: String, owner: String = ZoneID.currentUserOwnerName) -> RecordID {
      RecordID(recordName: name, zoneID: ZoneID(zoneName: "Notes", ownerName: owner))
    }

    mutating func step() async -> String {
      do {
        if !hasZone {
          hasZone = true
          try await mira.privateDatabase.save(RecordZone(zoneID: Self.zoneID))
        }
        switch random.below(8) {
        case 0, 1: return try await create()
        case 2, 3: return try await edit()
        case 4: return try await accept()
        case 5: return try await write()
        case 6: return try await leave()
        default: return await view()
        }
      } catch let error as CloudError {
        return "\(error.code)"
      } catch {
        return "other"
      }
    }

    /// A user, found as an app finds one.
    private mutating func participant(_ place: Int) async throws -> ShareParticipant {
      let name = Self.people[place]
      var found =
        random.chance(2)
        ? try await mira.shareParticipant(
          forUserRecordID: RecordID(recordName: name))
        : try await mira.shareParticipant(forEmailAddress: "\(name.dropFirst())@example.com")
      found.permission = random.chance(2) ? .readOnly : .readWrite
      return found
    }

    private mutating func create() async throws -> String {
      let name = random.chance(2) ? "a" : "b"
      let database = mira.privateDatabase
      var root: DraftRecord
      if let known = try? await database.record(for: id(name)) {
        guard known.share == nil else { return "shared" }
        root = DraftRecord(known)
      } else {
        root = DraftRecord(recordType: "Note", recordID: id(name))
      }
      root["title"] = "\(random.below(100))"
      var child = DraftRecord(recordType: "Note", recordID: id("child-\(name)"))
      child.parent = Reference(recordID: root.recordID)
      var participants: [ShareParticipant] = []
      for place in [0, 1] where random.chance(2) {
        participants.append(try await participant(place))
      }
      let isPublic = participants.isEmpty && random.chance(2)
      let share = DraftRecord(
        sharing: &root, participants: participants, publicPermission: isPublic ? .readOnly : .none,
        title: name, recordName: "share-\(name)")
      let results = try await database.modifyRecords(
        saving: random.chance(2) ? [share, child, root] : [root, share],
        deleting: [], savePolicy: .ifServerRecordUnchanged, atomically: random.chance(2))
      return told(results.saveResults)
    }

    private func told(_ results: [RecordID: Result<ResultRecord, any Error>]) -> String {
      results.sorted { $0.key < $1.key }.map { id, result in
        switch result {
        case .success(let record): "\(id) \(told(record))"
        case .failure(let error): "\(id) \((error as? CloudError)?.code.name ?? "other")"
        }
      }.joined(separator: "; ")
    }

    private func told(_ record: ResultRecord) -> String {
      guard let share = record.shareInfo else {
        let title: String? = record["title"]
        return "\(title ?? "-") \(record.share as Any) \(record.parent as Any)"
      }
      let people = share.participants.map {
        "\($0.userIdentity.userRecordName ?? "?") \($0.role) \($0.permission) \($0.acceptanceStatus)"
      }
      let title: String? = record["cloudkit.title"]
      return "\(share.publicPermission) \(title ?? "-") \(people.sorted())"
    }

    private mutating func edit() async throws -> String {
      let name = random.chance(2) ? "a" : "b"
      let record = try await mira.privateDatabase.record(for: id("share-\(name)"))
      var draft = DraftRecord(record)
      guard var share = draft.shareInfo else { return "no share" }
      switch random.below(5) {
      case 0 where share.publicPermission == .none:
        let new = try await participant(random.below(2))
        let isKnown = share.participants.contains {
          $0.userIdentity.userRecordName == new.userIdentity.userRecordName
        }
        if !isKnown { share.participants.append(new) }
      case 1 where share.publicPermission == .none && share.participants.count > 1:
        share.participants.remove(at: 1 + random.below(share.participants.count - 1))
      case 2 where share.participants.count > 1:
        share.participants[1].permission = random.chance(2) ? .readOnly : .readWrite
      case 3:
        share.publicPermission = random.pick([.none, .readOnly, .readWrite])
      default: draft["cloudkit.title"] = "\(random.below(100))"
      }
      draft.shareInfo = share
      return told(try await mira.privateDatabase.save(draft))
    }

    private mutating func accept() async throws -> String {
      let name = random.chance(2) ? "a" : "b"
      let user = random.below(2)
      let record = try await mira.privateDatabase.record(for: id("share-\(name)"))
      guard let url = record.shareInfo?.url else { return "no link" }
      let metadata = try await others[user].shareMetadata(for: url)
      let accepted = try await others[user].accept(metadata)
      return "\(metadata.participantRole) \(metadata.participantStatus) "
        + "\(metadata.participantPermission) \(metadata.hierarchicalRootRecordID as Any) "
        + told(accepted)
    }

    private mutating func write() async throws -> String {
      let name = random.pick(["a", "child-a", "child-b"])
      let database = others[random.below(2)].database(.shared)
      let record = try await database.record(for: id(name, owner: "_mira"))
      var draft = DraftRecord(record)
      draft["title"] = "\(random.below(100))"
      if random.chance(3) {
        draft.parent = nil
      }
      return told(try await database.save(draft))
    }

    private mutating func leave() async throws -> String {
      let name = random.chance(2) ? "a" : "b"
      if random.chance(3) {
        try await mira.privateDatabase.deleteRecord(withID: id("share-\(name)"))
        return "deleted"
      }
      let database = others[random.below(2)].database(.shared)
      try await database.deleteRecord(withID: id("share-\(name)", owner: "_mira"))
      return "left"
    }

    private func view() async -> String {
      var told: [String] = []
      let names = ["a", "b", "child-a", "child-b", "share-a", "share-b"]
      for (database, owner) in [(mira.privateDatabase, ZoneID.currentUserOwnerName)]
        + others.map({ ($0.database(.shared), "_mira") })
      {
        let found = try? await database.records(for: names.map { id($0, owner: owner) })
        told.append(found.map { self.told($0) } ?? "none")
      }
      return told.joined(separator: "\n")
    }
  }

  extension CloudContainer {
    fileprivate var privateDatabase: any CloudDatabase { database(.private) }

    fileprivate func database(_ scope: DatabaseScope) -> any CloudDatabase {
      database(with: scope)
    }
  }
#endif
