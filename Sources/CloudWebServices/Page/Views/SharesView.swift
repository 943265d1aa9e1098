import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// The shares of a container and who takes part in them.
struct SharesView {
  let context: ConsoleRequest

  /// The number of shares of a page.
  private static let pageSize = 50
  private static let pageName = "page"

  func html() throws -> HTML {
    let page = max(1, context.value(Self.pageName).flatMap(Int.init) ?? 1)
    let start = (page - 1).multipliedReportingOverflow(by: Self.pageSize)
    let first = start.overflow ? Int.max - Self.pageSize : start.partialValue
    var rows: [HTML] = []
    var (count, participants, pending) = (0, 0, 0)
    try context.source.forEachRecord(RecordFilter(recordTypes: [Share.recordType])) {
      record, database in
      let members = record.shareInfo?.participants ?? []
      participants += members.count
      pending += members.count { $0.acceptanceStatus == .pending }
      if (first..<first + Self.pageSize).contains(count) { rows.append(row(record, database)) }
      count += 1
    }
    guard count > 0 else {
      let hint = context.canEdit ? " Open a record or the list of zones to share one." : ""
      return context.page(
        "Shares", live: ConsoleRequest.empty("The container has no shares.\(hint)"))
    }
    let head: [HTML] =
      ["Share", "Of", "Zone", "Database"].map { "<th>\($0)</th>" }
      + ["<th class=\"number\">Accepted</th>", "<th class=\"number\">Pending</th>"]
      + ["<th>Everyone with the link</th>"]
    let figures = ConsoleRequest.figures([
      ("\(Numbers.grouped(count))", count == 1 ? "share" : "shares"),
      ("\(Numbers.grouped(participants))", "participants"),
      ("\(Numbers.grouped(pending))", "pending"),
    ])
    func link(_ title: String, _ rel: HTML, _ page: Int) -> HTML {
      let path = context.link(.shares, [(Self.pageName, String(page))])
      return "<a class=\"button plain\" rel=\"\(rel)\" href=\"\(path)\">\(title)</a>"
    }
    let previous: HTML? = page > 1 ? link("Previous page", "prev", page - 1) : nil
    let next: HTML? =
      count - Self.pageSize > first ? link("Next page", "next", page + 1) : nil
    let pages: HTML? =
      previous == nil && next == nil
      ? nil : "<nav class=\"pages\" aria-label=\"Pages\">\(previous)\(next)</nav>"
    return context.page(
      "Shares",
      live: """
        \(figures)
        \(HTML.table("Shares", head: head, rows: rows))
        \(pages)
        """)
  }

  private func row(_ record: ResultRecord, _ database: DatabaseScope) -> HTML {
    var title = record.recordID.recordName
    if let field = record.field(named: Share.titleKey),
      !field.isEncrypted || context.showsEncrypted,
      case .string(let text) = field.value, !text.isEmpty
    {
      title = text
    }
    let kind =
      record.recordID.recordName == Share.zoneWideRecordName ? "a whole zone" : "a record"
    let members = record.shareInfo?.participants ?? []
    let accepted = members.count { $0.acceptanceStatus == .accepted }
    let pending = members.count { $0.acceptanceStatus == .pending }
    let permission = record.shareInfo?.publicPermission.rawValue ?? "cannot be read"
    return """
      <tr><td><a href="\(context.link(to: record.recordID, in: database))"><bdi>\(title)</bdi></a></td>\
      <td class="whole">\(kind)</td><td>\(ConsoleRequest.words(record.recordID.zoneID))</td>\
      <td>\(database.rawValue)</td><td class="number">\(accepted)</td>\
      <td class="number">\(pending)</td><td>\(permission)</td></tr>
      """
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
    let rows = share.participants.map { participant -> HTML in
      let identity = participant.userIdentity
      let name = [identity.nameComponents?.givenName, identity.nameComponents?.familyName]
        .compactMap { $0 }.joined(separator: " ")
      let address = identity.lookupInfo?.emailAddress ?? identity.lookupInfo?.phoneNumber ?? ""
      // An invited participant may have no record name, and nothing but an address.
      let names = [identity.knownRecordName ?? "", name, address].filter { !$0.isEmpty }
      let others = names.dropFirst().map { "<bdi class=\"quiet\">\($0)</bdi>" as HTML }
      return """
        <tr><td><bdi>\(names.first ?? "unknown")</bdi>\(others)</td><td>\(participant.role.rawValue)</td>\
        <td>\(participant.permission.rawValue)</td><td>\(participant.acceptanceStatus.rawValue)</td></tr>
        """
    }
    let link: HTML? = (share.link ?? share.shortGUID).map { "; link <code>\($0)</code>" }
    let head: [HTML] = ["Participant", "Role", "Permission", "Status"].map {
      "<th>\($0)</th>"
    }
    return """
      <p>Permission of everyone who has the link: \(share.publicPermission.rawValue)\(link)</p>
      \(HTML.table("Participants", head: head, rows: rows))
      """
  }
}

extension UserIdentity {
  /// The record name: of a user who was invited by it, too, as long as the user has not accepted.
  var knownRecordName: String? { userRecordName ?? lookupInfo?.userRecordName }
}
