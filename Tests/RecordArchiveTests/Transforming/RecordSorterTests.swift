import Foundation
import RecordModel
import Synchronization
import TestSupport
import Testing

@testable import RecordArchive

@Suite("A record sorter")
struct RecordSorterTests {
  private struct Line: Hashable {
    var section: RecordSection
    var name: String
    var text: String
  }

  /// The sections that lines have, not in the order of a bundle.
  private static let sections = [("B", "b"), ("A", "b"), ("A", "a"), ("C", "a")].map {
    RecordSection(.private, ZoneID(zoneName: $0.0), $0.1)
  }

  private static func lines(_ random: inout SeededGenerator, _ count: Int) -> [Line] {
    (0..<count).map { number in
      // Names that differ early, late and by their length only.
      let name =
        switch random.below(3) {
        case 0: String(random.next(), radix: 16)
        case 1: "the-same-beginning-\(random.below(1_000_000))-\(number)"
        default: String(repeating: "é", count: random.below(9)) + "\(number)"
        }
      let size = random.chance(50) ? 300_000 : random.below(200)
      return Line(
        section: sections[min(random.below(4), number / 20)], name: name,
        text: "\(number):" + String(repeating: "x", count: size))
    }
  }

  /// A batch of lines of which some have their name in them, and some behind them.
  private static func batch(_ lines: some Collection<Line>) -> RecordLines {
    let result = RecordLines()
    for line in lines {
      let start = result.buffer.count
      let hasName = line.text.utf8.count % 2 == 0
      result.buffer.append(text: hasName ? line.text + line.name : line.text)
      let end = result.buffer.count
      let name =
        hasName ? start + line.text.utf8.count..<end : result.append(name: line.name)
      let section = result.section(
        line.section.database, line.section.zoneID, line.section.recordType)
      result.append(.init(section: section, dictionary: start..<end, name: name))
    }
    return result
  }

  @Test(
    "Records come out in the order of a bundle, with any memory and number of threads",
    arguments: [0, 1, 1000, 100_000, 1 << 30], [1, 2])
  func sorts(limit: Int, threads: Int) throws {
    let folder = try TestFolder()
    for seed in 0..<6 {
      var random = SeededGenerator(UInt64(seed))
      let lines = Self.lines(&random, [0, 1, 2, 60, 400, 700][seed])
      let path = folder.path("spool-\(seed)")
      let sorter = RecordSorter(threads: threads, limit: limit) { path }
      var rest = lines[...]
      var parts = 0
      while !rest.isEmpty {
        let part = rest.prefix(1 + random.below(9))
        rest = rest.dropFirst(part.count)
        parts += 1
        try sorter.add(Self.batch(part))
      }
      var found: [Line] = []
      var records = try sorter.sorted()
      while let record = records.current {
        let text = String(decoding: record.dictionary, as: UTF8.self)
        let name = String(decoding: record.name, as: UTF8.self)
        let hasName = text.utf8.count > name.utf8.count && text.hasSuffix(name)
        found.append(
          Line(
            section: record.section, name: name,
            text: hasName ? String(text.dropLast(name.count)) : text))
        try records.advance()
      }
      let expected = lines.sorted {
        $0.section != $1.section
          ? $0.section.precedes($1.section)
          : Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
      }
      #expect(found == expected, "limit \(limit), seed \(seed)")
      let isSpilled = FileManager.default.fileExists(atPath: path)
      if limit <= 1000 { #expect(isSpilled == (parts > 1)) }
      if limit == 1 << 30 { #expect(!isSpilled) }
      guard isSpilled else { continue }
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
    }
  }

  @Test("A file that cannot be written is an error that says where", arguments: [1, 2])
  func writeError(threads: Int) throws {
    let sorter = RecordSorter(threads: threads, limit: 10) { "/proc/none/spool" }
    let line = Line(section: Self.sections[0], name: "0123456789", text: "0123456789")
    let error = #expect(throws: ArchiveError.self) {
      for _ in 0..<4 { try sorter.add(Self.batch([line])) }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("/proc/none/spool"))
  }
}
