import Foundation
import Testing

@testable import RecordCoding

@Suite("Keyed archives")
struct KeyedArchiveTests {
  private typealias Samples = KeyedArchiveSamples

  private static let note: [String] = ["Note", "NSObject"]

  private func sample() -> Data {
    var writer = KeyedArchiveWriter()
    writer.add("text", .string("hello"))
    writer.add("count", .integer(3))
    writer.add("yes", .bool(true))
    writer.add("ratio", .real(0.5))
    writer.add("nothing", .null)
    writer.add("when", .date(597455141.68))
    writer.add("bytes", .data(Data([1, 2, 3])))
    writer.add("list", .array([.string("a"), .integer(2), .string("a")]))
    writer.add("set", .mutableSet([.string("b")]))
    writer.add("where", .url("https://example.com/a?b"))
    writer.add(
      "note", .object(class: Self.note, members: [("title", .string("t")), ("n", .integer(1))]))
    return writer.data()
  }

  @Test("every kind of value is read back through its type")
  func values() throws {
    let top = try KeyedArchive(decoding: sample()).top
    #expect(try top.child("text")?.string() == "hello")
    #expect(try top.child("count")?.integer() == 3)
    #expect(try top.child("yes")?.bool() == true)
    #expect(try top.child("ratio")?.double() == 0.5)
    #expect(try top.child("nothing") == nil)
    #expect(try top.child("absent") == nil)
    #expect(try top.child("when")?.date().timeIntervalSinceReferenceDate == 597455141.68)
    #expect(try top.child("bytes")?.data() == Data([1, 2, 3]))
    #expect(
      try top.required("list").elements { $0.object.kind } == [
        "a string", "an integer", "a string",
      ])
    #expect(try top.required("set").elements { try $0.string() } == ["b"])
    #expect(try top.required("where").url() == "https://example.com/a?b")
    let note = try top.required("note").instance(of: "Note")
    #expect(note.keys == ["title", "n"])
    #expect(try note.className() == "Note")
    #expect(try note.child("title")?.string() == "t")
  }

  @Test("the same contents give the same bytes")
  func deterministic() {
    #expect(sample() == sample())
  }

  @Test("python's plistlib reads the same contents", .enabled(if: hasPython))
  func python() async throws {
    let script = """
      import plistlib, sys
      p = plistlib.loads(sys.stdin.buffer.read())
      o = lambda u: p['$objects'][u.data]
      t = p['$top']
      n = o(t['note'])
      print(p['$version'], p['$archiver'], o(t['text']), t['count'], t['yes'], t['nothing'].data,
        o(t['when'])['NS.time'], [o(u) for u in o(t['list'])['NS.objects']],
        o(n['title']), o(n['$class']))
      """
    let output = try await Command("python3", "-c", script, input: sample()).output
    #expect(
      output == """
        100000 NSKeyedArchiver hello 3 True 0 597455141.68 ['a', 2, 'a'] t \
        {'$classes': ['Note', 'NSObject'], '$classname': 'Note'}

        """)
  }

  @Test("a wrong type is named with its path, what was found and what was expected")
  func wrongTypes() throws {
    let top = try KeyedArchive(decoding: sample()).top
    #expect(
      throws: RecordCodingError(
        path: "$top.text", found: "a string", expected: "an integer")
    ) { try top.child("text")?.integer() }
    #expect(throws: RecordCodingError.self) { try top.child("count")?.bool() }
    #expect(throws: RecordCodingError.self) { try top.child("count")?.string() }
    #expect(throws: RecordCodingError.self) { try top.child("text")?.data() }
    #expect(throws: RecordCodingError.self) { try top.child("yes")?.double() }
    #expect(
      throws: RecordCodingError.wrongClass(
        path: "$top.note", found: "Note", expected: ["NSDate"])
    ) { try top.child("note")?.date() }
    #expect(throws: RecordCodingError.missingKey(path: "$top.note", key: "body")) {
      try top.required("note").required("body")
    }
    #expect(throws: RecordCodingError.self) { try top.required("text").elements { $0 } }
  }

  @Test("an object counts as an instance of the classes above its own")
  func superclasses() throws {
    let list = try KeyedArchive(decoding: sample()).top.required("set")
    #expect(try list.classNames() == ["NSMutableSet", "NSSet", "NSObject"])
    #expect(throws: Never.self) { try list.instance(of: "NSSet") }
    #expect(throws: RecordCodingError.self) { try list.instance(of: "NSArray") }
  }

  @Test("a date that is not a number is refused")
  func nanDate() throws {
    var writer = KeyedArchiveWriter()
    writer.add("when", .date(.nan))
    let top = try KeyedArchive(decoding: writer.data()).top
    #expect(throws: RecordCodingError.self) { try top.child("when")?.date() }
  }

  @Test("objects that refer to themselves are an error, not an endless walk")
  func cycles() throws {
    // $objects[1] = {next: 1}, and 2 → 3 → 2.
    let plist = Samples.archive(
      objects: [
        .string("next"), .uid(1), .uid(2), .uid(3),
        .dictionary([.init(key: 12, value: 13)]), .dictionary([.init(key: 12, value: 15)]),
        .dictionary([.init(key: 12, value: 14)]),
      ], table: [16, 17, 18], root: 1)
    let root = try KeyedArchive(decoding: plist.encoded()).top.required("root")
    #expect(throws: RecordCodingError.cyclicReference(path: "$top.root.next")) {
      try root.child("next")
    }
    var two = plist
    two.objects[11] = .uid(2)
    let first = try KeyedArchive(decoding: two.encoded()).top.required("root")
    let second = try first.required("next")
    #expect(throws: RecordCodingError.cyclicReference(path: "$top.root.next.next")) {
      try second.child("next")
    }
  }

  @Test("a long chain of objects is cut off with an error")
  func deepChain() throws {
    let depth = 1_000
    var objects: [BinaryPlist.Object] = [.string("next")]
    let first = 13
    objects += (0..<depth).map {
      .dictionary([.init(key: 12, value: UInt32(first + depth + $0))])
    }
    objects += (0..<depth).map { .uid(UInt64($0 + 2)) }
    let table = (0..<depth).map { UInt32(first + $0) }
    let plist = Samples.archive(objects: objects, table: table, root: 1)
    let archive = try KeyedArchive(decoding: plist.encoded())
    #expect(throws: RecordCodingError.self) {
      var node = archive.top.self
      node = try node.required("root")
      for _ in 0..<depth { node = try node.required("next") }
    }
  }

  @Test("a reference past the end of the objects is an error with its number")
  func dangling() throws {
    let plist = Samples.archive(objects: [], table: [], root: 99)
    let archive = try KeyedArchive(decoding: plist.encoded())
    #expect(
      throws: RecordCodingError.danglingReference(
        path: "$top.root", found: 99, objectCount: 1)
    ) { try archive.top.child("root") }
  }

  @Test("a class description without a name is an error")
  func namelessClass() throws {
    let plist = Samples.archive(
      objects: [
        .string("$class"), .uid(2), .dictionary([.init(key: 12, value: 13)]),
        .dictionary([]),
      ], table: [14, 15], root: 1)
    let root = try KeyedArchive(decoding: plist.encoded()).top.required("root")
    #expect(throws: RecordCodingError.missingKey(path: "$top.root.$class", key: "$classname")) {
      try root.instance(of: "NSDate")
    }
  }

  @Test("a property list that is no keyed archive says what is missing")
  func notArchives() throws {
    func failure(_ change: (inout BinaryPlist) -> Void) -> RecordCodingError? {
      var plist = Samples.archive(objects: [], table: [], root: 0)
      change(&plist)
      return #expect(throws: RecordCodingError.self) { try KeyedArchive(plist) }
    }
    #expect(
      failure { $0.objects[7] = .string("NRKeyedArchiver") }
        == .notKeyedArchive(
          found: "\"NRKeyedArchiver\" as \"$archiver\"", expected: "\"NSKeyedArchiver\""))
    #expect(
      failure { $0.objects[5] = .integer(200_000) }
        == .notKeyedArchive(found: "200000 as \"$version\"", expected: "100000"))
    #expect(failure { $0.objects[1] = .string("$vversion") } != nil)
    #expect(failure { $0.objects[6] = .dictionary([]) } != nil)
    #expect(failure { $0.objects[8] = .array([]) } != nil)
    #expect(failure { $0.top = 1 } != nil)
  }
}
