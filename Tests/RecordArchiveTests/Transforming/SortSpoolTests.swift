import Foundation
import RecordModel
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

  @Test(
    "Lines come out sorted by number and name, with any memory",
    arguments: [0, 1, 1000, 100_000, 1 << 30])
  func sorts(limit: Int) throws {
    let folder = try TestFolder()
    for seed in 0..<6 {
      var random = SeededGenerator(UInt64(seed))
      let lines = Self.lines(&random, [0, 1, 2, 60, 400, 700][seed])
      var files = 0
      let spool = SortSpool(limit: limit) {
        files += 1
        return folder.path("spool-\(limit)-\(seed)-\(files)")
      }
      for line in lines {
        try Array(line.name.utf8).withUnsafeBytes { name in
          try Array(line.text.utf8).withUnsafeBytes { text in
            try spool.add(rank: line.rank, name: name, line: text)
          }
        }
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
      let size = lines.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count }
      #expect(files == (size > limit && lines.count > 1 ? 1 : 0), "limit \(limit), seed \(seed)")
      for number in 0..<files {
        let path = folder.path("spool-\(limit)-\(seed)-\(number + 1)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
      }
    }
  }

  @Test("A file that cannot be written is an error that says where")
  func writeError() throws {
    let spool = SortSpool(limit: 10) { "/proc/none/spool" }
    let bytes = Array("0123456789".utf8)
    let error = #expect(throws: (any Error).self) {
      try bytes.withUnsafeBytes {
        try spool.add(rank: 0, name: $0, line: $0)
        try spool.add(rank: 0, name: $0, line: $0)
      }
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("/proc/none/spool"))
  }
}
