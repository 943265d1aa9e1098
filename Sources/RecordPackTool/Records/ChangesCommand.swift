import ArgumentParser
import CloudInterface
import Foundation
import MockCloud
import RecordCoding
import RecordModel
import RecordStore
import RecordText

struct ChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Show what has changed in a container since a change token.",
    discussion: """
      Without --zone, shows the zones that have changed or were deleted; with it, the
      records of the zone: each once, as it is now. The last line has the token for
      the next time. The mock server's change feed returns the same changes and
      tokens to an app.

      A damaged record has a ! and the error. The command then ends with 1, and so it
      does if a zone, record or deletion that the container counts is missing.

      With --limit, shows one page; --change-token with its token shows the next one.
      With --format csv, the token is a note on standard error.

      EXAMPLES
        recordpack changes Tact.sqlite
        recordpack changes Tact.sqlite --zone Chats --limit 20
        recordpack changes Tact.sqlite --zone Chats --json | jq -r .changeToken
        recordpack changes Tact.sqlite --zone Chats --format csv > chats.csv
      """)

  @Argument(help: "A container.", completion: .file())
  var source: String

  @Option(help: ArgumentHelp("Show the records of this zone.", valueName: "name[/owner]"))
  var zone: String?

  @Option(help: ArgumentHelp("private or shared. (default: private)", valueName: "database"))
  var database: DatabaseScope?

  @Option(
    help: ArgumentHelp(
      "Show what another account of the container sees.", valueName: "user"))
  var account: String?

  @Option(
    help: ArgumentHelp("The token that an earlier fetch has returned.", valueName: "token"))
  var changeToken: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Show at most this many records or zones.", valueName: "n"))
  var limit: Int?

  @OptionGroup var table: TableOptions

  func validate() throws {
    try checkLimit(limit)
    if let zone, ZoneID(argument: zone) == nil {
      throw ValidationError("--zone must be a name, or NAME/OWNER, not '\(zone)'")
    }
  }

  func run() throws {
    let damage = DamagedRows()
    let store = try damage.container(source)
    defer { _ = try? store.close() }
    if let account { try check(account, in: store) }
    let changes = try FeedChanges(store, self)
    var writer = try ChangeWriter(changes, table)
    var hasDamage = false
    let end: FeedChanges.End
    do {
      end = try changes.forEach {
        try Interruption.checkReading()
        if $0.change == .damaged { hasDamage = true }
        try writer.add($0)
      }
    } catch let error as CloudError where error.code == .changeTokenExpired {
      throw CommandError("\(error); without --change-token, all changes are shown")
    }
    try writer.finish(end)
    try store.snapshot {
      try $0.checkFeed(of: database ?? .private, withRecords: zone != nil)
    }
    try damage.finish { if hasDamage { throw ExitCode.findings } }
  }
}

extension ChangesCommand {
  private func check(_ account: String, in store: ContainerStore) throws {
    let info = try store.info()
    let accounts = info.accounts.map(\.userRecordName)
    let known = accounts + [info.currentUserRecordName].compactMap(\.self)
    guard !accounts.isEmpty, known.contains(where: { $0.sameScalars(as: account) }) else {
      let names = accounts.map { "'\($0.visible)'" }.joined(separator: ", ")
      throw CommandError(
        "'\(source.visible)' has no account '\(account.visible)': it has "
          + (names.isEmpty ? "none" : names))
    }
  }
}

/// The changes of a container that the command shows.
private struct FeedChanges {
  private let feed: ChangeFeed
  private let scope: DatabaseScope
  private let zoneID: ZoneID?
  private let limit: Int
  private let since: ServerChangeToken?

  init(_ store: ContainerStore, _ command: ChangesCommand) throws {
    scope = command.database ?? .private
    zoneID = try command.zone.flatMap { [scope] in
      try ZoneID(argument: $0) { zone in
        try store.snapshot { try $0.zones(in: scope) }.contains { $0.zoneID == zone }
      }
    }
    limit = command.limit ?? .max
    since = command.changeToken.map { ServerChangeToken(data: Data($0.utf8)) }
    var rules = ServerRules.native
    rules.maxResults = limit
    feed = ChangeFeed(store, of: scope, account: command.account, rules: rules)
  }

  /// A zone or record, and what happened to it.
  struct Item {
    enum Change: String { case changed, deleted, damaged }

    var change = Change.changed
    var words: [String]
    var members: JSONValue
    /// The cells of the row, after the change.
    var cells: [String?]

