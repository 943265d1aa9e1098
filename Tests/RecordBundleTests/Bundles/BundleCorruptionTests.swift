import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

/// Every byte of a file is covered: frames by the index, the index by the seal, and the seek table
/// because it follows from the frames.
@Suite("Corruption", .timeLimit(.minutes(5)))
struct BundleCorruptionTests {
  private static let content = SampleContent(records: 3, assetSize: 20)

  /// Reads everything, and returns also what was read before an error.
  private func read(
    _ paths: [String]
  ) -> (lines: [[UInt8]], error: (any Error)?, reader: BundleReader?) {
    var lines: [[UInt8]] = []
    var opened: BundleReader?
    do {
      let reader = try BundleReader(paths: paths)
      opened = reader
      try reader.forEachItem(of: Set(LineKind.allCases), threads: 1) { item in
        let buffer = ByteBuffer()
        try item.writeLine(to: buffer)
        lines.append(Array(buffer.bytes))
      }
      return (lines, nil, opened)
    } catch {
      return (lines, error, opened)
    }
  }

  /// Changes each byte of each file in turn, and checks that reading and verifying detect it.
  ///
  /// - Parameter masks: returns the masks to apply to the byte at a position, one after the other.
  private func corrupt(
    _ paths: [String], masks: (_ position: Int, inout SeededGenerator) -> [UInt8]
  ) throws {
    let whole = read(paths)
    try #require(whole.error == nil && whole.lines.count > 10)
    #expect(try BundleReader(paths: paths).verify(threads: 1).isIntact)
    var random = SeededGenerator(41)
    for path in paths {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      defer { try? file.close() }
      for (position, byte) in try bytes(of: path).enumerated() {
        for mask in masks(position, &random) {
          func put(_ byte: UInt8) throws {
            try file.seek(toOffset: UInt64(position))
            try file.write(contentsOf: [byte])
          }
          try put(byte ^ mask)
          defer { try? put(byte) }
          let found = read(paths)
          if found.error == nil {
            Issue.record("byte \(position) of \(path), mask \(mask): read without an error")
          }
          if !(found.error is FrameError || found.error is BundleError) {
            Issue.record("byte \(position), mask \(mask): \(String(describing: found.error))")
          }
          if !whole.lines.starts(with: found.lines) {
            Issue.record("byte \(position) of \(path), mask \(mask): other lines were read")
          }
          if (try? found.reader?.verify(threads: 1))?.isIntact == true {
            Issue.record("byte \(position) of \(path), mask \(mask): found intact")
          }
        }
      }
    }
    #expect(try BundleReader(paths: paths).verify(threads: 1).isIntact)
  }

  private func small(in folder: String) throws -> String {
    var options = BundleWriter.Options()
    options.frameSize = 1200
    options.threads = 1
    _ = try Self.content.write(to: "\(folder)/a.recordpack", options)
    return "\(folder)/a.recordpack"
  }

  @Test(
    "of one bit of any byte of a bundle is seen by readers and by verify, and reads nothing wrong")
  func bundle() throws {
    try withFolder { folder in
      try corrupt([small(in: folder)]) { _, random in [1 << UInt8.random(in: 0..<8, using: &random)]
      }
    }
  }

  @Test("of any bit of a frame's header, the seal and the seek table is seen")
  func everyBit() throws {
    try withFolder { folder in
      let path = try small(in: folder)
      let table = try BundleReader(path: path).files[0].frames.table
      // Bytes of which zstd itself checks only a few bits.
      let starts = (0..<table.count).map { Int(table[$0].offset) }
      try corrupt([path]) { position, _ in
        let isChosen =
          position >= table.framesEnd || starts.contains { $0..<$0 + 10 ~= position }
        return isChosen ? (0..<8).map { 1 << $0 } + [0xFF] : []
      }
    }
  }

  @Test("of one bit of any byte of a set of files is seen, and reads nothing wrong")
  func set() throws {
    try withFolder { folder in
      let paths = try Self.content.writeSet(of: 2, to: folder)
      try corrupt(paths) { _, random in [1 << UInt8.random(in: 0..<8, using: &random)] }
    }
  }

  @Test("by cutting, appending, repeating or leaving out bytes or whole frames is seen")
  func structure() throws {
    try withFolder { folder in
      let path = try small(in: folder)
      let whole = try bytes(of: path)
      let table = try BundleReader(path: path).files[0].frames.table
      let lines = read([path]).lines
      func frame(_ number: Int) -> Range<Int> {
        let start = Int(table[number].offset)
        return start..<start + table[number].compressedSize
      }
      var damaged: [[UInt8]] = [whole + [0], [0] + whole, whole + whole, Array(whole[1...]), []]
      for length in stride(from: 1, to: whole.count, by: 7) {
        damaged.append(Array(whole[..<length]))
      }
      for number in 0..<table.count {
        let range = frame(number)
        var without = whole
        without.removeSubrange(range)
        var twice = whole
        twice.insert(contentsOf: whole[range], at: range.upperBound)
        damaged += [without, twice]
        guard number > 0 else { continue }
        var swapped = without
        swapped.insert(contentsOf: whole[range], at: frame(number - 1).lowerBound)
        damaged.append(swapped)
      }
      for (number, bytes) in damaged.enumerated() {
        try write(bytes, to: path)
        let found = read([path])
        #expect(found.error != nil, "change \(number)")
        #expect(lines.starts(with: found.lines), "change \(number)")
      }
    }
  }
}
