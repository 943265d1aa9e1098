import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import RecordStore
import Testing

@Suite struct PageChangeTests {
  let client: WebClient

  init() throws { client = try WebClient(page: .withServices) }

  /// Adds records of an import, with their change tags.
  private func add(_ records: [(zone: String, name: String, tag: String?)]) throws {
    try client.container.store.importTransaction { writer in
      for (zone, name, tag) in records {
        let zoneID = ZoneID(zoneName: zone)
        if try writer.zone(zoneID, in: .private) == nil {
          try writer.add(RecordZone(zoneID: zoneID), to: .private)
        }
        let fields = SystemFields(
          recordID: RecordID(recordName: name, zoneID: zoneID), recordType: "Note",
          recordChangeTag: tag)
        try writer.add(ResultRecord(systemFields: fields, fields: []), to: .private)
      }
    }
  }

  /// The names of the records, as they are listed.
  private func names() async throws -> [String] {
    func names(_ page: Answer) -> [String] {
      page.text.matches(of: /<td><a href="[^"]*"><bdi>([^<]*)<\/bdi>/).map { String($0.1) }
    }
    return names(try await client.page("changes") { !names($0).isEmpty })
  }

  @Test func `the newest are shown after an import of many records`() async throws {
    try add((0..<3000).map { ("Notes", "imported\($0)", nil) })
    for number in 0..<5 { try await client.create("new\(number)") }
    let names = try await names()
    #expect(names.prefix(5) == ["new4", "new3", "new2", "new1", "new0"])
    #expect(names.count == 100)
    #expect(Set(names).count == 100)
  }

  @Test func `records whose tags have gaps are shown`() async throws {
    let notes = (0..<50).map { ("Notes", "r\($0)", String(10_000 + $0 * 977, radix: 36)) }
    let others = (0..<70).map { ("Others", "s\($0)", String(12_000 + $0 * 977, radix: 36)) }
    try add(notes + others)
    let names = try await names()
    #expect(names.count == 100)
    #expect(names.first == "s69")
    #expect(names.dropFirst(23).first == "r49")
  }

  @Test func `the changes of many zones are in the order of their numbers`() async throws {
    for zone in 0..<12 { try await client.makeZone("Zone\(zone)") }
    var expected: [String] = []
    for number in 0..<150 {
      let name = "n\(number)"
      try await client.create(name, zone: "Zone\(number * 7 % 12)")
      expected.insert(name, at: 0)
    }
    #expect(try await names() == Array(expected.prefix(100)))
  }
}
