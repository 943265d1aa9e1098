import RecordModel
import RecordPages
import RecordText

/// The shares of a container and who takes part in them.
struct SharesView {
  let context: ConsoleRequest

  /// The number of shares of a page.
  private static let pageSize = 50
  private static let pageName = "page"

  func html() throws -> HTML {
    let page = max(1, context.value(Self.pageName).flatMap(Int32.init).map(Int.init) ?? 1)
    let first = (page - 1) * Self.pageSize
    if let missing = try context.store.missing([.share]) { throw missing }
    var shown: [(record: ResultRecord, database: DatabaseScope)] = []
    var (count, participants, pending) = (0, 0, 0)
    try context.source.forEachRecord(RecordFilter(recordTypes: [Share.recordType])) {
      record, database in
      let members = record.shareInfo?.participants ?? []
      participants += members.count
      pending += members.count { $0.acceptanceStatus == .pending }
      if (first..<first + Self.pageSize).contains(count) { shown.append((record, database)) }
      count += 1
    }
    guard count > 0 else {
      let hint = context.canEdit ? " Open a record or the list of zones to share one." : ""
      let words = context.isPart ? "This user has no shares." : "The container has no shares."
      return context.page(
        "Shares", live: ConsoleRequest.empty("\(words)\(hint)"), foot: join)
    }
    var table = HTMLTable(
      [
        "Share", .init("Of", style: "whole"), "Zone", "Database", .number("Accepted"),
        .number("Pending"), "Everyone with the link",
      ], label: "Shares")
    for (record, database) in shown { add(record, database, to: &table) }
    let figures = HTML.figures([
      ("\(Numbers.grouped(count))", count == 1 ? "share" : "shares"),
      ("\(Numbers.grouped(participants))", "participants"),
      ("\(Numbers.grouped(pending))", "pending"),
    ])
    func link(_ title: String, _ relation: HTML, _ page: Int) -> HTML {
      ConsoleRequest.pageLink(
        title, relation, context.link(.shares, [(Self.pageName, String(page))]))
    }
    let links = [
      page > 1 ? link("Previous page", "prev", page - 1) : nil,
      count - Self.pageSize > first ? link("Next page", "next", page + 1) : nil,
    ]
    return context.page(
      "Shares",
      live: """
        \(figures)
        \(table.html)
        \(ConsoleRequest.pages(links))
        """, foot: join)
  }

  /// The form that accepts a share by its link.
  private var join: HTML {
    guard context.canEdit, context.actor.name != nil else { return .empty }
    return """
      <h2>Join</h2>
      \(context.form(.accept, [], """
        <label class="wide">Link or short identifier of a share
        <input name="link" required autocomplete="off" spellcheck="false"></label>
        <button>Accept as \(context.actor.words)</button>
        """))
      """
  }

  /// The zone or record that is shared.
  private func root(of share: RecordID, _ database: DatabaseScope) -> HTML {
    if share.recordName == Share.zoneWideRecordName { return "a whole zone" }
    let found = try? context.store.snapshot { snapshot in
      try snapshot.records(referringTo: share, as: .share, in: database).first.flatMap {
        try snapshot.record(for: $0, in: database)
      }
    }
    guard let root = found ?? nil else { return "a record" }
    return context.titled(root, in: database)
  }

  private func add(_ record: ResultRecord, _ database: DatabaseScope, to table: inout HTMLTable) {
    let members = record.shareInfo?.participants ?? []
    let accepted = members.count { $0.acceptanceStatus == .accepted }
    let pending = members.count { $0.acceptanceStatus == .pending }
    let permission = record.shareInfo?.publicPermission.rawValue ?? "cannot be read"
    table.add(
      context.titled(record, in: database),
      root(of: record.recordID, database), ConsoleRequest.words(record.recordID.zoneID),
      "\(database.rawValue)", "\(accepted)", "\(pending)", "\(permission)")
  }
}

/// The participants of one share.
struct ShareView {
  let context: ConsoleRequest
  let database: DatabaseScope

  func participants(of record: ResultRecord) -> HTML {
    guard record.isShare else { return .empty }
    guard let share = record.shareInfo else {
      return "<p class=\"problem\">The participants cannot be read.</p>"
    }
    var table = HTMLTable(["Participant", "Role", "Permission", "Status"], label: "Participants")
    for participant in share.participants {
      let names = participant.userIdentity.words
      let others = names.dropFirst().map { "<bdi class=\"quiet\">\($0)</bdi>" as HTML }
      table.add(
        "<bdi>\(names.first ?? "unknown")</bdi>\(others)", "\(participant.role.rawValue)",
        "\(participant.permission.rawValue)", "\(participant.acceptanceStatus.rawValue)")
    }
    let link: HTML? = (share.link ?? share.shortGUID).map {
      """
      <p>Link <code id="share-link">\($0)</code> \
      <button type="button" class="plain" data-copy="share-link" hidden>Copy the link</button></p>
      """
    }
    return """
      <p>Permission of everyone who has the link: \(share.publicPermission.rawValue)</p>
      \(link)
      \(table.html)
      """
  }
}
