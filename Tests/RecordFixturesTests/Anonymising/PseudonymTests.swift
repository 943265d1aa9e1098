import Foundation
import RecordModel
import RecordPlatform
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Pseudonyms")
struct PseudonymTests {
  static func key(_ seed: UInt8 = 1) throws -> AnonymisationKey {
    try AnonymisationKey((0..<32).map { $0 &* 7 &+ seed })
  }

  private static func pseudonyms(
    _ seed: UInt8 = 1, keeping kept: [String] = []
  ) throws -> Pseudonyms {
    Pseudonyms(try key(seed), keeping: kept.map { NamePattern($0) })
  }

  // MARK: Names

  @Test("Users are _ and 32 digits and become users; all else is a UUID, whatever it was")
  func forms() throws {
    let pseudonyms = try Self.pseudonyms()
    var random = SeededGenerator(7)
    var seen: Set<String> = []
    let names = [
      "a", "chat-42", "mira@tact.app", String(repeating: "x", count: 255), "ᏣᎳᎩ", "",
      "0123456789abcdef0123456789abcdef", UUID(random: &random).uuidString,
      UUID(random: &random).uuidString.lowercased(), "\u{E9}", "e\u{301}", "Share-1", "A", "ⓐ",
      "_mira", "_", "_" + String(repeating: "é", count: 9), "_0123456789ABCDEF0123456789ABCDEF",
    ]
    for name in names {
      let pseudonym = pseudonyms.name(name, .record)
      #expect(UUID(uuidString: pseudonym)?.uuidString == pseudonym, "\(name)")
      #expect(Array(pseudonym)[14] == "4" && "89AB".contains(Array(pseudonym)[19]))
      #expect(seen.insert(pseudonym).inserted)
    }
    for name in ["_0123456789abcdef0123456789abcdef", "_ffffffffffffffffffffffffffffffff"] {
      let pseudonym = pseudonyms.name(name, .user)
      #expect(pseudonym.count == 33 && pseudonym.hasPrefix("_"))
      #expect(pseudonym.dropFirst().allSatisfy { "0123456789abcdef".contains($0) })
      #expect(seen.insert(pseudonym).inserted)
    }
  }

  @Test("A name has the same pseudonym in every place, and another one with another key")
  func consistency() throws {
    let (one, two) = (try Self.pseudonyms(1), try Self.pseudonyms(2))
    for name in ["6B29FC40-CA47-1067-B31D-00DD010662DA", "chat-000042", "_mira"] {
      for kind in [Pseudonyms.Kind.record, .user, .zone, .owner, .other] {
        #expect(one.name(name, kind) == one.name(name, .record))
      }
      #expect(one.name(name, .record) != two.name(name, .record))
    }
  }

  @Test("Names that CloudKit gives stay where CloudKit gives them, and nowhere else")
  func reservedNames() throws {
    let pseudonyms = try Self.pseudonyms()
    for (name, kinds) in [
      (ZoneID.defaultZoneName, [.zone]), (CoreDataNames.zoneName, [.zone]),
      (ZoneID.currentUserOwnerName, [.owner, .user, .record]),
      (Share.zoneWideRecordName, [.record]), (Share.recordType, []), ("_world", []),
    ] as [(String, [Pseudonyms.Kind])] {
      for kind in [Pseudonyms.Kind.record, .user, .zone, .owner, .other] {
        #expect((pseudonyms.name(name, kind) == name) == kinds.contains(kind), "\(name) \(kind)")
      }
    }
  }

