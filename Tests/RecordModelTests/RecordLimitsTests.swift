import Foundation
import RecordModel
import Testing

@Suite struct RecordLimitsTests {
  private func error(
    name: String = "m", zone: String = "Z", type: String = "T", limits: RecordLimits = .cloudKit,
    _ change: (inout DraftRecord) -> Void = { _ in }
  ) -> RecordLimitError? {
    var draft = DraftRecord(
      recordType: type, recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: zone)))
    change(&draft)
    do {
      _ = try draft.resultRecord(limits: limits)
      return nil
    } catch {
      return error as? RecordLimitError
    }
  }

  @Test("names are held to their lengths and characters")
  func names() {
    #expect(error() == nil)
    #expect(error(name: String(repeating: "n", count: 255)) == nil)
    #expect(error(name: String(repeating: "n", count: 256))?.limit == .recordNameLength)
    #expect(error(name: "")?.limit == .recordNameLength)
    #expect(error(name: "é")?.limit == .recordNameCharacters)
    #expect(error(name: "_x")?.limit == .recordNameCharacters)
    #expect(error(name: "_x", type: "Users") == nil)
    #expect(error(zone: "")?.limit == .zoneNameLength)
    #expect(error(zone: "Zöne")?.limit == .zoneNameCharacters)
    #expect(error(type: "9T")?.limit == .recordTypeCharacters)
    #expect(error(type: "cloudkit.share") == nil)
    #expect(error { $0["bad name"] = 1 }?.limit == .keyCharacters)
    #expect(error { $0[String(repeating: "k", count: 256)] = 1 }?.limit == .keyLength)
  }

  @Test("a record of more than a megabyte, or with too many references, names limit and value")
  func sizes() throws {
    let large = error { $0["text"] = String(repeating: "x", count: 1_000_000) }
    #expect(large?.limit == .recordSize)
    #expect(try #require(large).description.contains("1000004"))
    #expect(error { $0["text"] = String(repeating: "x", count: 999_996) } == nil)
    let target = Reference(recordID: RecordID(recordName: "t"))
    #expect(error { $0["r"] = Array(repeating: target, count: 750) } == nil)
    #expect(error { $0["r"] = Array(repeating: target, count: 751) }?.limit == .referenceCount)
    #expect(error { $0["a"] = Asset(size: 50_000_001) }?.limit == .assetSize)
    var limits = RecordLimits()
    limits.assetSize = nil
    #expect(error(limits: limits) { $0["a"] = Asset(size: 50_000_001) } == nil)
  }

  @Test("values no server takes are named, and encrypted ones are not shown")
  func values() throws {
    #expect(error { $0["d"] = Double.nan }?.limit == .finiteNumber)
    #expect(error { $0["d"] = [1, Double.infinity] }?.limit == .finiteNumber)
    #expect(
      error { $0["d"] = Date(timeIntervalSinceReferenceDate: .infinity) }?.limit == .finiteNumber)
    #expect(error { $0["l"] = Location(latitude: 91, longitude: 0) }?.limit == .locationRange)
    #expect(
      error { $0.encryptedValues["e"] = Asset(data: Data([1])) }?.limit == .encryptableType)
    let mixed: [RecordValue] = [.int64(1), .string("two")]
    #expect(error { $0["m"] = mixed }?.limit == .knownType)
    let secret = error { $0.encryptedValues["e"] = [Double.nan, 123_456] }
    #expect(!(try #require(secret).description.contains("123456")))
  }
}
