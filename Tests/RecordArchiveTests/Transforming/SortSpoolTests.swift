import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RecordArchive

@Suite("A sort spool")
struct SortSpoolTests {
  private struct Line: Hashable {
    var rank: UInt32
    var name: String
    var text: String
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
        rank: UInt32(random.below(4)), name: name,
        text: "\(number):" + String(repeating: "x", count: size))
    }
  }

  /// What replaces a batch, of lines of which some have their name in front and some behind.
  private static func unsorted(_ lines: some Collection<Line>) -> UnsortedLines {
    let result = UnsortedLines()
    for line in lines {
      let start = result.buffer.count
      result.buffer.append(text: line.name + line.text + line.name)
      let content = start + line.name.utf8.count
      let end = content + line.text.utf8.count
      result.append(
        line.rank, name: line.rank == 0 ? start..<content : end..<result.buffer.count,
        content: content..<end)
    }
    return result
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    @discardableResult func next() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }

  @Test(
    "Lines come out sorted by rank and name, with any memory, number of runs and threads",
    arguments: [0, 1, 1000, 100_000, 1 << 30], [2, 3, 64])
  func sorts(limit: Int, maxRuns: Int) throws {
    let folder = try TestFolder()
    for seed in 0..<6 {
      var random = SeededGenerator(UInt64(seed))
      let lines = Self.lines(&random, [0, 1, 2, 60, 400, 700][seed])
      let (files, released) = (Counter(), Counter())
      let spool = SortSpool(limit: limit, maxRuns: maxRuns, threads: 1 + seed % 2) {
        folder.path("spool-\(seed)-\(files.next())")
      }
      var rest = lines[...]
      var parts = 0
      while !rest.isEmpty {
        let part = rest.prefix(1 + random.below(9))
        rest = rest.dropFirst(part.count)
        parts += 1
        try spool.add(Self.unsorted(part)) { released.next() }
      }
      var found: [Line] = []
      try spool.drain { rank, name, line in
        found.append(
          Line(
            rank: rank, name: String(decoding: name, as: UTF8.self),
            text: String(decoding: line, as: UTF8.self)))
      }
      let expected = lines.sorted {
        $0.rank != $1.rank
          ? $0.rank < $1.rank
          : Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
      }
      #expect(found == expected, "limit \(limit), seed \(seed)")
      #expect(released.count == parts)
      #expect((files.count > 0) == (limit < 1 << 30 && parts > 1), "limit \(limit), seed \(seed)")
      // One run at a time is merged upwards: files have 1, 2, 4… times as many lines.
      if maxRuns == 64 { #expect(files.count <= 2) }
      if maxRuns == 2, limit == 0, parts >= 8 { #expect(files.count >= 4) }
      for number in 0..<files.count {
        let path = folder.path("spool-\(seed)-\(number + 1)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
      }
    }
  }

  @Test("A file that cannot be written is an error that says where", arguments: [1, 2])
  func writeError(threads: Int) throws {
    let spool = SortSpool(limit: 10, threads: threads) { "/proc/none/spool" }
    let lines = [Line(rank: 0, name: "0123456789", text: "0123456789")]
    let error = #expect(throws: (any Error).self) {
      for _ in 0..<4 { try spool.add(Self.unsorted(lines)) {} }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("/proc/none/spool"))
  }
}