  @Test("Names that the policy keeps stay")
  func keptNames() throws {
    let pseudonyms = try Self.pseudonyms(keeping: ["a?", "settings"])
    for name in ["a1", "settings"] { #expect(pseudonyms.name(name, .zone) == name) }
    #expect(pseudonyms.name("a12", .zone) != "a12")
  }

  @Test("Change tags depend on the record and its tag, and are numbers in base 36")
  func changeTags() throws {
    let pseudonyms = try Self.pseudonyms()
    let (a, b) = (RecordID(recordName: "a"), RecordID(recordName: "b"))
    let tags = [("1", a), ("2", a), ("1", b)].map { pseudonyms.changeTag($0, of: $1) }
    #expect(Set(tags).count == 3)
    for tag in tags { #expect((ChangeTag.change(of: tag) ?? .max) < 1 << 53) }
  }

  @Test("Pseudonyms are those of version 1, for ever")
  func golden() throws {
    let pseudonyms = try Self.pseudonyms()
    var values = MadeUpValues(seed: 42)
    let found = [
      pseudonyms.name("6B29FC40-CA47-1067-B31D-00DD010662DA", .record),
      pseudonyms.name("_0123456789abcdef0123456789abcdef", .user),
      pseudonyms.name("ᏣᎳᎩ", .zone), pseudonyms.changeTag("1a", of: RecordID(recordName: "a")),
      "\(pseudonyms.seed("email", of: "mira@tact.app"))", values.text(), values.name(),
      values.email(), values.phone(), values.url(), "\(values.integer())", "\(values.double())",
      "\(values.date().timeIntervalSince1970)",
    ]
    #expect(
      found == [
        "BE40810C-93B2-423D-AC4E-3E90B0469E00", "_889a8acb678315fbb3bf8a78eb972006",
        "D0622C90-45BB-40AF-951D-64F741A7EBC3", "w7hbzzqrw8", "2819231372178460249",
        "Sit father golden.", "Amir Taylor", "felix.silva.405937935@mail.example",
        "+44 20 7946 0245", "https://www.example/mother/698643469", "203", "103.57",
        "1576459290.0",
      ])
  }

  // MARK: Made-up values

  @Test("Addresses and numbers are of ranges that nobody has")
  func addresses() {
    var values = MadeUpValues(seed: 1)
    for _ in 0..<200 {
      let email = values.email()
      #expect(EmailAddress.matches(email) && email.hasSuffix(".example"))
      let phone = values.phone()
      let ranges = [/\+44 7700 900\d{3}/, /\+44 20 7946 0\d{3}/, /\+1 [2-9]\d\d 555 01\d\d/]
      let isFictional = ranges.contains { phone.wholeMatch(of: $0) != nil }
      #expect(PhoneNumber.matches(phone) && isFictional)
      #expect(URL(string: values.url())?.host == "www.example")
    }
  }

  @Test("Text that keeps its length, shape or script keeps nothing else")
  func priced() {
    var values = MadeUpValues(seed: 1)
    for text in ["Hello, World! 123", "Grüße", "ⓐ 🅰 ᵃ ① ⠓ ㊞ a\u{E0061}\u{FE0F}", "", "a@b.c"] {
      #expect(values.text(count: text.count).count == text.count)
      let shaped = values.text(shape: text)
      #expect(shaped.unicodeScalars.count == text.unicodeScalars.count)
      #expect(shaped.allSatisfy(\.isASCII) && !shaped.contains("@"), "\(shaped)")
    }
    let shape = values.text(shape: "Ab 1-").map { letter -> Character in
      if letter.isNumber { return "0" }
      return letter.isLetter ? (letter.isUppercase ? "A" : "a") : letter
    }
    #expect(String(shape) == "Aa 0-")
    for text in ["Привет", "你好", "שלום", "مرحبا", "안녕", "こんにちは", "नमस्ते"] {
      let scalars = Set(text.unicodeScalars.map { $0.value >> 8 })
      let found = values.text(script: text)
      let isOfScript = found.unicodeScalars.contains { scalar in
        scalars.contains(scalar.value >> 8) || scalar.value >= 0x4E00
      }
      #expect(found != text && isOfScript)
    }
    #expect(values.text(script: "Hello").utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("Numbers that keep their digits keep sign and size, also the smallest and largest")
  func numbers() {
    var values = MadeUpValues(seed: 1)
    for number in [7, -7, 42, -1000, Int64.max, Int64.min, 1_700_000_000, 0] as [Int64] {
      let other = values.integer(digits: number)
      #expect(String(other).count == String(number).count, "\(number): \(other)")
    }
    for number in [0.5, -1.5e300, .leastNonzeroMagnitude, 1e22, 3, -0.0, .infinity] as [Double] {
      let other = values.double(digits: number)
      #expect(other.isFinite == number.isFinite && other.sign == number.sign, "\(number)")
      #expect((other == 0) == (number == 0))
    }
  }

  @Test("A shift keeps midnight and every date that stands for none, so that none gives it away")
  func sentinels() {
    for seed in 0..<50 as Range<UInt64> {
      let shift = UserShift(seed: seed, placeSeed: seed &+ 1)
      // The places of a user tell nothing of the days, and the days nothing of the places.
      #expect(
        UserShift(seed: 7, placeSeed: seed).seconds == UserShift(seed: 7, placeSeed: 0).seconds)
      #expect(
        UserShift(seed: 7, placeSeed: 0).degrees == UserShift(seed: seed, placeSeed: 0).degrees)
      let day = Date(timeIntervalSince1970: 86_400 * 19_000)
      let moved = shift.shift(day)
      #expect(
        moved != day && moved.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 0)
      for sentinel in [
        Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: 0), .distantPast,
        .distantFuture, Date(timeIntervalSince1970: 253_402_300_799),
        // 2099-12-31 and 2050-01-01, and the starts of clocks at midnight in Berlin and Los Angeles.
        Date(timeIntervalSince1970: 4_102_358_400), Date(timeIntervalSince1970: 2_524_608_000),
        Date(timeIntervalSince1970: -3600), Date(timeIntervalSince1970: 8 * 3600),
        Date(timeIntervalSinceReferenceDate: 8 * 3600), Date(timeIntervalSince1970: 315_561_600),
      ] {
        #expect(shift.shift(sentinel) == sentinel)
      }
      for near in [1, -7, 901, 86_400] as [TimeInterval] {
        #expect(
          shift.shift(Date(timeIntervalSinceReferenceDate: near)).timeIntervalSinceReferenceDate
            != near)
      }
      #expect(
        shift.move(Location(latitude: 0, longitude: 0)) == Location(latitude: 0, longitude: 0))
      var place = Location(latitude: 52.5, longitude: 13.4)
      place.altitude = 34
      #expect(shift.move(place).altitude == nil && shift.move(place).latitude != 52.5)
    }
  }

  @Test("Dates of a record keep their order, and no distance")
  func orderedDates() {
    var values = MadeUpValues(seed: 1)
    let old = [5.0, 1, 9, 1].map { Date(timeIntervalSince1970: $0) }
    let dates = OrderedDates(old, &values)
    let new = old.compactMap(dates.replacement)
    #expect(new.count == 4 && new[1] == new[3] && new[1] < new[0] && new[0] < new[2])
    #expect(new[2].timeIntervalSince(new[0]) > 60)
  }

  // MARK: Contents

  private static let openings: [[UInt8]] =
    ["%PDF-1.4 abc", "GIF87a;;;;", "bplist00xyz", "plain text", "{\"a\": 1}", "[1]", "x", ""]
    .map { Array($0.utf8) } + [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0],
    ]

  private static func content(
    _ bytes: [UInt8], _ size: Int? = nil, _ seed: UInt64 = 0
  ) -> ReplacementContent {
    bytes.withUnsafeBytes { ReplacementContent(replacing: $0, size: size, seed: seed) }
  }

  @Test("Bytes become a constant of their kind, whatever else they are")
  func constants() {
    var kinds: Set<Data> = []
    for opening in Self.openings {
      let content = Self.content(opening)
      #expect(content.data.count == ReplacementContent.usualSize)
      // The rest, too, must not matter.
      let longer = Self.content(opening + opening)
      #expect(content.data == longer.data || opening.count < 3)
      kinds.insert(content.data)
    }
    // Text, JSON, PDF, GIF, a property list, nothing known, PNG, JPEG.
    #expect(kinds.count == 8)
    #expect(
      Self.content(Array("RIFF\u{1}\u{2}".utf8)).data
        == Self.content(Array("RIFF\u{3}\u{4}".utf8)).data)
  }

  @Test("On request, contents have their size, and different ones stay different")
  func contents() {
    for opening in Self.openings {
      for size in [0, 1, 3, 90, 5000] {
        let content = Self.content(opening, size)
        var chunks: [UInt8] = []
        content.forEachChunk(of: 104) { chunks += $0 }
        #expect(chunks.count == size && Data(chunks) == content.data)
        #expect(
          content.sha256.description == chunks.withUnsafeBytes { SHA256Digest(of: $0).description })
      }
      #expect(Self.content(opening, nil, 1).data != Self.content(opening, nil, 2).data)
    }
    let json = Self.content(Array("{}".utf8)).data
    let object = try? JSONSerialization.jsonObject(with: json)
    #expect(object is [String])
  }

  // MARK: Personal data, keys

  @Test("Email addresses and phone numbers in text are found, and other things are not")
  func patterns() {
    #expect(EmailAddress.all(in: "Ask <mira@tact.app>, or ken.ji+x@mail.example.org.").count == 2)
    for text in ["mira@tact", "a @ b.c", "@tact.app", "mira", "5@3"] {
      #expect(EmailAddress.all(in: text).isEmpty, "\(text)")
    }
    for text in ["call +49 170 1234567!", "(555) 010-12345", "170-123-45678", "0170/1234567"] {
      #expect(PhoneNumber.isIn(text), "\(text)")
    }
    for text in [
      "1700000000", "2026-11-22", "2024-01-01 12:00:00", "01.02.2024 10:00", "10.0.0.1", "12 34",
      "+1",
    ] {
      #expect(!PhoneNumber.isIn(text), "\(text)")
    }
    func isIn(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes(EmailAddress.isIn) }
    #expect(
      isIn("mira@tact.app.") && isIn(#"{"a":"mira@tact.app"}"#) && isIn("x@y.example z@q.org"))
    #expect(!isIn("mira@tact.example") && !isIn("a@b") && !isIn("@") && !isIn("x@"))
  }

  @Test(
    "Coordinates, dates and years of birth are found in text, numbers and bytes",
    arguments: [
      ("at 52.5200, 13.4050", .place), ("2024-01-31", .date), ("31.1.1974", .date),
      ("born 1974", .date), ("version 1.2.3", []), ("room 1974", []), ("0.5 1.5", []),
      ("mira@tact.app", .email), (#"{"lat":48.137154,"lon":11.576124}"#, .place), ("1984", .date),
    ] as [(String, PersonalKinds)])
  func kinds(_ text: String, _ kinds: PersonalKinds) {
    #expect(PersonalKinds(in: text) == kinds)
    #expect(PersonalKinds(in: Data(text.utf8)) == kinds)
    if text.utf8.count >= 6 {
      #expect(PersonalKinds(in: Data([0xFF, 0x00]) + Data(text.utf8) + Data([0x80])) == kinds)
      #expect(PersonalKinds(in: Data([0xFF]) + Data(text.utf8.flatMap { [0, $0] })) == kinds)
    }
  }

  @Test("Only the comments of a schema are searched")
  func schemaComments() {
    let schema = "DEFINE // a, b\nGRANT -- c\r\n/* d\ne */ RECORD TYPE A (x-y STRING) // f"
    let letters = SchemaComments.text(of: schema).filter { $0.isLetter }
    #expect(letters == "abcdef")
  }

  @Test("Numbers that look personal are found")
  func personalNumbers() {
    for (number, kind) in [
      (1974, .date), (19_740_131, .date), (1_700_000_000, .date), (1_700_000_000_123, .date),
      (4_917_012_345_678, .phone), (7, []), (12_345, []),
    ] as [(Int64, PersonalKinds)] {
      #expect(PersonalKinds(in: number) == kind, "\(number)")
    }
    for (number, kind) in [
      (52.52001, .place), (-122.41942, .place), (0.33333, []), (19.99, []),
      (1_700_000_000.5, .date), (200.12345, []),
    ] as [(Double, PersonalKinds)] {
      #expect(PersonalKinds(in: number) == kind, "\(number)")
    }
  }

  @Test("Texts that look personal are counted beside many numbers of their field that do not")
  func mixedField() {
    var field = AnonymisationReport.Field()
    for _ in 0..<100 { field.note([], inNumber: true) }
    for _ in 0..<10 { field.note(PersonalKinds.phone) }
    field.note(PersonalKinds.date, inNumber: true)
    field.addNumbers()
    #expect(field.phones == 10 && field.dates == 0)
  }

  @Test("A key has 16 bytes at least and is not constant, and shows none of them")
  func keys() throws {
    #expect(throws: AnonymisationError.self) { try AnonymisationKey("short") }
    #expect(throws: AnonymisationError.self) { try AnonymisationKey("0123456789abcde\n  \n") }
    #expect(throws: AnonymisationError.self) { try AnonymisationKey(Data(count: 32)) }
    #expect(throws: AnonymisationError.self) {
      try AnonymisationKey(Data(count: 32).base64EncodedString())
    }
    #expect(throws: AnonymisationError.self) {
      try AnonymisationKey(String(repeating: "abc", count: 20))
    }
    let key = try AnonymisationKey("0123456789abcdef\n")
    #expect("\(key)" == "AnonymisationKey")
    #expect(String(reflecting: key) == "AnonymisationKey")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("48"))
  }
}

extension UUID {
  /// A UUID of version 4.
  init(random: inout SeededGenerator) {
    var bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension PersonalKinds {
  /// Searches the texts in bytes.
  fileprivate init(in data: Data) {
    self = Self.texts(in: data).reduce(into: []) { $0.formUnion(PersonalKinds(in: $1)) }
  }
}
