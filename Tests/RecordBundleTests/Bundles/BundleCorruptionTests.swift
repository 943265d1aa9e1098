import Foundation
import RecordCoding
import RecordModel
import Testing

@testable import RecordBundle

/// Every byte of a file is covered: frames by the index, the index by the seal, and the seek table
/// because it follows from the frames.
@Suite("Corruption", .timeLimit(.minutes(20)))
struct BundleCorruptionTests {
  private static let content = SampleContent(records: 3, assetSize: 20)

  /// Reads everything, and returns also what was read before an error.
  ///
  /// - Parameter files: the bytes of the files, in memory: reading thousands from disk is slow.
  private func read(
    _ files: [Data]
  ) -> (lines: [[UInt8]], error: (any Error)?, reader: BundleReader?) {
    var lines: [[UInt8]] = []
    var opened: BundleReader?
    do {
      let reader = try BundleReader(
        files: files.enumerated().map { number, data in
          try BundleFile(RandomAccessFile(data, name: "file \(number)"))
        })
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

  /// Changes each byte of each file in turn, or every fifth, and checks that reading and verifying detect it.
  ///
  /// - Parameter masks: returns the masks to apply to the byte at a position, one after the other.
  private func corrupt(
    _ paths: [String], masks: (_ position: Int, inout SeededGenerator) -> [UInt8]
  ) throws {
    #expect(try BundleReader(paths: paths).verify(threads: 1).isIntact)
    var files = try paths.map { Data(try bytes(of: $0)) }
    let whole = read(files)
    try #require(whole.error == nil && whole.lines.count > 10)
    var random = SeededGenerator(41)
    for number in files.indices {
      let step = TestAmount.of(1, some: 5)
      for position in stride(from: number % step, to: files[number].count, by: step) {
        for mask in masks(position, &random) {
          files[number][position] ^= mask
          defer { files[number][position] ^= mask }
          let found = read(files)
          if found.error == nil {
            Issue.record("byte \(position) of file \(number), mask \(mask): read without an error")
          }
          if !(found.error is BundleError) {
            Issue.record("byte \(position), mask \(mask): \(String(describing: found.error))")
          }
          if !whole.lines.starts(with: found.lines) {
            Issue.record("byte \(position) of file \(number), mask \(mask): other lines were read")
          }
          if (try? found.reader?.verify(threads: 1))?.isIntact == true {
            Issue.record("byte \(position) of file \(number), mask \(mask): found intact")
          }
        }
      }
    }
  }

  private func small(in folder: String) throws -> String {
    let options = BundleWriter.Options.test(frameSize: 1200, threads: 1)
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
      let lines = read([Data(whole)]).lines
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
        let found = read([Data(bytes)])
        #expect(found.error != nil, "change \(number)")
        #expect(lines.starts(with: found.lines), "change \(number)")
      }
    }
  }
}
