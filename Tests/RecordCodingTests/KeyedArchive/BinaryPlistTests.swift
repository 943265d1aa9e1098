import Foundation
import Testing

@testable import RecordCoding

@Suite("Binary property lists")
struct BinaryPlistTests {
  private func roundTrip(_ object: BinaryPlist.Object) throws -> BinaryPlist.Object {
    let data = BinaryPlist(objects: [object], top: 0).encoded()
    let read = try BinaryPlist(decoding: data)
    #expect(read.encoded() == data)
    return read.objects[0]
  }

  @Test(
    "integers of every width come back",
    arguments: [
      0, 1, 127, 128, 255, 256, 65_535, 65_536, 0xFFFF_FFFF, 0x1_0000_0000, .max, -1, -128, .min,
    ] as [Int64])
  func integers(value: Int64) throws {
    guard case .integer(value) = try roundTrip(.integer(value)) else {
      Issue.record("\(value) came back as something else")
      return
    }
  }

  @Test("integers over Int64.max are read from sixteen bytes")
  func unsigned() throws {
    guard case .unsigned(.max) = try roundTrip(.unsigned(.max)) else {
      Issue.record("UInt64.max came back as something else")
      return
    }
    let small = KeyedArchiveSamples.plist([[0x14] + [UInt8](repeating: 0, count: 15) + [7]])
    guard case .integer(7) = try BinaryPlist(decoding: small).objects[0] else {
      Issue.record("a sixteen-byte 7 is not 7")
      return
    }
    let negative = KeyedArchiveSamples.plist([[0x14] + [UInt8](repeating: 0xFF, count: 16)])
    guard case .integer(-1) = try BinaryPlist(decoding: negative).objects[0] else {
      Issue.record("a sixteen-byte -1 is not -1")
      return
    }
    let tooWide = KeyedArchiveSamples.plist([[0x14, 1] + [UInt8](repeating: 0, count: 15)])
    #expect(throws: RecordCodingError.self) { try BinaryPlist(decoding: tooWide) }
  }

  @Test(
    "strings come back scalar for scalar",
    arguments: [
      "", "ASCII", "fourteen chars", "fifteen chars!!",
      NamedText("70,000 letters", String(repeating: "x", count: 70_000)),
      "Tester’s iPhone", "e\u{301}", "\u{E9}", "👩‍👩‍👧", NamedText("U+0000 U+0001", "\u{0}\u{1}"),
    ] as [NamedText])
  func strings(_ named: NamedText) throws {
    let text = named.text
    guard case .string(let read) = try roundTrip(.string(text)) else {
      Issue.record("a string came back as something else")
      return
    }
    #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test("a lone surrogate survives without being taken for text")
  func loneSurrogate() throws {
    guard case .malformedString([0x61, 0xD83D]) = try roundTrip(.malformedString([0x61, 0xD83D]))
    else {
      Issue.record("the units of a malformed string changed")
      return
    }
  }

  @Test("reals, dates, data and references come back bit for bit")
  func others() throws {
    let doubles = [0, -0.0, 597455141.68, .infinity, .leastNonzeroMagnitude]
    for value in doubles {
      guard case .real(let real) = try roundTrip(.real(value)),
        case .date(let date) = try roundTrip(.date(value)),
        case .float(let float) = try roundTrip(.float(Float(value)))
      else {
        Issue.record("\(value) came back as something else")
        return
      }
      #expect(real.bitPattern == value.bitPattern)
      #expect(date.bitPattern == value.bitPattern)
      #expect(float.bitPattern == Float(value).bitPattern)
    }
    for value: UInt64 in [0, 255, 256, 65_536, .max] {
      guard case .uid(value) = try roundTrip(.uid(value)) else {
        Issue.record("reference \(value) came back as something else")
        return
      }
    }
    let bytes = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    guard case .data(bytes) = try roundTrip(.data(bytes)) else {
      Issue.record("data came back as something else")
      return
    }
  }

  @Test("containers keep the order of what they hold")
  func containers() throws {
    let objects: [BinaryPlist.Object] = [
      .array([1, 2, 3, 4]), .set([6, 5]), .orderedSet([5, 6, 5]),
      .dictionary([.init(key: 6, value: 7), .init(key: 5, value: 4)]), .null, .string("a"),
      .string("b"), .bool(true),
    ]
    let data = BinaryPlist(objects: objects, top: 0).encoded()
    let read = try BinaryPlist(decoding: data)
    #expect(read.encoded() == data)
    #expect(read.objects.map(\.children) == objects.map(\.children))
    #expect(read.objects.map(\.kind) == objects.map(\.kind))
  }

  @Test("more than 255 objects take wider references")
  func manyObjects() throws {
    for count in [254, 255, 256, 70_000] {
      let numbers = (0..<count).map { BinaryPlist.Object.integer(Int64($0)) }
      let refs = (1...count).map { BinaryPlist.Ref($0) }
      let data = BinaryPlist(objects: [.array(refs)] + numbers, top: 0).encoded()
      let read = try BinaryPlist(decoding: data)
      #expect(read.objects[0].children == refs)
      #expect(read.encoded() == data)
    }
  }

  @Test(
    "what Apple's frameworks wrote comes out byte for byte",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func samples(name: String) throws {
    let data = try KeyedArchiveSamples.data(name)
    let same = try BinaryPlist(decoding: data).encoded() == data
    #expect(same)
  }

  @Test(
    "leaving out unused objects leaves the list the same",
    .enabled(if: KeyedArchiveSamples.arePresent && hasPython, "no samples or no python3"),
    arguments: KeyedArchiveSamples.all)
  func compacting(name: String) async throws {
    let data = try KeyedArchiveSamples.data(name)
    // Apple's writer leaves objects in the table that nothing refers to.
    let compacted = try BinaryPlist(decoding: data).sorted().encoded()
    #expect(compacted.count < data.count)
    let script = "import plistlib, sys; print(plistlib.loads(sys.stdin.buffer.read()))"
    let before = try await Command("python3", "-c", script, input: data).output
    #expect(before.count > 1_000)
    #expect(try await Command("python3", "-c", script, input: compacted).output == before)
  }

  @Test("Foundation reads what is written, and we read what Foundation writes")
  func foundation() throws {
    let value: [String: any Sendable] = [
      "text": "é", "number": 5, "list": [1, 2, 3], "data": Data([1, 2]), "yes": true,
    ]
    let theirs = try PropertyListSerialization.data(
      fromPropertyList: value, format: .binary, options: 0)
    let ours = try BinaryPlist(decoding: theirs).sorted().encoded()
    let back = try PropertyListSerialization.propertyList(from: ours, format: nil)
    #expect(back as? NSDictionary == value as NSDictionary)
  }
}
