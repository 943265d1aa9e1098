import RecordSchema
import TestSupport
import Testing

@testable import AppModel

@Suite("Source code that is not Swift")
struct HostileSourceTests {
  private static let seedText = #"""
    import CloudKit
    /* a /* b */ */
    struct Note { static let key = "k", other = #"o"#
      enum Field: String { case title, text = "t" }
      func f(record: CKRecord?, _ db: CKDatabase) async throws -> CKRecord {
        record?["a\(record!["b"] ?? /x"y/)"] = 1
        let new = CKRecord(recordType: "Note", recordID: id)
        for (id, result) in try await db.records(for: ids) {
          if case .success(let r) = result { r[Field.text.rawValue] = """
            a \(r["q"])
            """ }
        }
        records.map { $0.encryptedValues["e"] }
        return new // recordpack:allow FIELD_NOT_DEPLOYED reason
      }
    }
    """#

  private func scan(_ bytes: [UInt8]) -> SourceUses {
    SourceScan(files: [("a.swift", bytes)], named: "a").uses
  }

  @Test("any change of bytes is scanned, and all places are in the file")
  func mutations() {
    let source = Array(Self.seedText.utf8)
    let pieces = [
      "\"", "\"\"\"", "#", "\\(", "(", ")", "{", "}", "[", "]", "/", "/*", "*/", "<", "\n",
    ]
    for seed in SeededGenerator.seeds(250) {
      var random = SeededGenerator(seed)
      var bytes = source
      for _ in 0...random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + random.below(40)))
        default: bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      let (tokens, comments) = SwiftLexer.read(bytes)
      #expect(tokens.allSatisfy { $0.offset >= 0 && $0.offset + $0.length <= bytes.count })
      #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.offset < $1.offset }, "\(seed)")
      #expect(comments.allSatisfy { $0.offset + $0.length <= bytes.count })
      let uses = scan(bytes)
      #expect(uses.uses.allSatisfy { $0.location.span.endOffset <= bytes.count })
    }
  }

  @Test("bytes at random are scanned")
  func randomBytes() {
    for seed in SeededGenerator.seeds(100) {
      var random = SeededGenerator(seed)
      _ = scan((0..<500).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
  }

  @Test(
    "deep and long code takes linear time",
    arguments: [
      "(", "{", "[", "\"\\(", "/*", "#", "#/", "#/\n", "/\\/", "a.", "a??", "if let a = ",
      "func f(",
      "class A ", "struct A {", "let a: A<", "for a in ", "case .success(let a) = ", "switch a ",
      "record[", "CKRecord(recordType: ", "NSPredicate(format: ", "{ a, ", "\"", "#\"\"\"", "let (",
    ])
  func depth(_ piece: String) {
    let bytes = Array(("let record: CKRecord\n" + String(repeating: piece, count: 2_000)).utf8)
    let time = ThreadTime.measure { _ = scan(bytes) }
    #expect(time < .seconds(10), "\(time)")
  }
}
