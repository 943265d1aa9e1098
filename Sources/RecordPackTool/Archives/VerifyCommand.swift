import AppStores
import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import RecordText

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every byte, line and reference of bundles and containers.",
    discussion: """
      For a bundle, checks every byte, the form and order of every line, the index,
      the bytes of every asset, and that referenced content exists. For a container,
      checks the pages of the database, every row, the counts, and the bytes of
      every asset. A source that passes can be imported or exported completely. Also
      finds relationships of Core Data that lead to missing objects. The recover
      command saves what is intact of a damaged source.

      Exits with 1 if there is damage or such a relationship, and with 2 if a file
      cannot be read as a bundle or a container at all.

      EXAMPLES
        recordpack verify Tact.recordpack
        recordpack verify *.recordpack && echo all intact
        recordpack verify Tact.sqlite
        cat Tact.recordpack | recordpack verify - --json
      """)

  @Argument(
    help: "Bundles, files of split ones, or containers; - is standard input.", completion: .file())
  var sources: [String]

  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuseSecondStandardInput(sources)
  }

  func run() throws {
    var code = ExitCode.success
    var results: [Verification] = []
    let output = StandardOutput()
    func add(_ result: Verification) throws {
      ProgressBar.clearLine()
      if !result.isIntact || !result.dangling.isEmpty, code == .success { code = .findings }
      results.append(result)
      if !report.isJSON {
        for line in result.text(style: report.style, isQuiet: progress.quiet) {
          try output.line(line)
        }
      }
    }
    let containers = sources.filter { $0 != "-" && ArchiveSource.isContainer($0) }
    func fail(_ error: any Error) {
      ProgressBar.clearLine()
      ErrorReport.report(error)
      code = .failed
    }
    let stores = sources.filter { !containers.contains($0) && AppStoreFile.isStore($0) }
    for store in stores {
      fail(
        CommandError(
          "'\(store)' is the store of an app, which has no checksums; 'recordpack validate' reads "
            + "all of its objects"))
    }
    let bundles = sources.filter { !containers.contains($0) && !stores.contains($0) }
    for bundle in BundleReader.openEach(bundles) {
      switch bundle {
      case .success(let bundle):
        try add(verify(bundle))
      case .failure(let error): fail(error)
      }
    }
    for path in containers {
      do {
        try add(verifyContainer(path))
      } catch let error as Interrupted {
        throw error
      } catch {
        fail(error)
      }
    }
    if report.isJSON {
      let document = ReportOptions.document(
        "verify",
        [
          "intact": code != .failed && results.allSatisfy(\.isIntact),
          "sources": results.map(\.json),
        ])
      try output.line(document.visibleText)
    }
    try output.flush()
    if code != .success { throw code }
  }

  private func verify(_ bundle: BundleReader) throws -> Verification {
    let bar = progress.bar("verifying")
    let checked = try bundle.verify(threads: threads.count) {
      try bar.update(done: $0, total: $1)
    }
    return Verification(
      bundle, checked, try dangling(checked.isIntact, .bundle(bundle), bundle.fileNames.first))
  }

  private func verifyContainer(_ path: String) throws -> Verification {
    let (container, issues) = try ContainerStore.openDamaged(path: path)
    defer { _ = try? container.close() }
    // Only for the progress: a container whose counts cannot be read is checked as well.
    let total = (try? ArchiveSource.container(container).summary().records) ?? 0
    let bar = progress.bar("verifying")
    var faults = issues
    var check = try container.verify(
      progress: {
        try bar.update(
          ArchiveProgress(
            records: $0.records, totalRecords: max(total, $0.records), bytes: Int($0.bytes)))
      }
    ) { if faults.count < VerifyReport.maxFindings { faults.append($0) } }
    check.faults += issues.count
    if !issues.isEmpty { check.hasDamagedPages = true }
    return Verification(
      path, check, faults, try dangling(check.isIntact, .container(container), path))
  }

  /// The relationships that lead to missing objects, in a source that can be read.
  private func dangling(
    _ isIntact: Bool, _ source: ArchiveSource, _ name: String?
  ) throws -> [Verification.Dangling] {
    isIntact ? try source.checkRelationships(named: name ?? source.name).problems : []
  }
}

