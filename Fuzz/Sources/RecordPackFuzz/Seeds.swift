import Foundation
import RecordStore
import RecordArchive
import RecordCoding

@testable import RecordBundle

/// Writes seeds that are made, so that they always have the formats of today.
enum Seeds {
  static func write(to folder: String) throws {
    let folder = URL(fileURLWithPath: folder)
    for name in fuzzTargets.keys {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
    for (number, record) in Samples.records.enumerated() {
      try record.systemFields.encodeSystemFields()
        .write(to: folder.appendingPathComponent("archives/\(number)"))
    }
    for dialect in ResponseDialect.written {
      try DialectsTarget.page(Samples.records, dialect)
        .write(to: folder.appendingPathComponent("dialects/\(dialect.rawValue)"))
    }
    try writeNested(to: folder)
    let bundle = folder.appendingPathComponent("bundle/whole")
    try Samples.writeBundle(to: bundle.path)
    try lines(of: bundle.path).write(to: folder.appendingPathComponent("bundle-lines/sample"))
  }

  /// Values nested as deep as an input is long.
  private static func writeNested(to folder: URL) throws {
    for (target, start, nested) in [
      ("lines", "{\"recordName\":\"a\",\"recordType\":\"T\",\"x\":", "["),
      ("webservices", "{\"records\":[{\"recordName\":\"a\",\"x\":", "{\"a\":"),
      ("webservices", "", "{\"batch\":"), ("webservices", "", "["),
      ("dialects", "", "{\"success\":{\"_0\":"), ("dialects", "{\"records\":", "["),
      ("schema", "DEFINE SCHEMA ", "("),
      ("expressions", "", "("), ("expressions", "", "not "), ("expressions", "", "-"),
      ("plans", "steps: ", "["), ("plans", "steps: ", "{a: "), ("plans", "", "- "),
      ("recipes", "types: ", "["), ("recipes", "types: ", "{a: "),
      ("configuration", "schema: ", "["), ("configuration", "", "? "),
    ] {
      let text = start + String(repeating: nested, count: 60_000 / nested.utf8.count)
      let name = "nested-\(text.utf8.reduce(0) { $0 &* 31 &+ UInt32($1) })"
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(target)/\(name)"))
    }
  }

  /// The lines of a bundle but for its index, with an empty line behind each frame.
  private static func lines(of path: String) throws -> Data {
    let file = try BundleReader(path: path).files[0]
    var text = Data()
    for frame in file.contentFrames {
      try file.frames.withFrame(frame) { content in
        for line in content.lines { text += Data(line) + [UInt8(ascii: "\n")] }
      }
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }
}
