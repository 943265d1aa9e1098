import Foundation
import RecordModel
import TestSupport
import Testing

@testable import RecordBundle

/// Lookups of names, which decompress frames in part, against a reading of all records.
@Suite("Looking up names")
struct NameLookupTests {
  private static func name(_ generator: inout SeededGenerator) -> String {
    let number = UInt64.random(in: 0..<2000, using: &generator)
    var digits = SeededGenerator(number / 4)
    let uuid = CompactName.upperUUID(digits.next(), digits.next()).string
    switch number % 4 {
    case 0: return uuid
    case 1: return uuid.lowercased()
    case 2: return "“\(number)” with 'quotes', \\ and a\nline feed"
    default: return "m\(number)"
    }
  }

  private static func write(
    to path: String, frameSize: Int, counts: [Int], _ generator: inout SeededGenerator
  ) throws {
    let writer = try BundleWriter(
      path: path, container: SampleContent(records: 0).container,
      options: .test(frameSize: frameSize))
    let zones = ["Archive", "Chats"].map { ZoneID(zoneName: $0) }
    for zone in zones { try writer.write(RecordZone(zoneID: zone), database: .private) }
    for zone in zones {
      for type in ["Chat", "Message", "Reaction"] {
        let count = counts.randomElement(using: &generator) ?? 1
        let names = Set((0..<count).map { _ in name(&generator) })
        for name in names.sorted(by: { compareUTF8($0, $1) < 0 }) {
          let length = Int.random(in: 0..<300, using: &generator)
          let text = String(repeating: "\(generator.next() % 1000) ", count: length)
          try writer.write(
            ResultRecord(
              systemFields: SystemFields(
                recordID: RecordID(recordName: name, zoneID: zone), recordType: type),
              fields: [Field(name: "text", value: .string(text))]), database: .private)
        }
      }
    }
    _ = try writer.finish()
  }

  @Test(arguments: 0..<3)
  func `finds what a reading of all records finds`(seed: UInt64) throws {
    var generator = SeededGenerator(seed)
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let frameSize = [2_000, 300_000, 8 << 20][Int(seed % 3)]
      // Sections that share a frame, and ones of several frames.
      try Self.write(to: path, frameSize: frameSize, counts: [1, 20, 700], &generator)
      let reader = try BundleReader(path: path)
      for filter in [
        .all, RecordFilter(recordTypes: ["Message"]),
        RecordFilter(zoneIDs: [ZoneID(zoneName: "Chats")]),
      ] {
        var sections: [String: [RecordSection]] = [:]
        try reader.forEachRecord(filter) { record, database in
          sections[record.recordID.recordName, default: []].append(
            RecordSection(database, record.recordID.zoneID, record.recordType))
        }
        for count in [1, 3, 400] {
          let names = (0..<count).map { _ in Self.name(&generator) } + ["", "zz", "\u{10FFFF}"]
          var asked: [String] = []
          try reader.forEachName(names, filter, threads: 2) { name, found in
            asked.append(name)
            #expect(found.allSatisfy { $0.record.recordID.recordName == name })
            #expect(
              found.map {
                RecordSection($0.database, $0.record.recordID.zoneID, $0.record.recordType)
              }
                == sections[name] ?? [])
          }
          #expect(asked == names)
        }
      }
    }
  }

  @Test func `names are found in many small zones, and asked for twice`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      let writer = try BundleWriter(
        path: path, container: SampleContent(records: 0).container,
        options: .test(frameSize: 8 << 20))
      let zones = (100..<500).map { ZoneID(zoneName: "Zone \($0)") }
      for zone in zones { try writer.write(RecordZone(zoneID: zone), database: .private) }
      for (number, zone) in zones.enumerated() {
        for name in ["a", "m\(number)", "z"] {
          try writer.write(
            ResultRecord(
              systemFields: SystemFields(
                recordID: RecordID(recordName: name, zoneID: zone), recordType: "T"), fields: []),
            database: .private)
        }
      }
      _ = try writer.finish()
      let reader = try BundleReader(path: path)
      var found: [String: Int] = [:]
      try reader.forEachName(["z", "m7", "a", "n", "m7", "m399"]) { found[$0] = $1.count }
      #expect(found == ["z": 400, "m7": 1, "a": 400, "n": 0, "m399": 1])
      let filter = RecordFilter(zoneIDs: [zones[7]])
      try reader.forEachName(["m7", "m8", "z"], filter) { found[$0] = $1.count }
      #expect(found["m7"] == 1 && found["m8"] == 0 && found["z"] == 1)
    }
  }

  @Test func `a frame that was damaged is an error, wherever the record is in it`() throws {
    try withFolder { folder in
      var generator = SeededGenerator(1)
      let path = "\(folder)/a.recordpack"
      try Self.write(to: path, frameSize: 8 << 20, counts: [700], &generator)
      let reader = try BundleReader(path: path)
      let section = try #require(reader.files[0].index.sections.first { $0.kind == .record })
      let location = reader.files[0].frames.table[section.frames.lowerBound]
      var first = ""
      try reader.forEachRecordID { recordID, _, _ in
        if first.isEmpty { first = recordID.recordName }
      }
      let end = Int(location.offset) + location.compressedSize
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      bytes[end - 100] ^= 1
      try Data(bytes).write(to: URL(filePath: path))
      let error = #expect(throws: BundleError.self) {
        _ = try BundleReader(path: path).records(named: first)
      }
      #expect(error?.message.contains("do not match the SHA-256 in the index") == true)
    }
  }

  @Test func `a lookup decompresses no more than it needs`() throws {
    try withFolder { folder in
      var generator = SeededGenerator(2)
      let path = "\(folder)/a.recordpack"
      try Self.write(to: path, frameSize: 8 << 20, counts: [700], &generator)
      let frames = try BundleReader(path: path).files[0].frames
      let largest = (0..<frames.frameCount).max {
        (frames.table[$0].size ?? 0) < (frames.table[$1].size ?? 0)
      }
      let number = try #require(largest)
      try frames.withFrame(number) { whole in
        #expect(whole.bytes.count > 200_000)
        try frames.withFrame(number, until: { _ in true }) { part in
          #expect(part.bytes.count <= 32 << 10)
          #expect(part.bytes.last == UInt8(ascii: "\n"))
          #expect(whole.bytes.starts(with: part.bytes))
        }
        try frames.withFrame(number, until: { _ in false }) {
          #expect($0.bytes.elementsEqual(whole.bytes))
        }
      }
    }
  }
}
