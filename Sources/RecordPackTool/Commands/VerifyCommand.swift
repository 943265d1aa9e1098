import ArgumentParser
import RecordBundle
import RecordCoding

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Reads bundles to the last byte and checks everything in them.",
    discussion: """
      Checked are the digests, the form and the order of every line, the counts of
      the index, the bytes of every asset, and that each record's zone and assets
      are there. Exits with 1 where something is wrong, and with 2 where a file
      cannot be read as a bundle at all.

      EXAMPLES
        recordpack verify Tact.recordpack
        recordpack verify *.recordpack && echo all intact
        cat Tact.recordpack | recordpack verify - --format json
      """)

  @Argument(help: "Bundles, or files of split ones; - is standard input.", completion: .file())
  var bundles: [String]

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard bundles.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("standard input (-) can be read once only")
    }
  }

  func run() throws {
    var code = ExitCode.success
    let opened = open(&code)
    var results: [JSONValue] = []
    let output = StandardOutput()
    for bundle in opened {
      let bar = progress.bar("verifying")
      let checked = try bundle.verify(threads: threads.threads ?? BundleThreads.recommended) {
        try bar.update(done: $0, total: $1)
      }
      ProgressBar.clearLine()
      if !checked.isIntact, code == .success { code = .findings }
      if report.isJSON {
        results.append(Self.json(bundle, checked))
      } else {
        try tell(bundle.fileNames.joined(separator: ", "), checked, output)
      }
    }
    if report.isJSON {
      let document = ReportOptions.document(
        "verify",
        [.init("intact", .bool(code == .success)), .init("bundles", .array(results))])
      try output.line(document.visibleText)
    }
    try output.flush()
    if code != .success { throw code }
  }

  /// Opens all bundles; where one cannot be, that is reported, and the others are checked.
  private func open(_ code: inout ExitCode) -> [BundleReader] {
    if let opened = try? BundleReader.open(bundles) { return opened }
    var opened: [BundleReader] = []
    for path in bundles {
      if opened.contains(where: { $0.fileNames.contains(path) }) { continue }
      do {
        opened.append(try BundleReader(path: path))
      } catch {
        ErrorReport.report(error)
        code = .failed
      }
    }
    return opened
  }

  private func tell(_ name: String, _ checked: VerifyReport, _ output: StandardOutput) throws {
    let style = report.style
    guard !checked.isIntact else {
      guard !progress.quiet else { return }
      var parts = [Numbers.count(checked.records, "record")]
      if checked.assets > 0 { parts.append(Numbers.count(checked.assets, "asset")) }
      parts.append("\(Numbers.count(checked.lines, "line")), \(Numbers.size(checked.bytes))")
      return try output.line(
        "\(name.visible): \(style.paint("intact", .green)): \(parts.joined(separator: ", "))")
    }
    for finding in checked.findings { try output.line(finding.description.visible) }
    let hidden = checked.findingCount - checked.findings.count
    if hidden > 0 { try output.line("… and \(Numbers.grouped(hidden)) more") }
    let count = Numbers.count(checked.findingCount, "finding")
    try output.line("\(name.visible): \(style.paint("damaged", .red)): \(count)")
  }

  private static func json(_ bundle: BundleReader, _ checked: VerifyReport) -> JSONValue {
    .object([
      .init("files", .array(bundle.fileNames.map(JSONValue.string))),
      .init("intact", .bool(checked.isIntact)), .init("records", .integer(checked.records)),
      .init("lines", .integer(checked.lines)), .init("bytes", .integer(checked.bytes)),
      .init("assets", .integer(checked.assets)),
      .init("contentDigests", .array(checked.contentDigests.map(JSONValue.string))),
      .init("findingCount", .integer(checked.findingCount)),
      .init("findings", .array(checked.findings.map(json))),
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
