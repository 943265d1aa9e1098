import RecordBundle
import RecordCoding
import RecordStore
import RecordText

/// The result of `verify` for one bundle or container.
struct Verification {
  let isIntact: Bool
  private let kind: String
  private let files: [String]
  private let records: Int
  private let assets: Int
  private let bytes: Int
  /// The line count and the hashes of a bundle; empty for a container.
  private let ofBundle: [JSONValue.Member]
  private let lines: Int?
  private let findingCount: Int
  private let findings: [(text: String, json: JSONValue)]

  init(_ bundle: BundleReader, _ checked: VerifyReport) {
    isIntact = checked.isIntact
    kind = "bundle"
    files = bundle.fileNames
    records = checked.records
    assets = checked.assets
    bytes = checked.bytes
    lines = checked.lines
    ofBundle = [
      .init("lines", .integer(checked.lines)),
      .init("contentHash", .string(checked.contentHash)),
      .init("indexSHA256", .array(checked.indexDigests.map(JSONValue.string))),
    ]
    findingCount = checked.findingCount
    findings = checked.findings.map { ($0.description, Self.json($0)) }
  }

  init(_ path: String, _ check: ContainerReport, _ faults: [ContainerFault]) {
    isIntact = check.isIntact
    kind = "container"
    files = [path]
    records = check.records
    assets = check.assets
    bytes = Int(check.bytes)
    lines = nil
    ofBundle = []
    findingCount = check.faults
    findings = faults.map { fault in
      (
        "\(path): \(fault)",
        .object([
          .init("file", .string(path)), .init("place", .string(fault.place)),
          .init("message", .string(fault.problem)),
        ])
      )
    }
  }

  func text(style: TerminalStyle, isQuiet: Bool) -> [String] {
    let name = files.joined(separator: ", ").visible
    guard !isIntact else {
      guard !isQuiet else { return [] }
      var parts = [Numbers.count(records, "record")]
      if assets > 0 { parts.append(Numbers.count(assets, "asset")) }
      parts.append(
        [lines.map { Numbers.count($0, "line") }, Numbers.size(bytes)]
          .compactMap { $0 }.joined(separator: ", "))
      return ["\(name): \(style.paint("intact", .green)): \(parts.joined(separator: ", "))"]
    }
    var text = findings.map(\.text.visible)
    let hidden = findingCount - findings.count
    if hidden > 0 { text.append("… and \(Numbers.grouped(hidden)) more") }
    let count = Numbers.count(findingCount, "finding")
    return text + ["\(name): \(style.paint("damaged", .red)): \(count)"]
  }

  var json: JSONValue {
    .object(
      [
        .init("kind", .string(kind)), .init("files", .array(files.map(JSONValue.string))),
        .init("intact", .bool(isIntact)), .init("records", .integer(records)),
        .init("assets", .integer(assets)), .init("bytes", .integer(bytes)),
      ] + ofBundle + [
        .init("findingCount", .integer(findingCount)),
        .init("findings", .array(findings.map(\.json))),
      ])
  }

  private static func json(_ finding: VerifyReport.Finding) -> JSONValue {
    var members: [JSONValue.Member] = [.init("file", .string(finding.source))]
    if let frame = finding.frame { members.append(.init("frame", .integer(frame))) }
    if let line = finding.line { members.append(.init("line", .integer(line))) }
    members.append(.init("message", .string(finding.message)))
    return .object(members)
  }
}
