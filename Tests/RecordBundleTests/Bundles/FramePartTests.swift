import RecordModel
import Testing

@testable import RecordBundle

@Suite("Large frames in parts")
struct FramePartTests {
  @Test("have the same lines, with the same numbers", arguments: [1, 2, 3, 5, 8])
  func sameLines(threads: Int) throws {
    try withFolder { folder in
      let content = SampleContent(records: 3000, assetSize: 300)
      let bundle = try content.bundle(in: folder, BundleWriter.Options())
      func read(inParts: Bool) throws -> (lines: [String], batches: Int) {
        var (lines, batches) = ([String](), 0)
        try bundle.mapFrames(
          threads: threads, inParts: inParts,
          transform: { frame in
            var lines: [String] = []
            try frame.forEachLine { line, number in
              lines.append("\(number) " + String(decoding: line, as: UTF8.self))
            }
            return lines
          },
          consume: {
            lines += $0
            batches += 1
          })
        return (lines, batches)
      }
      let (whole, parts) = (try read(inParts: false), try read(inParts: true))
      #expect(parts.lines == whole.lines)
      #expect(whole.lines.count > 3000)
      #expect(threads == 1 ? parts.batches == whole.batches : parts.batches > whole.batches)
    }
  }

  @Test("fewer lines than parts are lines of one of them")
  func fewLines() {
    let text = Array("first\n\nthird".utf8)
    text.withUnsafeBytes { bytes in
      let content = FrameContent(
        location: FrameLocation(index: 0, offset: 0, compressedSize: 1), bytes: bytes)
      for count in 1...20 {
        var lines: [String] = []
        for number in 0..<count {
          let (part, before) = content.part(FramePart(number: number, count: count))
          if part.bytes.isEmpty { continue }
          #expect(before == lines.count)
          lines += part.lines.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(lines == ["first", "", "third"], "\(count)")
      }
    }
  }
}
