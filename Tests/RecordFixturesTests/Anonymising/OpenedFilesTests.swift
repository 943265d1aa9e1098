import Foundation
import RecordModel
import RecordPlatform
import TestSupport
import Testing

@testable import RecordFixtures

/// Programs and libraries that others wrote read what replaces values and files.
@Suite("What replaces values of a syntax class is read by others")
struct OpenedFilesTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  private func made(_ rule: String, _ value: RecordValue) throws -> [RecordValue] {
    let source = try maker.source((0..<40).map { SourceMaker.record("\($0)", ["v": value]) })
    return try maker.run("types: {Note: {v: \(rule)}}", source).records.compactMap {
      $0.field(named: "v")?.value
    }
  }

  private static func isRead(_ text: String, _ rule: String) -> Bool {
    switch rule {
    case "date": ISO8601DateFormatter().date(from: text) != nil
    case "{date: day}":
      (try? Date.ISO8601FormatStyle().year().month().day().parse(text)) != nil
    case "uuid", "identifier": UUID(uuidString: text) != nil
    case "base64": Data(base64Encoded: text)?.count == 24
    case "{url: myapp}": URL(string: text)?.scheme == "myapp"
    case "url": URL(string: text)?.host == "www.example"
    case "locale": Locale.availableIdentifiers.contains(text)
    case "{decimal: 0..1.5, accepted: x}": text.wholeMatch(of: /[01]\.\d\d/) != nil
    case "{integer: -3..12}": Int(text).map { (-3...12).contains($0) } ?? false
    case "{decimal: 0..1.5}": Double(text).map { (0...1.5).contains($0) } ?? false
    case "flag": Bool(text) != nil
    case "version": text.compare("0.9.9", options: .numeric) == .orderedDescending
    case "colour": Int(text.dropFirst(), radix: 16) != nil && text.count == 7
    case "emoji": text.count == 1 && text.unicodeScalars.first?.properties.isEmoji == true
    default: ["open", "done"].contains(text)
    }
  }

  @Test(
    "Texts of a class, by Foundation",
    arguments: [
      "{decimal: 0..1.5, accepted: x}", "date", "{date: day}", "uuid", "identifier", "base64",
      "{url: myapp}", "url", "locale",
      "{integer: -3..12}", "{decimal: 0..1.5}", "flag", "version", "colour", "emoji",
      "{enumeration: [open, done]}",
    ])
  func texts(_ rule: String) throws {
    for value in try made(rule, .string("Mira Kowalski")) {
      guard case .string(let text) = value else {
        Issue.record("\(value)")
        continue
      }
      #expect(Self.isRead(text, rule), "\(rule): \(text)")
      #expect(!text.contains("Mira"))
    }
  }

  @Test("Dates in texts keep their form", arguments: DateForm.known)
  func dates(_ form: DateForm) throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = form.pattern.replacing("T", with: "'T'").replacing("X", with: "XXX")
    let moments = (0..<50).map { Date(timeIntervalSince1970: Double($0) * 31_234_567.5) }
    let texts = moments.map { formatter.string(from: $0) }
    for text in texts { #expect(form.matches(text), "\(text)") }
    let source = try maker.source(
      zip(0..., texts).map { SourceMaker.record("\($0)", ["v": .string($1)]) })
    // The starter policy proposes a form that all values have.
    let proposed = try PolicyDraft(of: source).yaml.split(separator: "\n").first {
      $0.hasPrefix("    # v: ") && $0.contains("date")
    }
    let rule = try #require(proposed).dropFirst(9).prefix { $0 != "#" }
    let other = try maker.run("types: {Note: {v: \(rule)}}", source)
    for text in SourceMaker.texts("v", other.records) {
      #expect(formatter.date(from: text) != nil, "\(text), \(rule)")
      #expect(!texts.contains(text) || form.pattern.count < 9)
    }
    #expect(!form.matches("Mira") && !form.matches(texts[0] + "x"))
  }

  private struct Body: Decodable {
    var kind: String
    var count: Int
    var ratio: Double
    var isOpen: Bool
    var items: [Item]
    struct Item: Decodable { var label: String }
  }

  @Test("JSON, by the app's own Codable type")
  func json() throws {
    let text =
      #"{"kind":"Mira","count":7,"ratio":0.25,"isOpen":true,"items":[{"label":"Mira","own":1}],"Mira":1}"#
    let rule = "{json: [kind, count, ratio, isOpen, items, label]}"
    for value in try made(rule, .string(text)) + made(rule, .bytes(Data(text.utf8))) {
      let data: Data
      switch value {
      case .string(let text): data = Data(text.utf8)
      case .bytes(let bytes): data = bytes
      default: data = Data()
      }
      let body = try JSONDecoder().decode(Body.self, from: data)
      #expect(!body.items.isEmpty)
      #expect(!String(decoding: data, as: UTF8.self).contains("Mira"))
    }
    #expect(try made(rule, .string("not JSON")) == Array(repeating: .string("{}"), count: 40))
  }

  @Test("Keyed archives, by Foundation", arguments: MadeUpArchive.classes)
  func archives(_ name: String) throws {
    for value in try made("{archive: \(name)}", .bytes(Data("Mira".utf8))).prefix(3) {
      guard case .bytes(let data) = value else {
        Issue.record("\(value)")
        return
      }
      let reader = try NSKeyedUnarchiver(forReadingFrom: data)
      reader.requiresSecureCoding = false
      reader.decodingFailurePolicy = .setErrorAndReturn
      let root = reader.decodeObject(forKey: "root")
      #expect(root != nil, "\(name)")
      #expect(MadeUpArchive.rootClass(of: data) == name)
    }
  }

  private static let image = """
    import sys
    try: from PIL import Image
    except ImportError: sys.exit(0)
    Image.open(sys.argv[1]).load()
    """

  /// What reads a file by Python's own library, or by Pillow and pypdf if they are installed.
  private static let readers: [MadeUpFile: String] = [
    .zip:
      "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.read('text.txt')",
    .gzip: "import gzip,sys; gzip.open(sys.argv[1]).read()",
    .propertyList: "import plistlib,sys; plistlib.load(open(sys.argv[1],'rb'))",
    .wave: "import wave,sys; wave.open(sys.argv[1]).readframes(9)",
    .sqlite: """
    import sqlite3,sys
    c=sqlite3.connect(sys.argv[1])
    assert c.execute('pragma integrity_check').fetchall()==[('ok',)]
    c.execute('create table t(a)')
    """,
    .webP: image, .gif: image,
    .heic: """
    import sys
    try: import pillow_heif
    except ImportError: sys.exit(0)
    pillow_heif.open_heif(sys.argv[1]).to_pillow()
    """,
    .movie: """
    import struct,sys
    d=open(sys.argv[1],'rb').read(); p=0; kinds=[]
    while p<len(d):
      n,k=struct.unpack('>I4s',d[p:p+8]); kinds.append(k); p+=n
    assert p==len(d) and kinds==[b'ftyp',b'moov',b'free'], kinds
    """,
    .id3: """
    import sys
    d=open(sys.argv[1],'rb').read()
    assert d[:5]==b'ID3\\3\\0' and sum(b<<s for b,s in zip(d[6:10],(21,14,7,0)))==len(d)-10
    assert d[10:14]==b'TXXX' and int.from_bytes(d[14:18],'big')==len(d)-20
    """,
    .pdf: """
    import re,sys
    d=open(sys.argv[1],'rb').read()
    t=int(re.search(rb'startxref\\n(\\d+)\\n%%EOF',d).group(1))
    assert d[t:t+4]==b'xref'
    rows=d[t:].split(b'\\n')[3:6]
    for n,row in enumerate(rows): assert d[int(row[:10]):].startswith(b'%d 0 obj'%(n+1))
    try: from pypdf import PdfReader
    except ImportError: sys.exit(0)
    assert len(PdfReader(sys.argv[1], strict=True).pages) == 1
    """,
  ]

  /// Runs a reader, which takes the path of a file as its first argument, once for each of the paths.
  private func read(_ reader: String, _ paths: [String]) async throws -> Command {
    let loop = """
      import sys
      reader = sys.argv.pop(1)
      for path in sys.argv[1:]:
        print(path, flush=True)
        sys.argv[1] = path
        try: exec(reader, {})
        except SystemExit as end: assert not end.code
      """
    return try await Command(["python3", "-c", loop, reader] + paths)
  }

  @Test("Files, by programs and Python's library", arguments: MadeUpFile.allCases)
  func files(_ file: MadeUpFile) async throws {
    var paths: [String] = []
    for (size, seed) in [(512, 0), (513, 1), (767, 2), (1024, 3), (70_001, 4)] as [(Int, UInt64)] {
      let bytes = file.bytes(size: size, seed: seed)
      #expect(bytes.count == size, "\(file) \(size)")
      let path = maker.folder.path("file-\(size)")
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      paths.append(path)
      let programs: [MadeUpFile: [String]] = [
        .zip: ["unzip", "-t", path], .propertyList: ["plutil", "-lint", path],
      ]
      guard let program = programs[file], Command.exists(program[0]) else { continue }
      let opened = try await Command(program)
      #expect(opened.code == 0, "\(file) \(size): \(opened.output)")
    }
    if Command.exists("python3"), let reader = Self.readers[file] {
      let read = try await read(reader, paths)
      #expect(read.code == 0, "\(file): \(read.output)")
    }
  }

  @Test(
    "Texts of a form keep it, by Python's library",
    arguments: [
      ("{\"a\":1}", "import json,sys; json.load(open(sys.argv[1]))"),
      (
        "<?xml version='1.0'?><plist/>",
        "import plistlib,sys; plistlib.load(open(sys.argv[1],'rb'))"
      ),
      ("<svg viewBox='0 0 1 1'/>", "import xml.dom.minidom as x,sys; x.parse(sys.argv[1])"),
      ("<HTML>", "import sys; assert open(sys.argv[1]).read().startswith('<!DOCTYPE html>')"),
      (
        "{\\rtf1 x}",
        "import sys; d=open(sys.argv[1]).read(); assert d[1:5]=='\\\\rtf' and d[-1]=='}'"
      ),
      ("BEGIN:VCARD", "import sys; assert open(sys.argv[1]).read().endswith('END:VCARD\\n')"),
      ("BEGIN:VCALENDAR", "import sys; assert 'END:VCALENDAR' in open(sys.argv[1]).read()"),
    ])
  func texts(_ beginning: String, _ reader: String) async throws {
    guard Command.exists("python3") else { return }
    var paths: [String] = []
    let old = Data((beginning + String(repeating: " ", count: 80) + "Mira").utf8)
    for rule in ["content", "content-consistent", "content-size"] {
      guard case .bytes(let new)? = try made(rule, .bytes(old)).first else {
        Issue.record("\(rule)")
        return
      }
      let path = maker.folder.path("text-\(rule)")
      try new.write(to: URL(fileURLWithPath: path))
      paths.append(path)
      #expect(rule != "content-size" || new.count == old.count)
    }
    let read = try await read(reader, paths)
    #expect(read.code == 0, "\(read.output)")
  }
}
