import Foundation
import Testing

@testable import RecordCoding

@Suite("Damaged and hostile property lists")
struct BinaryPlistDamageTests {
  private typealias Samples = KeyedArchiveSamples

  private func failure(_ data: Data) -> RecordCodingError? {
    #expect(throws: RecordCodingError.self) { try BinaryPlist(decoding: data) }
  }

  @Test("what is no binary property list says what it is")
  func foreign() {
    #expect(failure(Data()) == .notPropertyList(found: "no bytes"))
    #expect(
      failure(Data([0xFF, 0xD8, 0xFF, 0xE0]))
        == .notPropertyList(found: "bytes that start with 0xff 0xd8 0xff 0xe0"))
    #expect(
      failure(Data("<?xml version=\"1.0\"?><plist/>".utf8))
        == .notPropertyList(
          found: "an XML document, which `plutil -convert binary1` converts"))
    #expect(
      failure(Data("bplist15 and more".utf8))
        == .notPropertyList(
          found: "a binary property list of an unsupported version (0x31 0x35)"))
    #expect("\(RecordCodingError.notPropertyList(found: "no bytes"))".contains("bplist00"))
  }

  @Test("a trailer that lies is refused")
  func trailers() {
    let object: [UInt8] = [0x09]
    #expect(
      failure(Samples.plist([object], count: 1 << 60))
        == .tooLarge(
          what: "an object count", found: 1 << 60, limit: 4_000_000))
    for data in [
      Samples.plist([object], offsetSize: 0), Samples.plist([object], refSize: 0),
      Samples.plist([object], offsetSize: 9), Samples.plist([object], refSize: 255),
      Samples.plist([object], count: 0), Samples.plist([object], count: 2),
      Samples.plist([object], top: 1), Samples.plist([object], top: .max),
      Samples.plist([object], table: 0), Samples.plist([object], table: 8),
      Samples.plist([object], table: 10), Samples.plist([object], table: .max),
      Samples.plist([object], offsets: [0]), Samples.plist([object], offsets: [9]),
      Samples.plist([object], offsets: [255]),
    ] {
      guard failure(data)?.code == .malformed else {
        Issue.record("refused, but not as damaged: \([UInt8](data))")
        continue
      }
    }
  }

  @Test("objects that are longer than the file are refused before anything is allocated")
  func hugeCounts() {
    let counts: [[UInt8]] = [
      [0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x12, 0x7F, 0, 0, 0],
    ]
    for marker: UInt8 in [0x4F, 0x5F, 0x6F, 0xAF, 0xBF, 0xCF, 0xDF] {
      for count in counts {
        guard failure(Samples.plist([[marker] + count]))?.code == .malformed else {
          Issue.record("marker \(marker) with count \(count) was not refused as damaged")
          continue
        }
      }
    }
    #expect(failure(Samples.plist([[0x4F, 0x53, 1]])) != nil)
    #expect(failure(Samples.plist([[0x4F]])) != nil)
  }

  @Test("every marker that no object has is refused")
  func markers() {
    let known: Set<UInt8> = [
      0x00, 0x08, 0x09, 0x10, 0x11, 0x12, 0x13, 0x14, 0x22, 0x23, 0x33, 0x80, 0x81, 0x82, 0x83,
      0x84, 0x85, 0x86, 0x87,
    ]
    for marker in UInt8.min...UInt8.max where !known.contains(marker) {
      if [0x4, 0x5, 0x6, 0xA, 0xB, 0xC, 0xD].contains(marker >> 4) { continue }
      #expect(failure(Samples.plist([[marker] + [UInt8](repeating: 0, count: 40)])) != nil)
    }
  }

  @Test("a reference to an object that is not there is refused")
  func danglingReference() {
    let error = failure(Samples.plist([[0xA1, 5]]))
    guard error?.offset == 9, error?.path == "object 0", error?.found == "object 5" else {
      Issue.record("the error does not name the byte, the object and the reference")
      return
    }
  }

  @Test("bytes over 127 in an ASCII string are refused")
  func notASCII() {
    #expect(failure(Samples.plist([[0x51, 0xE9]])) != nil)
  }

  @Test("dictionary keys must be strings, each of its own")
  func keys() {
    #expect(failure(Samples.plist([[0xD1, 1, 1], [0x09]])) != nil)
    #expect(failure(Samples.plist([[0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x51, 0x61]])) != nil)
  }

  @Test("containers that contain themselves are refused")
  func cycles() {
    #expect(failure(Samples.plist([[0xA1, 0]])) == .cyclicReference(path: "object 0"))
    #expect(failure(Samples.plist([[0xA1, 1], [0xC1, 2], [0xA1, 1]])) != nil)
    #expect(failure(Samples.plist([[0xD1, 1, 0], [0x51, 0x61]])) != nil)
    // Also where the top does not reach them.
    #expect(failure(Samples.plist([[0x09], [0xA1, 1]])) == .cyclicReference(path: "object 1"))
  }

  @Test("offsets that all name the same big object do not multiply it")
  func overlaps() {
    let big = [0xAF, 0x11, 0x10, 0x00] + [UInt8](repeating: 0, count: 0x1000)
    let data = Samples.plist(
      [big, [0x09]], offsets: [Int](repeating: 8, count: 200), offsetSize: 2)
    guard failure(data)?.found == "objects larger than the file" else {
      Issue.record("overlapping objects were not refused as such")
      return
    }
  }

  @Test("ten to the power of sixty elements stay sixty small arrays")
  func billionLaughs() throws {
    let levels = 60
    let objects = (0..<levels).map { level in
      BinaryPlist.Object.array([BinaryPlist.Ref](repeating: UInt32(level + 1), count: 10))
    }
    let data = BinaryPlist(objects: objects + [.bool(true)], top: 0).encoded()
    #expect(data.count < 2_000)
    let plist = try BinaryPlist(decoding: data)
    #expect(plist.objects.count == levels + 1)
    #expect(plist.encoded() == data)
    #expect(plist.sorted().encoded() == data)
  }

  @Test("a long key of very many dictionaries is looked at once")
  func sharedKey() throws {
    let key = BinaryPlist.Object.string(String(repeating: "k", count: 1_000_000))
    let entry = BinaryPlist.Entry(key: 0, value: 0)
    let objects = [key] + (0..<50_000).map { _ in BinaryPlist.Object.dictionary([entry]) }
    let data = BinaryPlist(objects: objects, top: 1).encoded()
    #expect(try BinaryPlist(decoding: data).objects.count == 50_001)
  }

  @Test("arrays nested 200,000 deep are read and written without recursion")
  func deepNesting() throws {
    let depth = 200_000
    let objects = (1...depth).map { BinaryPlist.Object.array([BinaryPlist.Ref($0)]) }
    let data = BinaryPlist(objects: objects + [.null], top: 0).encoded()
    let plist = try BinaryPlist(decoding: data)
    #expect(plist.objects.count == depth + 1)
  }

  @Test("limits are kept and named")
  func limits() {
    var many = BinaryPlist(objects: [.array([1, 1]), .bool(true)], top: 0).encoded()
    // The number of objects, in eight bytes of the trailer.
    many.replaceSubrange(many.count - 24..<many.count - 16, with: [0, 0, 0, 0, 0, 0x40, 0, 0])
    #expect(
      failure(many)
        == .tooLarge(
          what: "an object count", found: 4_194_304, limit: 4_000_000))
    let long = Data(count: (16 << 20) + 1)
    #expect(
      failure(long)
        == .tooLarge(
          what: "a size in bytes", found: 16_777_217, limit: 16_777_216))
  }

  @Test(
    "truncated at every byte: an error, never a crash",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func truncated(name: String) throws {
    let data = try Samples.data(name)
    for count in 0..<data.count {
      #expect(throws: RecordCodingError.self, "\(count) bytes") {
        try BinaryPlist(decoding: data.prefix(count))
      }
    }
  }
}
