import Foundation
import RecordCoding
import RecordModel
import TestSupport
import Testing

@testable import RecordBundle

@Suite("Filters of names")
struct NameFilterTests {
  @Test func `a filter lets its names pass, and one of 46 others`() {
    let names = (0..<2_000).map { NameFilter.hash("m\($0)") }
    let filter = NameFilter(hashes: names)
    #expect(filter.bytes.count == 2_000)
    #expect(names.allSatisfy(filter.mayContain))
    let others = (0..<100_000).count { filter.mayContain(NameFilter.hash("other \($0)")) }
    #expect((1_800...2_600).contains(others))
  }

  @Test func `a filter has the bits of the format`() throws {
    let filter = NameFilter(hashes: [NameFilter.hash("hiking"), NameFilter.hash("東京")])
    // Made with Python's xxhash from Format.md.
    #expect(filter.jsonValue.string == "qbU=")
    let read = try #require(NameFilter(json: filter.jsonValue, lines: 2))
    #expect(read == filter)
  }

  @Test(arguments: ["", "A", "AAAA", "AA=", "A?==", "AB==", "AA==\n"])
  func `a text that is not a filter of the frame is refused`(text: String) {
    #expect(NameFilter(json: .string(text), lines: 2) == nil)
    #expect(NameFilter(json: .integer(0), lines: 2) == nil)
  }

  @Test func `a file of few frames has no filters, and all frames of records of another have one`()
    throws
  {
    for (frames, frameSize) in [(2...31, 32 << 10), (32...400, 4 << 10)] {
      try withFolder { folder in
        let reader = try SampleContent(records: 600).bundle(
          in: folder, .test(frameSize: frameSize))
        let index = reader.indexes[0]
        #expect(frames.contains(index.frames.count))
        let withRecords = Set(
          index.sections.filter { $0.kind == .record }.flatMap { Array($0.frames) })
        for (number, frame) in index.frames.enumerated() {
          #expect(
            (frame.nameFilter != nil) == (index.frames.count >= 32 && withRecords.contains(number)))
        }
        #expect(try reader.verify(threads: 1).isIntact)
      }
    }
  }

  @Test func `an index with filters is valid by the schema of lines`() throws {
    try withFolder { folder in
      let reader = try SampleContent(records: 600).bundle(in: folder, .test(frameSize: 4 << 10))
      let frames = reader.files[0].frames
      let index = try frames.withFrame(frames.frameCount - 1) {
        String(decoding: $0.bytes, as: UTF8.self)
      }
      #expect(index.contains("\"nameFilter\":"))
      let wrong = index.replacing("\"nameFilter\":\"", with: "\"nameFilter\":\"?")
      let verdicts = try SchemaValidator.verdicts(
        of: [index, wrong], by: "recordpack-line-v1.schema.json")
      guard let verdicts else { return print("skipped: Python's jsonschema is missing") }
      #expect(verdicts == [true, false])
    }
  }

  @Test func `more records than filters may have bytes make none`() {
    for maxSize in [9, 10, 11] {
      var filters = NameFilters(minFrames: 0, maxSize: maxSize)
      for frame in 0..<5 {
        for hash in 0..<3 { filters.add(UInt64(hash)) }
        filters.endFrame(frame)
        #expect(filters.filters(ofFrames: frame + 1).count == (frame < 3 ? frame + 1 : 0))
      }
    }
  }

  @Test func `a lookup reads no frame whose filter excludes the name`() throws {
    try withFolder { folder in
      let reader = try SampleContent(records: 600).bundle(in: folder, .test(frameSize: 4 << 10))
      let path = reader.files[0].name
      let frames = reader.files[0].frames.table
      // Each frame of records is damaged but one.
      let section = try #require(
        reader.indexes[0].sections.first { $0.kind == .record && $0.lines > 300 })
      let kept = section.frames.lowerBound + 3
      let name = try #require(reader.indexes[0].frames[kept].first)
      var bytes = try bytes(of: path)
      for number in section.frames where number != kept {
        bytes[Int(frames[number].offset) + frames[number].compressedSize - 9] ^= 1
      }
      try write(bytes, to: path)
      let damaged = try BundleReader(path: path)
      #expect(try damaged.records(named: name).count == 1)
      #expect(try damaged.records(named: "no such name").isEmpty)
      #expect(throws: FrameError.self) {
        _ = try damaged.records(named: reader.indexes[0].frames[kept + 1].first ?? "")
      }
    }
  }
}
