import Foundation
import RecordModel

@testable import RecordBundle

/// Bundles that are sound as files, and wrong in what their lines say.
enum BrokenBundle: String, CaseIterable {
  case duplicateRecord, missingZone, deepLine, noRecord

  /// What is said about it.
  var expected: String {
    switch self {
    case .duplicateRecord: "record 'a'"
    case .missingZone: "zone 'Nowhere'"
    case .deepLine: "128 levels"
    case .noRecord: "line 3"
    }
  }

  private var lines: [String] {
    switch self {
    case .duplicateRecord: [Self.record("a", number: 1), Self.record("a", number: 2)]
    case .missingZone: [Self.record("a", number: 1, zone: "Nowhere")]
    case .deepLine:
      [
        "{\"kind\":\"record\",\"database\":\"private\",\"x\":"
          + String(repeating: "[", count: 300_000)
      ]
    case .noRecord: ["{\"kind\":\"record\",\"database\":\"private\",\"recordName\":7}"]
    }
  }

  private static func record(_ name: String, number: Int, zone: String = "_defaultZone") -> String {
    """
    {"kind":"record","database":"private",\
    "zoneID":{"zoneName":"\(zone)","ownerRecordName":"__defaultOwner__"},"recordType":"T",\
    "recordName":"\(name)","fields":{"n":{"type":"INT64","value":\(number)}}}
    """
  }

  func write(to path: String) throws {
    let sink = try AtomicFile(path: path)
    let writer = try BundleFileWriter(
      sink: sink, header: BundleHeader(), options: FrameWriter.Options())
    try writer.write(.zone(RecordZone(zoneID: .default), .private))
    let key = LineKey(
      kind: .record, database: .private, zoneID: .default, recordType: "T")
    for line in lines {
      try writer.writeLine(in: key, name: "a") { $0.append(text: line) }
    }
    _ = try writer.finish(isLastShard: nil)
    try sink.commit()
  }
}
