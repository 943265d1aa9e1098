import Testing

@testable import RecordModel

@Suite("Zones whose identifiers are numbers")
struct SharedZoneTests {
  @Test("A shared zone is the same as one that is not shared")
  func equality() {
    let own = ZoneID(zoneName: "SharedZoneTests", ownerName: "_a")
    let shared = own.shared()
    #expect(shared == own)
    #expect(own == shared)
    #expect(shared.hashValue == own.hashValue)
    #expect(shared.zoneName == "SharedZoneTests")
    #expect(shared.ownerName == "_a")
    #expect(Set([own, shared]).count == 1)
    #expect(!(shared < own) && !(own < shared))
    #expect(shared != ZoneID(zoneName: "SharedZoneTests"))
    #expect(shared != ZoneID(zoneName: "SharedZoneTests", ownerName: "_b").shared())
  }

  @Test("A zone is shared once")
  func once() {
    // Other tests share zones of their own in the table of the process, and may fill it.
    let table = SharedZones()
    let first = table.place(of: ZoneNames(zoneName: "once", ownerName: "_a"))
    #expect(first != nil)
    #expect(table.place(of: ZoneNames(zoneName: "once", ownerName: "_b")) != first)
    #expect(table.place(of: ZoneNames(zoneName: "once", ownerName: "_a")) == first)
    let shared = ZoneID.default.shared()
    #expect(shared.isIdentical(to: .default) && shared.shared().isIdentical(to: shared))
  }

  @Test("Names that differ only in normalization are different shared zones")
  func normalization() {
    let composed = ZoneID(zoneName: "caf\u{E9}").shared()
    let decomposed = ZoneID(zoneName: "cafe\u{301}").shared()
    #expect(composed != decomposed)
    #expect(!composed.isIdentical(to: decomposed))
  }

  @Test("The default zone is shared, however it is made")
  func defaultZone() {
    let made = ZoneID(zoneName: "_defaultZone", ownerName: "__defaultOwner__")
    #expect(made.isIdentical(to: .default))
    #expect(made.isDefault)
    #expect(ZoneID.default.zoneName == "_defaultZone")
    #expect(ZoneID.default.ownerName == "__defaultOwner__")
    #expect(ZoneID(zoneName: "_defaultZone", ownerName: "_a") != .default)
  }

  @Test("Zones with long names, and those beyond the limit, are not shared, and stay equal")
  func limits() {
    let long = ZoneID(zoneName: String(repeating: "z", count: 256))
    #expect(!long.shared().isIdentical(to: ZoneID(zoneName: long.zoneName).shared()))
    #expect(long.shared() == long)
    let table = SharedZones()
    let places = (0..<2 * SharedZones.capacity).map {
      table.place(of: ZoneNames(zoneName: "\($0)", ownerName: "_a"))
    }
    #expect(places.compactMap { $0 }.map(Int.init) == Array(1..<SharedZones.capacity))
    #expect(table.place(of: ZoneNames(zoneName: "0", ownerName: "_a")) == 1)
    #expect(table.place(of: .default) == SharedZones.defaultPlace)
    #expect(table[1].zoneName == "0")
  }

  @Test("An identifier is as large as a pointer")
  func size() {
    #expect(MemoryLayout<ZoneID>.size == MemoryLayout<UnsafeRawPointer>.size)
    #expect(MemoryLayout<ZoneID?>.size == MemoryLayout<UnsafeRawPointer>.size)
  }
}
