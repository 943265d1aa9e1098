import Foundation
import RecordModel
import RecordPlatform
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Pseudonyms")
struct CipherTests {
  static func key(_ seed: UInt8 = 1) throws -> AnonymisationKey {
    try AnonymisationKey((0..<32).map { $0 &* 7 &+ seed })
  }

  private static func cipher(
    _ seed: UInt8 = 1, keeping kept: [String] = []
  ) throws -> IdentifierCipher {
    let key = try key(seed)
    return IdentifierCipher(key, WordCipher(key), keeping: kept.map { NamePattern($0) })
  }

  private static func texts(_ seed: UInt8 = 1) throws -> TextCipher {
    let key = try key(seed)
    let words = WordCipher(key)
    return TextCipher(key, words, IdentifierCipher(key, words, keeping: []))
  }

  // MARK: Names

  @Test(
    "All names of a format become all names of the format",
    arguments: [("", 2), ("a", 1), ("Ж", 1), ("_", 1), ("#-", 1)])
  func isPermutation(_ opening: String, _ letters: Int) throws {
    let cipher = try Self.cipher()
    let alphabet = (0..<26).map { String(UnicodeScalar(0x61 + UInt8($0))) }
    var names = [opening]
    for _ in 0..<letters { names = names.flatMap { name in alphabet.map { name + $0 } } }
    names = names.flatMap { name in (0...9).map { "\(name)\($0)" } }
    let pseudonyms = Set(names.map(cipher.pseudonym))
    // The letters of the opening are replaced, too.
    #expect(pseudonyms.count == names.count)
    if !opening.unicodeScalars.contains(where: { ScalarClass.member($0) != nil }) {
      #expect(pseudonyms == Set(names))
    }
    #expect(names.count { cipher.pseudonym(of: $0) == $0 } <= 8)
  }

  @Test("UUIDs become UUIDs of the same version, variant and case, all of them different")
  func uuids() throws {
    let cipher = try Self.cipher()
    var random = SeededGenerator(7)
    var seen: Set<String> = []
    for _ in 0..<8_000 {
      let uuid = UUID(random: &random).uuidString
      let name = random.chance(2) ? uuid : uuid.lowercased()
      let pseudonym = cipher.pseudonym(of: name)
      #expect(seen.insert(pseudonym).inserted)
      #expect(UUID(uuidString: pseudonym) != nil && pseudonym != name)
      #expect((pseudonym.uppercased() == pseudonym) == (name.uppercased() == name))
      let (old, new) = (Array(uuid), Array(pseudonym.uppercased()))
      #expect(old[14] == new[14])
      #expect(Int(String(old[19]), radix: 16)! >> 2 == Int(String(new[19]), radix: 16)! >> 2)
    }
    #expect(cipher.pseudonym(of: "Share-" + seen.first!).hasPrefix("Share-"))
  }

  @Test("Addresses in scripts without a class never get the same pseudonym")
  func addressesInOtherScripts() throws {
    let cipher = try Self.cipher()
    // Inuktitut has no class.
    let letters = (0x1401...0x1500).compactMap { Unicode.Scalar($0) }.map { String($0) }
    for form in ["%@x.com", "a@%.com", "%"] {
      let names = letters.map { form.replacingOccurrences(of: "%", with: $0) }
      #expect(Set(names.map(cipher.pseudonym)).count == names.count, "\(form)")
    }
    let words = WordCipher(try Self.key())
    #expect(Set(letters.map(words.name)).count == letters.count)
  }

  @Test("A UUID in a name becomes the same one as by itself")
  func uuidsInNames() throws {
    let cipher = try Self.cipher()
    let uuid = "6B29FC40-CA47-1067-B31D-00DD010662DA"
    let alone = cipher.pseudonym(of: uuid)
    let address = cipher.pseudonym(of: "user-\(uuid)@tact.app")
    #expect(address.contains("-\(alone)@") && !address.contains("tact"))
    let inside = cipher.pseudonym(of: "chat-\(uuid)-\(uuid)/7")
    #expect(inside.contains("-\(alone)-\(alone)/"))
    #expect(!inside.hasPrefix("chat"))
  }

