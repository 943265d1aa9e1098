import Foundation
import RecordBundle
import RecordModel
import RecordPlatform
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Generated trees, users and shares")
struct GeneratedTreeTests {
  private let folder: TestFolder
  private let records: [String: [ResultRecord]]
  private let known: [RecordID: ResultRecord]
  private let reader: BundleReader

  init() throws {
    folder = try TestFolder()
    reader = try GenerationSamples.bundle(GenerationSamples.generation(), in: folder).reader
    records = try GenerationSamples.records(reader)
    known = Dictionary(uniqueKeysWithValues: records.values.joined().map { ($0.recordID, $0) })
  }

  @Test("have parents, and references that hold")
  func references() throws {
    var count = 0
    for record in known.values {
      if let parent = record.parent { #expect(known[parent.recordID] != nil) }
      if let share = record.share { #expect(known[share.recordID]?.isShare == true) }
      for field in record.fields {
        for reference in field.value.references {
          #expect(known[reference.recordID] != nil, "\(record) \(field.name)")
          count += 1
        }
      }
    }
    #expect(count > 1000)
    for message in records["Message"] ?? [] {
      let parent = try #require(message.parent)
      #expect(known[parent.recordID]?.recordType == "Chat")
      #expect((message["chat"] as Reference?)?.recordID == parent.recordID)
    }
  }

  @Test("fill lists with the ancestors, the nearest first")
  func ancestors() throws {
    for reaction in records["Reaction"] ?? [] {
      let message = try #require(reaction.parent.flatMap { known[$0.recordID] })
      let chat = try #require(message.parent)
      let list: [Reference] = try #require(reaction["relatedRecords"])
      #expect(list.map(\.recordID) == [message.recordID, chat.recordID])
    }
  }

  @Test("have as many children as the recipe says")
  func counts() throws {
    let children = Dictionary(grouping: records["Message"] ?? [], by: { $0.parent?.recordID })
      .mapValues(\.count)
    #expect(children.count == 36)
    #expect(children.values.allSatisfy { (1...40).contains($0) })
    // Half of the numbers are small.
    #expect(children.values.count { $0 <= 5 } > 9)
    #expect(children.values.contains { $0 > 10 })
    let reactions = Dictionary(grouping: records["Reaction"] ?? [], by: { $0.parent?.recordID })
    #expect(reactions.values.allSatisfy { $0.count <= 3 })
  }

  @Test("have dates that grow down the tree, and are modified after they are created")
  func dates() throws {
    let reference = Date(timeIntervalSince1970: 1_714_550_400)
    for record in known.values {
      let created = try #require(record.creationDate)
      #expect(created >= reference)
      #expect(try #require(record.modificationDate) >= created)
      if let parent = record.parent.flatMap({ known[$0.recordID] }) {
        #expect(created >= (try #require(parent.creationDate)).addingTimeInterval(1))
      }
    }
    // Siblings are created in the order of their names.
    let siblings = Dictionary(grouping: records["Message"] ?? [], by: { $0.parent?.recordID })
    for list in siblings.values {
      let dates = list.sorted { $0.recordID.recordName < $1.recordID.recordName }
        .compactMap(\.creationDate)
      #expect(dates == dates.sorted())
    }
  }

  @Test("have zones of several owners, and change tags of a server")
  func zones() throws {
    let zones = Set((records["Chat"] ?? []).map(\.recordID.zoneID))
    #expect(zones.count == 3)
    #expect(zones.contains(ZoneID(zoneName: "Chats")))
    let users = Set((records["Users"] ?? []).map(\.recordID.recordName))
    #expect(users.count == 4)
    for zone in zones where zone.ownerName != ZoneID.currentUserOwnerName {
      #expect(users.contains(zone.ownerName))
    }
    let accounts = reader.container.accounts.map(\.userRecordName)
    #expect(Set(accounts) == users)
    #expect(accounts == accounts.sorted())
    for record in known.values {
      #expect(users.contains(try #require(record.creatorUserRecordID?.recordName)))
    }
    let tags = known.values.filter { $0.recordType != "Users" }.compactMap {
      $0.recordChangeTag.flatMap { Int($0, radix: 36) }
    }
    #expect(Set(tags).count == known.count - 4)
    #expect(tags.allSatisfy { $0 > 0 })
  }

  @Test("have shares with an owner and participants")
  func shares() throws {
    let shares = records[Share.recordType] ?? []
    #expect((8...28).contains(shares.count))
    #expect((records["Chat"] ?? []).count { $0.share != nil } == shares.count)
    for share in shares {
      let info = try #require(share.shareInfo)
      #expect(info.participants.first?.role == .owner)
      #expect(info.participants.count >= 2)
      let names = info.participants.map(\.userIdentity.userRecordName)
      #expect(Set(names).count == names.count)
      #expect(names.first == share.creatorUserRecordID?.recordName)
      #expect(info.participants[1].acceptanceStatus == .accepted)
    }
    // Whoever writes below a shared record takes part in its share.
    let byRoot = Dictionary(grouping: records["Message"] ?? [], by: { $0.parent?.recordID })
    for chat in records["Chat"] ?? [] {
      let share = chat.share.flatMap { known[$0.recordID]?.shareInfo }
      let names =
        share?.participants.compactMap(\.userIdentity.userRecordName)
        ?? [chat.creatorUserRecordID?.recordName ?? ""]
      for message in byRoot[chat.recordID] ?? [] {
        #expect(names.contains(try #require(message.creatorUserRecordID?.recordName)))
      }
    }
  }

  @Test("share zones as a whole")
  func zoneShare() throws {
    let generation = try GenerationSamples.generation(
      """
      recordpack-recipe: 1
      users: 3
      zones: {Club: {shared: true, owners: 2}}
      types: {Chat: {zone: Club, count: 2}}
      """)
    let (bundle, report) = try GenerationSamples.bundle(generation, in: folder)
    #expect(report.counts[Share.recordType] == 2)
    #expect(try bundle.verify().isIntact)
    let found = try GenerationSamples.records(bundle)
    let share = try #require(found[Share.recordType]?.first)
    #expect(share.recordID.recordName == Share.zoneWideRecordName)
    #expect(share.shareInfo?.participants.count == 3)
    #expect(Set(found["Chat"]?.map(\.recordID.zoneID.ownerName) ?? []).count == 2)
  }
}
