import ArgumentParser
import Foundation
import MockCloud
import RecordCoding
import RecordText

struct CallsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calls",
    abstract: "Show the calls of a recording: their requests and results.",
    discussion: """
      A RecordingContainer writes the recording: every call of an app to its
      container, with the result. Each line has the number of the call in the order
      in which they ended, the operation, the database, what was asked, and the
      result; calls and items that failed have the name of their error. Values of
      records are shown with --json only, the encrypted ones with
      --show-encrypted. --format csv writes the same columns.

      A recording that ends in the middle of a call, or is damaged, is shown up to
      there; the exit code is then 1.

      EXAMPLES
        recordpack calls sync.recording
        recordpack calls sync.recording --failed
        recordpack calls sync.recording --operation modifyRecords --limit 20
        recordpack calls sync.recording --json | jq '.calls[0].request'
        recordpack calls sync.recording --format csv > calls.csv
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file())
  var recording: String

  @Option(
    help: ArgumentHelp(
      "Only calls of this operation, such as modifyRecords. May be given several times.",
      valueName: "name"))
  var operation: [CloudOperation] = []

  @Flag(help: "Only calls that failed, or of which an item failed.")
  var failed = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("At most this many calls.", valueName: "n"))
  var limit: Int?

  @Flag(help: "With --json: show the values of encrypted fields and the keys of assets.")
  var showEncrypted = false

  @OptionGroup var table: TableOptions

  func validate() throws {
    try checkLimit(limit)
    try refuse(
      [("--show-encrypted", showEncrypted)], when: !table.report.isJSON,
      "without --json, which shows values")
  }

  func run() throws {
    let recording = try read()
    let calls = recording.calls.filter { call in
      (operation.isEmpty || operation.contains(call.operation)) && (!failed || call.hasFailed)
    }.prefix(limit ?? .max)
    try table.write(
      CallList(recording: recording, calls: Array(calls), showEncrypted: showEncrypted))
    if let damage = recording.damage {
      ErrorReport.report(
        "'\(self.recording)' is shown up to its damage: \(damage)".visible, .findings,
        at: ["file": self.recording])
      throw ExitCode.findings
    }
  }

  private func read() throws -> Recording {
    do {
      return try Recording(Inputs.data(of: recording, "a recording"))
    } catch let error as RecordingError {
      let name = recording == "-" ? "standard input" : "'\(recording)'"
      throw CommandError(
        "\(name) is not a recording that can be read: \(error)".visible, at: ["file": recording])
    }
  }
}

private struct CallList: TableReport {
  static let format = "calls"
  static let titles = ["call", "operation", "database", "request", "result"]
  let recording: Recording
  let calls: [RecordedCall]
  let showEncrypted: Bool

  func lines(_ style: TerminalStyle) -> [String] {
    var table = Table([.right, .left, .left, .left, .left])
    table.add(Self.titles.map { Table.Cell($0, .bold) })
    let width = StandardOutput.terminalWidth.map { max($0 / 3, 20) }
    for call in calls {
      let color: TerminalStyle.Color? = call.hasFailed ? .red : nil
      let cells = Self.row(call).map { $0 ?? "" }
      let request = width.map { cells[3].cut(to: $0) } ?? cells[3]
      table.add(cells[..<3].map { Table.Cell($0) } + [.init(request), .init(cells[4], color)])
    }
    return table.lines(style)
  }

  var rows: [[String?]] { calls.map(Self.row) }

  private static func row(_ call: RecordedCall) -> [String?] {
    [
      String(call.number), call.operation.rawValue, call.databaseScope?.rawValue,
      call.call?.request.summary ?? call.problem, call.resultSummary,
    ]
  }

  var json: JSONValue {
    let disclosure = RecordDisclosure(showEncrypted: showEncrypted)
    return [
      "container": recording.containerIdentifier,
      "calls": calls.map { disclosure.shown($0.json.dropping(["kind"])) },
      "damage": recording.damage.map { "\($0)" },
    ]
  }
}

extension CloudOperation: ExpressibleByArgument {}
