import Foundation
import RecordModel
import TestSupport
import Testing

@Suite("The keys of values")
struct IndexKeyTests {
  private let zone = ZoneID(zoneName: "Notes")

  private func key(_ value: some RecordValueConvertible) throws -> IndexKey {
    try #require(IndexKey(value.recordValue, in: zone))
  }

  @Test("of integers and doubles are in the order of the numbers, exactly")
  func numbers() throws {
    let big = Int64(1) << 53
    let numbers: [RecordValue] = [
      .double(-.infinity), .double(-1e300), .int64(.min), .int64(.min + 1), .double(-1.5),
      .int64(-1), .double(-0.5), .int64(0), .double(.leastNonzeroMagnitude), .double(0.5),
      .int64(1), .double(Double(big)), .int64(big + 1), .double(Double(big + 2)),
      .int64(.max - 1), .int64(.max), .double(0x1p63), .double(1e300), .double(.infinity),
    ]
    let keys = try numbers.map(key)
    for (low, high) in zip(keys, keys.dropFirst()) { #expect(low < high) }
    #expect(try key(7) == key(7.0))
    #expect(try key(0) == key(-0.0))
    #expect(IndexKey(.double(.nan), in: zone) == nil)
    var random = SeededGenerator(5)
    for _ in 0..<2_000 {
      let a = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64))
      let b = Int64(truncatingIfNeeded: random.next()) >> Int64(random.below(64))
      #expect(try (key(a) < key(b)) == (a < b), "\(a), \(b)")
      let c = Double(b) * (random.chance(2) ? 1 : 0.37)
      let isLess =
        Double(exactly: a).map { $0 < c }
        ?? (Double(a) < c || Int64(exactly: c).map { a < $0 } ?? (Double(a) < c))
      #expect(try (key(a) < key(c)) == isLess, "\(a), \(c)")
    }
  }

  @Test("of strings are in the order of their UTF-8 bytes, and differ by scalars")
  func strings() throws {
    let texts = ["", "a", "a\u{0}", "a\u{0}b", "ab", "b", "e\u{301}", "é", "日", "\u{10FFFF}"]
    let keys = try texts.map(key)
    for (low, high) in zip(keys, keys.dropFirst()) { #expect(low < high) }
  }

  @Test("of different kinds are in the order of the kinds, and no value is before all")
  func kinds() throws {
    let place = Location(latitude: -90, longitude: 0)
    let keys = [
      IndexKey.missing, try key(Double.infinity), try key(Date.distantPast), try key(""),
      try key(Data()), try key(Reference(recordID: RecordID(recordName: "a", zoneID: zone))),
      try key(place), IndexKey(distance: 0),
    ]
    for (low, high) in zip(keys, keys.dropFirst()) { #expect(low < high) }
    for value in [RecordValue.stringList(["a"]), .emptyList, .asset(Asset(size: 1))] {
      #expect(IndexKey(value, in: zone) == nil)
    }
  }

  @Test("of references differ by name and zone; NUL in a name is no end of it")
  func references() throws {
    let names = ["a", "a\u{0}", "a\u{0}\u{0}", "ab"]
    let zones = [zone, ZoneID.default, ZoneID(zoneName: "Notes", ownerName: "_b")]
    var keys: [IndexKey] = []
    for name in names {
      for zoneID in zones {
        keys.append(try key(Reference(recordID: RecordID(recordName: name, zoneID: zoneID))))
      }
    }
    #expect(Set(keys).count == keys.count)
    let own = keys[0]
    let others = [keys[1], keys[2]]
    #expect(others.allSatisfy { own < $0 }, "the record's own zone comes first")
  }

  @Test("of dates and locations are in the order of the numbers")
  func datesAndLocations() throws {
    let dates = [-1e9, -0.001, 0, 0.001, 785_000_000.125].map(
      Date.init(timeIntervalSinceReferenceDate:))
    let dateKeys = try dates.map(key)
    for (low, high) in zip(dateKeys, dateKeys.dropFirst()) { #expect(low < high) }
    let places = [(-90.0, 0.0), (0, -180), (0, 0), (0, 180), (59.3, 18.1), (59.3, 18.2)]
      .map { Location(latitude: $0.0, longitude: $0.1) }
    let placeKeys = try places.map(key)
    for (low, high) in zip(placeKeys, placeKeys.dropFirst()) { #expect(low < high) }
    var other = places[4]
    other.altitude = 20
    #expect(try key(other) == placeKeys[4], "only the coordinates count")
  }

  @Test("a range has its first key, and not its last")
  func ranges() throws {
    let keys = try ["a", "ab", "abc", "b"].map(key)
    #expect(keys.map(IndexRange(keys[1]).contains) == [false, true, false, false])
    #expect(keys.map(IndexRange(prefix: keys[0]).contains) == [true, true, true, false])
    let both = IndexRange(lower: keys[1], upper: keys[3])
      .intersection(IndexRange(lower: keys[0], upper: keys[2]))
    #expect(keys.map(both.contains) == [false, true, false, false])
    #expect(both.singleKey == nil)
    #expect(IndexRange(keys[2]).singleKey == keys[2])
    #expect(IndexRange(lower: keys[2], upper: keys[1]).isEmpty)
    #expect(IndexRange(prefix: IndexKey(bytes: [0xFF])).upper == nil)
  }

  @Test("the words of a text are without case and diacritics, each once")
  func words() {
    #expect(
      TextTokens.words(of: "Hello, hello wörld! It's 5 o'clock") == [
        "hello", "world", "it", "s", "5", "o", "clock",
      ])
    #expect(TextTokens.words(of: "Café CAFE\u{301} ﬁn") == ["cafe", "fin"])
    #expect(TextTokens.words(of: "日本語 Труд") == ["日", "本", "語", "труд"])
    #expect(TextTokens.words(of: "ΟΔΟΣ οδός") == ["οδοσ"])
    #expect(TextTokens.words(of: " .,! ") == [])
    #expect(
      TextTokens.keys(of: "Труд и мир now").count == 2, "words that are not ASCII share a key")
  }

  @Test("the distance of locations is that on a sphere")
  func distance() {
    let paris = Location(latitude: 48.8566, longitude: 2.3522)
    let london = Location(latitude: 51.5074, longitude: -0.1278)
    #expect(abs(paris.distance(to: london) - 343_556) < 500)
    #expect(paris.distance(to: paris) == 0)
    let east = Location(latitude: 0, longitude: 179.9)
    let west = Location(latitude: 0, longitude: -179.9)
    #expect(abs(east.distance(to: west) - 0.2 * Location.metresPerDegree) < 1)
  }
}