  @Test("Names that are kept stay, and no other name becomes one of them")
  func keptNames() throws {
    let cipher = try Self.cipher(keeping: ["a?", "settings", "b[0-4]"])
    let all = (0..<26).flatMap { letter in
      (0...9).map { "\(UnicodeScalar(0x61 + UInt8(letter)))\($0)" }
    }
    #expect(Set(all.map(cipher.pseudonym)) == Set(all))
    for name in all where name.hasPrefix("a") { #expect(cipher.pseudonym(of: name) == name) }
    #expect(cipher.pseudonym(of: "settings") == "settings")
    for name in IdentifierCipher.wellKnown { #expect(cipher.pseudonym(of: name) == name) }
  }

  @Test("Pseudonyms are those of version 1, for ever")
  func golden() throws {
    let cipher = try Self.cipher()
    let texts = try Self.texts()
    let words = WordCipher(try Self.key())
    let found = [
      cipher.pseudonym(of: "6B29FC40-CA47-1067-B31D-00DD010662DA"),
      cipher.pseudonym(of: "_0123456789abcdef0123456789abcdef"),
      cipher.pseudonym(of: "Chat-00042"), cipher.pseudonym(of: "ᏣᎳᎩ"),
      words.name("Anna-Lena Gößwein"), words.name("Жанна"), words.email("anna.k@tact.app") ?? "",
      texts.phone("+49 (170) 123-4567") ?? "", texts.url("https://tact.app:8080/a/b?c=d#e") ?? "",
      texts.text("Hello, Anna 42! Привет 你好 🙂"), "\(texts.number(Int64(-1234)))",
      "\(texts.number(12.375))",
    ]
    #expect(
      found == [
        "87E4F5B9-BB2C-1292-9AB9-360508F51384", "_9a69a1b177aa39a2033eae3577bd774d", "Xryb-39453",
        "ᏍᎨᏎ", "Afju-Juni VêÚcuij", "Мслкк", "afju.l@sokj.ikc.example",
        "+49 (653) 446-8752", "https://sokj.ikc.example:8080/i/w?v=k#u",
        "Ldzfh, Bjqr 81! Жйулгю 嬅倪 🙊", "-8249", "43.373",
      ])
  }

  @Test("With another key, everything has another pseudonym")
  func otherKey() throws {
    let (one, two) = (try Self.cipher(1), try Self.cipher(2))
    for name in ["6B29FC40-CA47-1067-B31D-00DD010662DA", "chat-000042", "Notes and more"] {
      #expect(one.pseudonym(of: name) != two.pseudonym(of: name))
    }
    #expect(try Self.texts(1).text("Hello there") != Self.texts(2).text("Hello there"))
  }

  @Test("A word is the same in a first name, a full name and an email address, in any case")
  func wordsAreConsistent() throws {
    let words = WordCipher(try Self.key())
    let anna = words.name("Anna")
    #expect(words.name("Anna Kowalska").hasPrefix(anna + " "))
    #expect(words.name("ANNA") == anna.uppercased())
    #expect(words.name("anna") == anna.lowercased())
    let address = try #require(words.email("anna.kowalska@tact.app"))
    #expect(address.hasPrefix(anna.lowercased() + "."))
    #expect(address.hasSuffix(".example"))
    #expect(try Self.cipher().pseudonym(of: "anna.kowalska@tact.app") == address)
  }

  // MARK: Texts

  @Test("Text has the same length, the same scripts and the same spaces")
  func textKeepsItsForm() throws {
    let texts = try Self.texts()
    let samples = [
      "Hello, World! 123", "Grüße aus Köln", "Привет, мир", "你好，世界", "こんにちは カタカナ", "안녕하세요",
      "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया", "สวัสดีชาวโลก", "🙂👍🏽 🇩🇪", "ᏣᎳᎩ", "e\u{301}te\u{301}",
      "Αθήνα", "ქართული", "Việt Nam", "", "\n\t —",
    ]
    for text in samples {
      let covered = texts.text(text)
      #expect(covered.unicodeScalars.count == text.unicodeScalars.count, "\(text)")
      #expect(covered.utf8.count == text.utf8.count, "\(text)")
      for (old, new) in zip(text.unicodeScalars, covered.unicodeScalars) {
        #expect(UTF8.width(old) == UTF8.width(new))
        #expect(ScalarClass.isSeparator(old) == ScalarClass.isSeparator(new))
        if let member = ScalarClass.member(old) {
          #expect(ScalarClass.member(new)?.classIndex == member.classIndex)
          #expect(ScalarClass.member(new)?.isCapital == member.isCapital)
        }
      }
      #expect(covered == texts.text(text))
      #expect(Redaction.text(text).utf8.count == text.utf8.count)
    }
  }

  @Test("The table of scalars has the first class that each is in")
  func table() throws {
    var random = SeededGenerator(8)
    for _ in 0..<3000 {
      let value = UInt32(0x80 + random.below(0x10000 - 0x80))
      guard let scalar = Unicode.Scalar(value) else { continue }
      let (member, found) = (ScalarClass.member(scalar), ScalarClass.search(value))
      #expect(member?.classIndex == found?.classIndex)
      #expect(member?.index == found?.index)
      #expect(member?.isCapital == found?.isCapital)
    }
  }

  @Test("Text has no address and no vowel")
  func textHasNoAddress() throws {
    let covered = try Self.texts().text("Write to Anna: anna@tact.app")
    #expect(!covered.contains("@"))
    #expect(!covered.lowercased().contains { "aeiou".contains($0) })
  }

  @Test("Every scalar of a class is assigned, and has the length of the others in UTF-8")
  func classes() throws {
    for (index, one) in ScalarClass.all.enumerated() {
      for isCapital in [false, true] {
        let scalars = (0..<one.count).map {
          ScalarClass.scalar(
            .init(classIndex: UInt8(index), index: $0, isCapital: isCapital))
        }
        #expect(Set(scalars.map(UTF8.width)).count == 1)
        let unassigned = scalars.filter { $0.properties.generalCategory == .unassigned }
        #expect(unassigned == [])
        // Each is found in its own class, the first and last of large ones.
        let some = scalars.count > 2000 ? Array(scalars.prefix(99) + scalars.suffix(99)) : scalars
        let found = some.map { ScalarClass.member($0)?.classIndex }
        #expect(found.allSatisfy { $0 == UInt8(index) })
        #expect(Set(scalars).count == scalars.count)
      }
    }
  }

  // MARK: Addresses

  @Test("Phone numbers keep their form and country code, and their digits their order in any form")
  func phones() throws {
    let texts = try Self.texts()
    let plain = try #require(texts.phone("+491701234567"))
    let spaced = try #require(texts.phone("+49 (170) 123-4567"))
    #expect(spaced.hasPrefix("+49 ("))
    #expect(plain.hasPrefix("+49") && plain != "+491701234567")
    #expect(spaced.filter(\.isNumber) == plain.filter(\.isNumber))
    #expect(spaced.map { $0.isNumber ? "0" : $0 } == "+00 (000) 000-0000".map { $0 })
    #expect(try #require(texts.phone("+1 555 010 1234")).hasPrefix("+1 "))
    for text in ["", "12345", "+49 170 CALL ME", "1+234567", "1234567890123456"] {
      #expect(texts.phone(text) == nil, "\(text)")
    }
  }

  @Test("URLs keep scheme, port and form, and have a host that nobody has")
  func urls() throws {
    let texts = try Self.texts()
    let url = try #require(texts.url("https://mira:pass@www.tact.app:8443/u/mira?id=7#top"))
    #expect(url.hasPrefix("https://") && url.contains(".example:8443/"))
    for word in ["mira", "pass", "tact", "top"] { #expect(!url.contains(word)) }
    #expect(
      url.filter { "/?=#@:".contains($0) } == "://:@://?=#".filter { "/?=#@:".contains($0) }
        || url.count { $0 == "/" } == 4)
    let escaped = try #require(texts.url("http://[2001:db8::1]:80/caf%C3%A9?q=%41"))
    #expect(URL(string: escaped) != nil && escaped.contains(".example:80/"))
    #expect(!escaped.contains("%41") && !escaped.contains("2001"))
    #expect(texts.url("no url") == nil)
    #expect(texts.url("://x") == nil)
    #expect(texts.url("file:///private/var")?.hasPrefix("file:///") == true)
  }

  @Test("Numbers keep sign and digits, and different numbers stay different")
  func numbers() throws {
    let texts = try Self.texts()
    #expect(texts.number(Int64(0)) == 0 && texts.number(0.0) == 0)
    let negative: [Int64] = (-9 ... -1).map { $0 }
    #expect(Set(negative.map { texts.number($0) }) == Set(negative))
    #expect(texts.number(0.001) < 0.01)
    for value in [7, -7, 42, 999, -1000, Int64.max, Int64.min, 1_700_000_000] as [Int64] {
      let other = texts.number(value)
      #expect(String(other).count == String(value).count)
      #expect((other < 0) == (value < 0))
    }
    #expect(Set((100...999).map { texts.number(Int64($0)) }) == Set(100...999))
    for value in [0.5, 12.375, -1.5e300, .leastNonzeroMagnitude, 1e22, 3, .infinity] as [Double] {
      let other = texts.number(value)
      #expect(other.isFinite == value.isFinite && (other < 0) == (value < 0))
      #expect(value.isInfinite || "\(other)".count <= "\(value)".count + 1)
    }
  }

  // MARK: Contents

  @Test(
    "Bytes become bytes of the same size that begin as their format does",
    arguments: [
      "%PDF-1.7 abc", "GIF89a;;;;", "bplist00xyz", "plain text, really", "{\"a\": 1}", "[1]", "x",
      "",
    ])
  func contents(_ text: String) throws {
    for size in [text.utf8.count, 5000] {
      let content = Array(text.utf8).withUnsafeBytes {
        CoverContent(replacing: $0, size: size, seed: 7)
      }
      var chunks: [UInt8] = []
      content.forEachChunk(of: 104) { chunks += $0 }
      #expect(chunks.count == size && Data(chunks) == content.data)
      #expect(
        content.sha256.description == chunks.withUnsafeBytes { SHA256Digest(of: $0).description })
      switch content.kind {
      case .format(let opening): #expect(chunks.starts(with: opening) || size < opening.count)
      case .json:
        #expect(
          (try? JSONSerialization.jsonObject(with: Data(chunks), options: .fragmentsAllowed)) != nil
        )
      default: #expect(chunks.allSatisfy { $0 == 0x20 || 0x61...0x7A ~= $0 })
      }
    }
  }

  @Test(
    "Images become images",
    arguments: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF, 0xE0]]
      as [[UInt8]])
  func images(_ opening: [UInt8]) {
    for size in [5, 90, 300, 70_000] {
      let content = opening.withUnsafeBytes { CoverContent(replacing: $0, size: size, seed: 7) }
      let data = content.data
      #expect(data.count == size && data.starts(with: opening.prefix(min(size, 3))))
      guard size >= 300 else { continue }
      let end: [UInt8] = opening[0] == 0xFF ? [0xFF, 0xD9] : [0xAE, 0x42, 0x60, 0x82]
      #expect(data.suffix(end.count) == Data(end))
    }
  }

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

  @Test("A key has 16 bytes at least, and shows none of them")
  func keys() throws {
    #expect(throws: AnonymisationError.self) { try AnonymisationKey("short") }
    #expect(throws: AnonymisationError.self) { try AnonymisationKey("0123456789abcde\n  \n") }
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