    var json: JSONValue { .merging(["change": change.rawValue], members) }

    func text(_ style: TerminalStyle) -> String {
      let mark =
        switch change {
        case .changed: style.paint("+", .green)
        case .deleted: style.paint("-", .red)
        case .damaged: style.paint("!", .red)
        }
      return ([mark] + words.map(\.visible)).joined(separator: " ")
    }
  }

  /// The end of the output, after the items.
  struct End {
    var token: String
    var moreComing: Bool

    var text: String { "\(moreComing ? "More with" : "Next") --change-token '\(token.visible)'" }

    var members: JSONValue { ["changeToken": token, "moreComing": moreComing] }

    init(_ token: ServerChangeToken, _ moreComing: Bool) {
      self.token = String(decoding: token.data, as: UTF8.self)
      self.moreComing = moreComing
    }
  }

  /// The JSON before the items.
  var head: JSONValue {
    ReportOptions.document(
      "changes", ["database": scope.rawValue, "zoneID": zoneID?.jsonValue()])
  }

  /// The name of the items in JSON.
  var listName: String { zoneID == nil ? "zones" : "records" }

  /// The titles of the rows.
  var titles: [String] {
    ["change"]
      + (zoneID == nil
        ? ["zoneName", "ownerName", "reason"]
        : ["recordName", "recordType", "recordChangeTag", "error"])
  }

  func forEach(_ body: (Item) throws -> Void) throws -> End {
    if let zoneID {
      let end = try feed.forEachChange(of: zoneID, since: since, limit: limit) {
        try body(Item($0))
      }
      return End(end.changeToken, end.moreComing)
    }
    let page = try feed.zones(since: since, limit: nil)
    for zone in page.modifications { try body(Item(zone.zoneID)) }
    for zone in page.deletions { try body(Item(zone.zoneID, zone.reason)) }
    return End(page.changeToken, page.moreComing)
  }
}

/// Writes changes as lines, CSV or JSON.
private struct ChangeWriter {
  private let output = StandardOutput()
  private let style: TerminalStyle
  private var document: StreamedDocument?
  private var rows: RowWriter?

  init(_ changes: FeedChanges, _ table: TableOptions) throws {
    style = table.report.style
    switch table.form {
    case .table: break
    case .csv: rows = RowWriter(.csv, changes.titles, style, output)
    case .json:
      document = try StreamedDocument(changes.head, list: changes.listName, to: output)
    }
  }

  mutating func add(_ item: FeedChanges.Item) throws {
    if document != nil {
      try document?.add(item.json)
    } else if rows != nil {
      try rows?.add(texts: [item.change.rawValue] + item.cells)
    } else {
      try output.line(item.text(style))
    }
  }

  mutating func finish(_ end: FeedChanges.End) throws {
    if document != nil {
      try document?.end(end.members)
    } else if rows != nil {
      try rows?.finish(total: nil)
    } else {
      try output.line(end.text)
    }
    try output.flush()
    if rows != nil { ErrorReport.note(end.text) }
  }
}

extension FeedChanges.Item {
  fileprivate init(_ zoneID: ZoneID, _ reason: DatabaseChange.Deletion.Reason? = nil) {
    if reason != nil { change = .deleted }
    words = [zoneID.description]
    members = ["zoneID": zoneID.jsonValue(), "reason": reason?.rawValue]
    cells = [zoneID.zoneName, zoneID.ownerName, reason?.rawValue]
    if let reason, reason != .deleted { words.append("(\(reason.rawValue))") }
  }

  fileprivate init(_ stored: StoredChange) {
    let (type, name, tag): (String?, String, String?)
    switch stored {
    case .saved(let record):
      (type, name, tag) = (record.recordType, record.recordID.recordName, record.recordChangeTag)
    case .deleted(let tombstone):
      change = .deleted
      (type, name, tag) = (tombstone.recordType, tombstone.recordID.recordName, nil)
    case .unreadable(let recordID, let error):
      change = .damaged
      words = [recordID.recordName, error.descriptionWithoutDetail]
      members = ["recordName": recordID.recordName, "error": error.descriptionWithoutDetail]
      cells = [recordID.recordName, nil, nil, error.descriptionWithoutDetail]
      return
    }
    words = [type ?? "", name, tag ?? ""].filter { !$0.isEmpty }
    members = ["recordName": name, "recordType": type ?? "", "recordChangeTag": tag]
    cells = [name, type, tag, nil]
  }
}
