import Foundation
import RecordCoding
import RecordModel

@testable import RecordBundle

/// A format version 0 that never was, and bundles of it.
enum OlderVersion: CaseIterable {
  /// Everything is called otherwise: a short cut for today's bytes fails.
  case renamed
  /// All looks as it does today, but numbers count from 1000: a short cut reads something wrong.
  case silent

  /// Reads version 0.
  var upgrade: FormatUpgrade { FormatUpgrade(steps: [0: { try changed($0, back: true) }]) }

  private static let names = [
    "recordName": "name0", "zoneID": "zone0", "fields": "values", "data": "base64",
    "sections": "parts", "frames": "blocks", "container": "app",
  ]

  /// What is wrong with a line of version 0.
  struct Wrong: Error {}

  private func changed(_ line: JSONValue, back: Bool) throws -> JSONValue {
    if line["broken"] != nil { throw Wrong() }
    switch self {
    case .renamed: return Self.renaming(line, back)
    case .silent: return Self.shifting(line, by: back ? -1000 : 1000)
    }
  }

  private static func renaming(_ line: JSONValue, _ back: Bool) -> JSONValue {
    let names = back ? Dictionary(uniqueKeysWithValues: names.map { ($1, $0) }) : names
    let (record, row) = back ? ("row", "record") : ("record", "row")
    func renamed(_ value: JSONValue) -> JSONValue {
      .object(
        (value.members ?? []).map { member in
          var content = member.value
          if member.name == "kind", content.string == record { content = .string(row) }
          if ["sections", "parts"].contains(member.name) {
            content = .array((content.elements ?? []).map(renamed))
          }
          return .init(names[member.name] ?? member.name, content)
        })
    }
    return renamed(line)
  }

  private static func shifting(_ line: JSONValue, by offset: Int) -> JSONValue {
    func replaced(_ value: JSONValue, _ name: String, _ change: (JSONValue) -> JSONValue)
      -> JSONValue
    {
      .object(
        (value.members ?? []).map { .init($0.name, $0.name == name ? change($0.value) : $0.value) })
    }
    guard line["fields"]?["number"] != nil else { return line }
    return replaced(line, "fields") {
      replaced($0, "number") {
        replaced($0, "value") { .integer((Int($0.numberText ?? "") ?? 0) + offset) }
      }
    }
  }

  /// Writes the files of a bundle in version 0.
  ///
  /// - Parameter breaking: the number of a line, header and all, that cannot be read.
  func write(_ paths: [String], to outputs: [String], breaking: Int? = nil) throws {
    let files = try BundleReader(paths: paths).files
    var digest: String?
    for (path, output) in zip(paths, outputs) {
      let source = try FrameReader(file: RandomAccessFile(path: path))
      let index = files.first { $0.name == path }?.index
      let sink = try AtomicFile(path: output)
      var options = FrameWriter.Options()
      options.frameSize = 8 << 20
      let writer = try FrameWriter(sink: sink, options: options)
      var sizes: [Int] = []
      var header = ContentHash()
      var number = 0
      for frame in 0..<source.frameCount - 1 {
        try source.withFrame(frame) { content in
          for line in content.lines {
            number += 1
            var json = try changed(try JSONParser.parse(line), back: false)
            if number == 1 { json = Self.header(json, digest) }
            if number == breaking { json = .object([.init("broken", .bool(true))]) }
            // In further files of a split bundle the zones are there again, and do not count.
            writer.countsLines = digest == nil || json["kind"]?.string != "zone"
            sizes.append(
              try writer.withLineBuffer { buffer in
                let start = buffer.count
                json.write(to: buffer)
                if number == 1 { header = try BundleHeader.contentHash(of: buffer.bytes) }
                return buffer.count - start + 1
              })
            try writer.finishLine()
          }
        }
        try writer.endFrame()
      }
      var rest = sizes.dropFirst()
      let sections = (index?.sections ?? []).map { section in
        var section = section
        section.bytes = rest.prefix(section.lines).reduce(0, +)
        rest = rest.dropFirst(section.lines)
        return section
      }
      let names = (index?.frames ?? []).enumerated().compactMap { number, frame in
        frame.first.map { (number, $0) }
      }
      let summary = try writer.finish { infos in
        let made = BundleIndex(
          frames: infos, firstNames: Dictionary(uniqueKeysWithValues: names), header: header,
          sections: sections, isLastShard: index?.isLastShard)
        let buffer = ByteBuffer()
        try changed(made.jsonValue, back: false).write(to: buffer)
        return Array(buffer.bytes)
      }
      digest = summary.frames.last?.digest.description
      try sink.commit()
    }
  }

  private static func header(_ json: JSONValue, _ previous: String?) -> JSONValue {
    .object(
      (json.members ?? []).map { member in
        switch member.name {
        case "formatVersion": return .init("formatVersion", .integer(0))
        case "shard":
          return .init(
            "shard",
            .object(
              (member.value.members ?? []).map {
                $0.name == "previousSHA256"
                  ? .init($0.name, .string(previous ?? "")) : $0
              }))
        default: return member
        }
      })
  }
}
