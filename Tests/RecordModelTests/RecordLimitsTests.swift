import Foundation
import RecordModel
import Testing

@Suite struct RecordLimitsTests {
  private func error(
    name: String = "m", zone: String = "Z", type: String = "T", limits: RecordLimits = .cloudKit,
    _ change: (inout DraftRecord) -> Void = { _ in }
  ) -> LimitViolation? {
    var draft = DraftRecord(
      recordType: type, recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: zone)))
    change(&draft)
    do {
      _ = try draft.resultRecord(limits: limits)
      return nil
    } catch {
      #expect((error as? CloudError)?.code == (error as? CloudError)?.violation?.limit.code)
      return (error as? CloudError)?.violation
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

  @Test("a reference has the name of a record that can exist")
  func references() {
    for (name, limit) in [
      ("", LimitViolation.Limit.recordNameLength), ("n", nil),
      (String(repeating: "n", count: 255), nil),
      (String(repeating: "n", count: 256), .recordNameLength),
    ] {
      let reference = Reference(recordID: RecordID(recordName: name))
      #expect(error { $0["r"] = reference }?.limit == limit)
      #expect(error { $0["r"] = [reference] }?.limit == limit)
      #expect(error { $0.parent = reference }?.limit == limit)
      #expect(error { $0.share = reference }?.limit == limit)
    }
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
    #expect(error { $0["a"] = Asset(sha256: digest, size: 50_000_001) }?.limit == .assetSize)
    var limits = RecordLimits()
    limits.assetSize = nil
    #expect(error(limits: limits) { $0["a"] = Asset(sha256: digest, size: 50_000_001) } == nil)
  }

  private let digest = String(repeating: "0a", count: 32)

  @Test("an asset without content, or of an impossible digest or size, is refused")
  func assets() {
    let data = Data([1])
    let good = [
      Asset(data: data), Asset(fileURL: URL(fileURLWithPath: "/x")), Asset(sha256: digest, size: 3),
      Asset(fileChecksum: "AQ=="), Asset(receipt: "AQ=="), Asset(downloadURL: "https://x.test/"),
    ]
    for asset in good {
      #expect(error { $0["a"] = asset } == nil)
      #expect(error { $0["a"] = [asset] } == nil)
    }
    let bad = [
      Asset(), Asset(size: 3), Asset(sha256: "zz", size: 3), Asset(sha256: digest.uppercased()),
      Asset(sha256: digest, size: -3), Asset(content: .data(data), size: -1),
      Asset(content: .data(data), sha256: "zz"),
      Asset(content: .file(URL(string: "https://x.test/a")!)),
    ]
    for asset in bad {
      #expect(error { $0["a"] = asset }?.limit == .assetContent, "\(asset)")
      #expect(error { $0["a"] = [good[0], asset] }?.limit == .assetContent)
    }
  }

  @Test("zones, types and subscriptions are held to one check of names")
  func otherNames() {
    let limits = RecordLimits.cloudKit
    func violation(_ body: () throws -> Void) -> LimitViolation.Limit? {
      do {
        try body()
        return nil
      } catch { return (error as? CloudError)?.violation?.limit }
    }
    func zone(_ name: String, _ owner: String = ZoneID.currentUserOwnerName)
      -> LimitViolation.Limit?
    {
      violation { try limits.check(zoneID: ZoneID(zoneName: name, ownerName: owner)) }
    }
    let long = String(repeating: "n", count: 256)
    #expect(zone("Notes") == nil)
    #expect(zone("_defaultZone") == nil)
    #expect(zone("Notes", "_abc") == nil)
    #expect(zone("") == .zoneNameLength)
    #expect(zone(long) == .zoneNameLength)
    for name in ["_x", "\u{FC}", "a\0b", "a\nb", "\u{7F}"] {
      #expect(zone(name) == .zoneNameCharacters)
    }
    #expect(zone("Notes", "") == .zoneOwnerLength)
    #expect(zone("Notes", "\u{FC}") == .zoneOwnerCharacters)
    #expect(violation { try limits.check(recordType: "Note_2") } == nil)
    #expect(violation { try limits.check(recordType: long) } == .recordTypeLength)
    for name in ["9T", "_T", "a b", "\u{FC}", "T\0"] {
      #expect(violation { try limits.check(recordType: name) } == .recordTypeCharacters)
    }
    #expect(violation { try limits.check(subscriptionID: "all-changes") } == nil)
    #expect(violation { try limits.check(subscriptionID: "") } == .subscriptionIDLength)
    #expect(violation { try limits.check(subscriptionID: long) } == .subscriptionIDLength)
    #expect(violation { try limits.check(subscriptionID: "a\0") } == .subscriptionIDCharacters)
    #expect(error(zone: "_x")?.limit == .zoneNameCharacters)
    #expect(error(name: "a\0b")?.limit == .recordNameCharacters)
    #expect(error { $0["cloudkit.\0"] = 1 }?.limit == .keyCharacters)
    #expect(error { $0[""] = 1 }?.limit == .keyLength)
  }

  @Test("limits of nothing refuse everything, and stop no program")
  func nothingAllowed() {
    var limits = RecordLimits()
    limits.recordNameLength = 0
    #expect(error(limits: limits)?.limit == .recordNameLength)
    limits = RecordLimits()
    limits.zoneNameLength = -1
    #expect(error(limits: limits)?.limit == .zoneNameLength)
    limits = RecordLimits()
    limits.keyLength = .min
    #expect(error(limits: limits)?.limit == .recordTypeLength)
    limits = RecordLimits()
    limits.recordSize = -1
    #expect(error(limits: limits)?.limit == .recordSize)
  }

  @Test("a name in an error is readable, however it is made")
  func hostileNames() throws {
    let long = try #require(error(name: String(repeating: "n", count: 100_000)))
    #expect(long.description.utf8.count < 1000)
    let nul = try #require(error(name: "a\0b"))
    #expect(!nul.description.utf8.contains(0))
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
