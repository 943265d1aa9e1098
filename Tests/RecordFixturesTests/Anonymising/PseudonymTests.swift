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

  @Test("Change tags depend on the zone, the record and its tag, and are numbers in base 36")
  func changeTags() throws {
    let pseudonyms = try Self.pseudonyms()
    let (a, b) = (RecordID(recordName: "a"), RecordID(recordName: "b"))
    let tags = [("1", a, 0), ("2", a, 0), ("1", b, 0), ("1", a, 1)].map {
      pseudonyms.changeTag($0, of: $1, zone: $2)
    }
    #expect(Set(tags).count == 4)
    for tag in tags { #expect((ChangeTag.change(of: tag) ?? .max) < 1 << 53) }
  }

  @Test("Pseudonyms are those of version 1, for ever")
  func golden() throws {
    let pseudonyms = try Self.pseudonyms()
    var values = MadeUpValues(seed: 42)
    let found = [
      pseudonyms.name("6B29FC40-CA47-1067-B31D-00DD010662DA", .record),
      pseudonyms.name("_0123456789abcdef0123456789abcdef", .user),
      pseudonyms.name("ᏣᎳᎩ", .zone),
      pseudonyms.changeTag("1a", of: RecordID(recordName: "a"), zone: 0),
      "\(pseudonyms.seed("email", of: "mira@tact.app"))", values.text(), values.name(),
      values.email(), values.phone(), values.url(), "\(values.integer())", "\(values.double())",
      "\(values.date().timeIntervalSince1970)",
    ]
    #expect(
      found == [
        "BE40810C-93B2-423D-AC4E-3E90B0469E00", "_889a8acb678315fbb3bf8a78eb972006",
        "D0622C90-45BB-40AF-951D-64F741A7EBC3", "qjfylvl8fx", "2819231372178460249",
        "Sit father golden.", "Amir Taylor", "felix.silva.405937935@mail.example",
        "+44 20 7946 0245", "https://www.example/mother/698643469", "203", "103.57",
        "1576459290.0",
      ])
  }

  @Test("Numbers keep their order, and have nothing else in common")
  func order() throws {
    let pseudonyms = try Self.pseudonyms()
    let cents: [Double] = (1...20_000).map { Double($0) / 100 }
    let small: [Double] = (-2000...2000).map { Double($0) }
    let large: [Double] = (0..<3000).map { 1e9 + Double($0) * 997 }
    for numbers in [small, cents, large] {
      let new = numbers.map { pseudonyms.ordered($0, "f") }
      #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 })
      let whole = new.map { Int64($0.rounded()) }
      #expect(numbers[0] == 0.01 || Set(whole).count == numbers.count)
      // A factor would be the common divisor of all, and the ratio of each.
      func divisor(_ a: Int64, _ b: Int64) -> Int64 { b == 0 ? abs(a) : divisor(b, a % b) }
      #expect(whole.reduce(0, divisor) == 1)
      let ratios: [Double] = zip(numbers, new).map { $0 == 0 ? 0 : (1e6 * $1 / $0).rounded() }
      #expect(Set(ratios).count > 500)
    }
    #expect(pseudonyms.ordered(5.0, "f") != pseudonyms.ordered(5.0, "g"))
    for number in [0, .infinity, -.infinity, 1e-310] as [Double] {
      #expect(pseudonyms.ordered(number, "f") == number)
    }
    #expect(pseudonyms.ordered(Double.nan, "f").isNaN)
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
      for size in [0, 1, 3, 90, 513, 767, 1024, 5000, 70_001] {
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
    "Personal data is found in text and bytes, and other things are not",
    arguments: [
      ("at 52.5200, 13.4050", [.place]), ("2024-01-31", [.date]), ("31.1.1974", [.date]),
      ("born 1974", [.date]), ("version 1.2.3", []), ("room 1974", []), ("0.5 1.5", []),
      ("mira@tact.app", [.email]), (#"{"lat":48.137154,"lon":11.576124}"#, [.place]),
      ("1984", [.date]), ("19740303", [.date]), ("1974/03/03", [.date]), ("3-3-1974", [.date]),
      ("3 March 1974", [.date]), ("March 3rd, 1974", [.date]), ("3. März 1974", [.date]),
      ("3 de marzo de 1974", [.date]), ("le 1er août 1974", [.date]), ("3 марта 1974", [.date]),
      ("1974年3月3日", [.date]), ("03.03.74", [.date]), ("5 maps 12", []), ("11 items", []),
      ("card 4111 1111 1111 1111", [.card]), ("5500-0000-0000-0004", [.card]),
      ("340000000000009", [.card]), ("4111 1111 1111 1112", []), ("1234567890123456", []),
      ("DE89 3704 0044 0532 0130 00", [.iban]), ("GB82WEST12345698765432", [.iban]),
      ("DE88 3704 0044 0532 0130 00", []), ("078-05-1120", [.socialSecurity]),
      ("000-12-3456", []), ("666-12-3456", []), ("912-34-5678", []),
      ("192.168.17.4", [.ipAddress]), ("1.2.3", []), ("256.1.1.1", []),
      ("from 2001:db8:85a3::8a2e:370:7334.", [.ipAddress]), ("fe80::1ff:fe23:4567", [.ipAddress]),
      ("std::vector", []), ("12:30:45", []), ("a::b", []),
      ("00:1A:2B:3C:4D:5E", [.macAddress]), ("00-1a-2b-3c-4d-5e", [.macAddress]),
      ("00:1A:2B:3C", []), ("12 Main Street", [.street]), ("Hauptstraße 5", [.street]),
      ("5 rue de la Paix", [.street]), ("Calle Mayor 3", [.street]), ("ул. Ленина, 5", [.street]),
      ("P.O. Box 123", [.street]), ("3 open tasks", []), ("/Users/mira/Notes", [.path]),
      ("/home/kenji", [.path]), (#"C:\Users\Mira\a.txt"#, [.path]), ("/Users/Shared/x", []),
      ("mira%40tact.app", [.email]), ("mira (at) tact.app", [.email]),
      ("mira [at] tact [dot] app", [.email]), ("mira&#64;tact.app", [.email]),
      ("mira at tact dot app", [.email]), ("bWlyYUB0YWN0LmFwcA==", [.email]),
      ("6d69726140746163742e617070", [.email]), ("look at this dot", []),
    ] as [(String, Set<PersonalKind>)])
  func kinds(_ text: String, _ kinds: Set<PersonalKind>) {
    #expect(PersonalKind.all(in: text) == kinds)
    #expect(PersonalKind.all(in: Data(text.utf8)) == kinds)
    if text.utf8.count >= 6, text.allSatisfy(\.isASCII) {
      #expect(PersonalKind.all(in: Data([0xFF, 0x00]) + Data(text.utf8) + Data([0x80])) == kinds)
      #expect(PersonalKind.all(in: Data([0xFF]) + Data(text.utf8.flatMap { [0, $0] })) == kinds)
    }
  }

  @Test("Only the comments of a schema are searched")
  func schemaComments() {
    let schema = "DEFINE // a, b\nGRANT -- c\r\n/* d\ne */ RECORD TYPE A (x-y STRING) // f"
    let (code, comments) = SchemaComments.split(schema)
    #expect(comments.filter { $0.isLetter } == "abcdef")
    #expect(code == "DEFINE \nGRANT \n RECORD TYPE A (x-y STRING) ")
  }

  @Test("Numbers that look personal are found")
  func personalNumbers() {
    for (number, kind) in [
      (1974, [.date]), (19_740_131, [.date]), (1_700_000_000, [.date]),
      (1_700_000_000_123, [.date]), (4_917_012_345_678, [.phone]), (7, []), (12_345, []),
      (4_111_111_111_111_111, [.card]), (4_111_111_111_111_112, []),
    ] as [(Int64, Set<PersonalKind>)] {
      #expect(PersonalKind.all(in: number) == kind, "\(number)")
    }
    for (number, kind) in [
      (52.52001, [.place]), (-122.41942, [.place]), (0.33333, []), (19.99, []),
      (1_700_000_000.5, [.date]), (200.12345, []),
    ] as [(Double, Set<PersonalKind>)] {
      #expect(PersonalKind.all(in: number) == kind, "\(number)")
    }
  }

  @Test("Texts that look personal are counted beside many numbers of their field that do not")
  func mixedField() {
    var field = AnonymisationReport.Field()
    for _ in 0..<100 { field.note([], inNumber: true) }
    for _ in 0..<10 { field.note([.phone]) }
    field.note([.date], inNumber: true)
    field.addNumbers()
    #expect(field.found == [.phone: 10])
  }

  @Test(
    "A key is the digits of 32 random bytes; what can be guessed is rejected",
    arguments: [
      "CorrectHorseBatteryStaple2026CorrectHorseBat", "short", "acme-2026",
      "0123456789abcdef0123456789abcdef",
      "correct horse battery staple is long",
      "the-key-of-an-example-is-no-secret-at-all", "0123456789abcde\n  \n",
      Data(count: 32).base64EncodedString(), String(repeating: "0123456789abcdef", count: 4),
      String(repeating: "AbC0", count: 20),
      "# A page of a repository with 32 bytes and more than that",
      "onlysmalllettersthatarebase64onlysmallletters",
      Data((0..<18).map { $0 &* 7 }).base64EncodedString(),
    ])
  func weakKeys(_ text: String) {
    #expect(throws: AnonymisationError.self) { try AnonymisationKey(text) }
  }

  @Test("A made key is read, with white space at its end and as hexadecimal, and shows none of it")
  func keys() throws {
    #expect(throws: AnonymisationError.self) { try AnonymisationKey(Data(count: 32)) }
    #expect(throws: AnonymisationError.self) { try AnonymisationKey((0..<16).map { $0 }) }
    let made = AnonymisationKey.random()
    #expect(made != AnonymisationKey.random() && Data(base64Encoded: made)?.count == 32)
    let (one, two) = (try AnonymisationKey(made), try AnonymisationKey(made + " \r\n"))
    #expect(Pseudonyms(one).name("a", .record) == Pseudonyms(two).name("a", .record))
    let secret = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    _ = try AnonymisationKey(secret.map { String(format: "%02x", $0) }.joined())
    _ = try AnonymisationKey(
      Data(secret).base64EncodedString().replacingOccurrences(of: "=", with: ""))
    let key = try AnonymisationKey(made)
    #expect("\(key)" == "AnonymisationKey" && String(reflecting: key) == "AnonymisationKey")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("\(Array(made.utf8)[0])"))
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

extension PersonalKind {
  /// Searches the texts in bytes.
  fileprivate static func all(in data: Data) -> Set<PersonalKind> {
    texts(in: data).reduce(into: []) { $0.formUnion(all(in: $1)) }
  }
}