/// The result of `verify` for one bundle or container.
private struct Verification {
  typealias Dangling = (database: DatabaseScope, problem: RecordProblem, sample: RecordSample)

  let isIntact: Bool
  let dangling: [Dangling]
  private let kind: String
  private let files: [String]
  private let records: Int
  private let assets: Int
  private let bytes: Int
  /// The line count and the hashes of a bundle; empty for a container.
  private let ofBundle: JSONValue
  private let lines: Int?
  /// Whether an import can replace what is damaged in a container.
  private let isRepairable: Bool
  private let findingCount: Int
  private let findings: [(text: String, json: JSONValue)]

  init(_ bundle: BundleReader, _ checked: VerifyReport, _ dangling: [Dangling]) {
    self.dangling = dangling
    isIntact = checked.isIntact
    kind = "bundle"
    files = bundle.fileNames
    records = checked.records
    assets = checked.assets
    bytes = checked.bytes
    lines = checked.lines
    isRepairable = false
    ofBundle = [
      "lines": checked.lines, "contentHash": checked.contentHash,
      "indexSHA256": checked.indexDigests,
    ]
    findingCount = checked.findingCount
    findings = checked.findings.map { finding in
      (
        finding.description,
        [
          "file": finding.source, "frame": finding.frame, "line": finding.line,
          "message": finding.message,
        ]
      )
    }
  }

  init(
    _ path: String, _ check: VerificationReport, _ faults: [VerificationIssue],
    _ dangling: [Dangling]
  ) {
    self.dangling = dangling
    isIntact = check.isIntact
    kind = "container"
    files = [path]
    records = check.records
    assets = check.assets
    bytes = Int(check.bytes)
    lines = nil
    isRepairable = !check.hasDamagedPages
    ofBundle = [:]
    findingCount = check.faults
    findings = faults.map { fault in
      ("\(path): \(fault)", ["file": path, "place": fault.place, "message": fault.problem])
    }
  }

  func text(style: TerminalStyle, isQuiet: Bool) -> [String] {
    let name = files.joined(separator: ", ").visible
    guard !isIntact else {
      let found = dangling.map { found in
        "\(name): \(found.problem.message), in \(found.sample.phrase) of the "
          + "\(found.database.rawValue) database"
      }
      guard !isQuiet else { return found.map(\.visible) }
      var parts = [Numbers.count(records, "record")]
      if assets > 0 { parts.append(Numbers.count(assets, "asset")) }
      parts.append(
        [lines.map { Numbers.count($0, "line") }, Numbers.size(bytes)]
          .compactMap { $0 }.joined(separator: ", "))
      return found.map(\.visible)
        + ["\(name): \(style.paint("intact", .green)): \(parts.joined(separator: ", "))"]
    }
    var text = findings.map(\.text.visible)
    let hidden = findingCount - findings.count
    if hidden > 0 { text.append("… and \(Numbers.grouped(hidden)) more") }
    if kind == "container" {
      text.append(
        "'recordpack recover \(name.shellWord) -o saved.recordpack' saves what is intact; import it into a "
          + "new container, and then a backup, to get what is lost")
    }
    if isRepairable {
      text.append(
        "'recordpack import BACKUP \(name.shellWord) --on-conflict replace' replaces what is damaged in "
          + "place, and removes what BACKUP does not have")
    }
    let count = Numbers.count(findingCount, "finding")
    return text + ["\(name): \(style.paint("damaged", .red)): \(count)"]
  }

  private static func json(_ found: Dangling) -> JSONValue {
    [
      "database": found.database.rawValue, "recordType": found.problem.recordType,
      "field": found.problem.field, "message": found.problem.message,
      "records": found.sample.count,
      "examples": found.sample.examples.map { $0.recordID.recordName },
    ]
  }

  var json: JSONValue {
    .merging(
      [
        "kind": kind, "files": files, "intact": isIntact, "records": records, "assets": assets,
        "bytes": bytes,
      ], ofBundle, ["findingCount": findingCount, "findings": findings.map(\.json)],
      ["danglingRelationships": dangling.map(Self.json)])
  }
}
